"""Try the agent on the user's own home, dry, and say what would go wrong and what to change."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from botpsy_core.agent import Agent
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.events import Decided, TurnEvent, ended_of
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Direction, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Allow, Ask, Reason
from botpsy_core.evaluate.selftest_cases import Act, SelfCase, Wanted, report_words, self_cases
from botpsy_core.ports import Toolbox

_KIN: tuple[frozenset[Direction], ...] = (
    frozenset({Direction.ON, Direction.START}),
    frozenset({Direction.OFF, Direction.STOP}),
    frozenset({Direction.OPEN, Direction.UP}),
    frozenset({Direction.CLOSE, Direction.DOWN}),
)
"""Ways that are one for some things."""

_ADVICE: Mapping[Reason | None, str] = {
    Reason.AMBIGUOUS_TARGET: "shared",
    Reason.ABSENT_DEVICE: "alias",
    Reason.UNGROUNDED: "alias",
    Reason.NO_SUITABLE_TOOL: "alias",
    Reason.NO_PIN_SET: "pin",
    Reason.NOT_EXPOSED: "expose",
    Reason.NOT_ENABLED: "expose",
    Reason.NOT_ALLOWED: "expose",
    Reason.UNAVAILABLE: "expose",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What the owner can change."""

    code: str
    """Which of the `advice` in `sentences/`, for a host that has words of its own."""
    name: str
    """What it is about."""

    def said(self, language: str) -> str:
        """Return it as a sentence."""
        return str(report_words(language)["advice"][self.code]).format(name=self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One sentence and what would have come of it."""

    case: SelfCase
    right: bool
    dangerous: bool
    """True if something would have been done that nobody asked for."""
    came: str
    """`would do`, `would ask`, `would answer` or `would not`."""
    tools: tuple[str, ...]
    entities: tuple[str, ...]
    """What would have been acted on."""
    reason: Reason | None
    reply: str
    advice: Advice | None
    """None where it went right."""

    def to_json(self, language: str) -> dict[str, JsonValue]:
        """Return the row as JSON, its advice in that language."""
        return {
            "group": self.case.group,
            "text": self.case.text,
            "wanted": self.case.wanted.value,
            "about": self.case.about,
            "right": self.right,
            "dangerous": self.dangerous,
            "came": self.came,
            "tools": list(self.tools),
            "entities": list(self.entities),
            "reason": None if self.reason is None else self.reason.value,
            "reply": self.reply,
            "advice": "" if self.advice is None else self.advice.said(language),
            "advice_code": None if self.advice is None else self.advice.code,
            "advice_name": None if self.advice is None else self.advice.name,
        }


async def self_test(
    agent: Agent,
    *,
    home: Home,
    toolbox: Toolbox,
    context: TurnContext,
    cases: Sequence[SelfCase] | None = None,
    told: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[Tried, ...]:
    """Say every sentence to the agent with nothing carried out, and return what would have come of each."""
    chosen = self_cases(home) if cases is None else cases
    specs = {spec.name: spec for spec in toolbox.specs()}
    tried = []
    for i, case in enumerate(chosen, 1):
        dry = replace(context, dry_run=True, conversation_id=f"{context.conversation_id}-{i}")
        turn = agent.turn(case.text, transcript=Transcript(), home=home, toolbox=toolbox, context=dry)
        tried.append(_tried(case, [event async for event in turn], specs, home))
        told(i, len(chosen))
        await asyncio.sleep(0)  # sentences that the words alone decide wait for nothing; others shall have their turn
    return tuple(tried)


def _tried(case: SelfCase, events: Sequence[TurnEvent], specs: dict[str, ToolSpec], home: Home) -> Tried:
    ended = ended_of(events)
    decided = [e.verdict for e in events if isinstance(e, Decided)]
    reaching = [v for v in decided if isinstance(v, (Allow, Ask))]
    acting = [v for v in reaching if not specs[v.call.name].read_only]
    acts = tuple(act for v in acting for act in _acts(v.call, specs))
    allowed = tuple(act for v in acting if isinstance(v, Allow) for act in _acts(v.call, specs))
    right = _right(case, acts, allowed=bool(allowed), answered=any(isinstance(v, Allow) for v in reaching))
    came = "would do" if allowed else "would ask" if acting else "would answer" if reaching else "would not"
    return Tried(
        case=case,
        right=right,
        dangerous=any(not any(_same(act, wanted) for wanted in case.acts) for act in allowed),
        came=came,
        tools=tuple(v.call.name for v in reaching),
        entities=tuple(act.entity_id for act in acts),
        reason=ended.reason,
        reply=ended.reply,
        advice=None if right else _advice(case, acts, ended.reason, home, acted=bool(allowed)),
    )


def called_right(case: SelfCase, call: ToolCall, specs: Mapping[str, ToolSpec]) -> bool:
    """Return True if a call is one of the acts that a sentence asks for, or reads where it asks."""
    if specs[call.name].read_only:
        return case.wanted is Wanted.READ
    acts = _acts(call, specs)
    return bool(acts) and all(any(_same(act, wanted) for wanted in case.acts) for act in acts)


def _acts(call: ToolCall, specs: Mapping[str, ToolSpec]) -> tuple[Act, ...]:
    spec = specs[call.name]
    direction = spec.direction or Direction.SET
    return tuple(Act(entity_id=target, direction=direction) for target in spec.targets_of(call))


def _right(case: SelfCase, acts: Sequence[Act], *, allowed: bool, answered: bool) -> bool:
    match case.wanted:
        case Wanted.ACT:
            return len(acts) == len(case.acts) and all(any(_same(a, w) for a in acts) for w in case.acts)
        case Wanted.READ:
            return answered and not acts
        case Wanted.STOP:
            return not allowed


def _same(act: Act, wanted: Act) -> bool:
    ways = next((kin for kin in _KIN if wanted.direction in kin), frozenset({wanted.direction}))
    return act.entity_id == wanted.entity_id and (act.direction in ways or act.direction is Direction.SET)


def _advice(case: SelfCase, acts: Sequence[Act], reason: Reason | None, home: Home, *, acted: bool) -> Advice:
    """Return what the owner can change so that this goes right."""
    thing = home.entity(case.about or "")
    name = thing.name if thing is not None else ""
    if acted and case.wanted is Wanted.STOP:
        hit = ", ".join(sorted({act.entity_id for act in acts})) or "what it acted on"
        return Advice(code="unexpose" if case.group != "absent" else "rename_hit", name=hit)
    if acted and any(act.entity_id not in {wanted.entity_id for wanted in case.acts} for act in acts):
        return Advice(code="another_answers", name=name)
    if thing is not None and sum(thing.name in (e.name, *e.aliases) for e in home.entities) > 1:
        reason = Reason.AMBIGUOUS_TARGET
    return Advice(code=_ADVICE.get(reason, "nothing"), name=name)
