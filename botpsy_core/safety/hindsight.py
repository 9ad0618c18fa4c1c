"""What a policy would have said to a call that was made before, as far as the policy alone decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard, Mood, Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Ask, Evidence, Readiness, Refuse
from botpsy_core.safety import world_rules
from botpsy_core.safety.case import Rule
from botpsy_core.safety.gate import case_of
from botpsy_core.safety.policy import Policy
from botpsy_core.safety.standing import Standing

_BY_POLICY: tuple[Rule, ...] = (
    world_rules.enabled,
    world_rules.permitted,
    world_rules.origin,
    world_rules.mass,
    world_rules.confirmed,
)


class Way(StrEnum):
    """How a call would have gone."""

    ALLOW = "allow"
    ASK = "ask"
    REFUSE = "refuse"


_STRICT: Mapping[Way, int] = {Way.ALLOW: 0, Way.ASK: 1, Way.REFUSE: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A call that reached the gate, and its frame."""

    call: ToolCall
    context: TurnContext
    certainty: float | None = None
    """What the gate made of the words then, 0 to 1; None where it was not told."""


def looser(after: Way, before: Way) -> bool:
    """Return True if a call would go further than before."""
    return _STRICT[after] < _STRICT[before]


def judged(past: Past, *, spec: ToolSpec, home: Home, policy: Policy) -> Way:
    """Return how a call would have gone by the rules that read the policy; words, world and model are as they were."""
    clause = Clause(text="", span=Span(start=0, end=0), mood=Mood.COMMAND)
    case = case_of(
        past.call,
        spec=spec,
        clause=clause,
        heard=Heard(text="", language=past.context.language, clauses=(clause,)),
        home=home,
        evidence=Evidence(by_code=True),
        readiness=Readiness(),
        policy=policy,
        context=past.context,
        offered=None,
        standing=Standing(pin_set=True),
    )
    findings = [rule(case) for rule in _BY_POLICY]
    if any(isinstance(each, Refuse) for each in findings) or _below(past, case.rule.refuse_below):
        return Way.REFUSE
    asks = any(isinstance(each, Ask) for each in findings) or _below(past, case.rule.ask_below)
    return Way.ASK if asks else Way.ALLOW


def _below(past: Past, share: float) -> bool:
    return past.certainty is not None and past.certainty < share
