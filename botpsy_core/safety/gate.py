"""The one function between every call and the world."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict, Unpack

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.home import Home
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import Risk, ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Allow, Ask, AskKind, Evidence, Readiness, Reason, Refuse, Verdict
from botpsy_core.safety import address_rules, doubt_rules, thing_rules, value_rules, word_rules, world_rules
from botpsy_core.safety.case import Case, Rule
from botpsy_core.safety.grounding import ground, ways_left
from botpsy_core.safety.policy import Policy, satisfies
from botpsy_core.safety.standing import Confirmation, Standing

_FOR_ALL: tuple[Rule, ...] = (
    world_rules.offered,
    world_rules.enabled,
    world_rules.permitted,
    word_rules.absent,
)
_ABOUT_WORDS: tuple[Rule, ...] = (
    value_rules.misfit,
    word_rules.mood,
    doubt_rules.hedged,
    word_rules.topic,
    word_rules.opposite,
    thing_rules.complaint,
    thing_rules.target,
    thing_rules.begun,
    word_rules.act,
    word_rules.leftover,
    word_rules.left_out,
    word_rules.put_off,
    address_rules.stranger,
    doubt_rules.taint,
    thing_rules.widened,
    thing_rules.sweeping,
    thing_rules.rivals,
    value_rules.invented,
    thing_rules.fuzzy,
    doubt_rules.certain,
)
_ABOUT_THE_CALL: tuple[Rule, ...] = (
    world_rules.exposed,
    thing_rules.fitting,
    value_rules.missing,
    value_rules.wrong,
    world_rules.available,
)
_ABOUT_FOREIGN_READS: tuple[Rule, ...] = (
    value_rules.misfit,
    doubt_rules.taint,
    value_rules.invented,
    doubt_rules.certain,
)
_ABOUT_WRITES: tuple[Rule, ...] = (
    world_rules.origin,
    world_rules.mass,
    world_rules.rate,
    world_rules.safe_now,
    world_rules.confirmed,
)
_WORDLESS: tuple[Rule, ...] = (world_rules.offered, world_rules.enabled, world_rules.permitted)


class Known(TypedDict):
    """All that is known of a call besides the call itself."""

    spec: ToolSpec
    clause: Clause
    heard: Heard
    home: Home
    evidence: Evidence
    readiness: Readiness
    policy: Policy
    context: TurnContext
    offered: OfferedTool | None
    standing: NotRequired[Standing | None]
    confirmation: NotRequired[Confirmation | None]


def decide(call: ToolCall, **known: Unpack[Known]) -> Verdict:
    """Say whether a call may go out, needs an answer first, or is refused; same arguments, same verdict."""
    return verdict_on(case_of(call, **known))


def verdict_on(case: Case) -> Verdict:
    """Return the verdict on a case."""
    return _judged(case, rules_for(case))


def in_doubt(case: Case) -> bool:
    """Return True if only the signal that costs the model's time can settle a case.

    It is a foreign tool's call, no other rule refuses it, and a poor and a good gain end differently.
    """
    if not case.only_schema or case.evidence.gain is not None:
        return False
    others = tuple(rule for rule in rules_for(case) if rule is not doubt_rules.certain)
    poor, good = (case.certainty_with(gain) for gain in case.scale.doubt)
    refusable = others != rules_for(case) and poor < case.rule.refuse_below <= good
    match _judged(case, others):
        case Refuse():
            return False
        case Ask():
            return refusable
        case Allow():
            return refusable or poor < case.rule.ask_below <= good


def _judged(case: Case, looking: Sequence[Rule]) -> Verdict:
    asks: list[Ask] = []
    for rule in looking:
        finding = rule(case)
        match finding:
            case Refuse():
                return finding
            case Ask():
                asks.append(finding)
            case None:
                continue
    return _answered(case, asks)


def rules_for(case: Case) -> tuple[Rule, ...]:
    """Return the rules that look at this case, in their fixed order."""
    if case.wordless:
        return (*_WORDLESS, *_ABOUT_THE_CALL, *(_ABOUT_WRITES if case.stake.risk is not Risk.READ else ()))
    if not case.writes:
        # Guarded like a write where policy or world say so, but for its mood: a read is a question.
        guarded = _ABOUT_WRITES if case.stake.risk is not Risk.READ else ()
        foreign = _ABOUT_FOREIGN_READS if case.only_schema else ()
        return (*_FOR_ALL, word_rules.topic, *foreign, *_ABOUT_THE_CALL, thing_rules.read_target, *guarded)
    return (*_FOR_ALL, *_ABOUT_WORDS, *_ABOUT_THE_CALL, *_ABOUT_WRITES)


def _answered(case: Case, asks: list[Ask]) -> Verdict:
    """Turn open questions into a verdict: a clarification first, then what the confirmation at hand leaves open."""
    clarify = next((a for a in asks if a.kind is AskKind.CLARIFY), None)
    if clarify is not None:
        return clarify
    given = None
    if case.confirmation is not None and case.confirmation.covers(case.call, case.context):
        given = case.confirmation.level
    open_asks = [a for a in asks if not satisfies(given, a.kind)]
    if not open_asks:
        return Allow(call=case.call, risk=case.stake.risk, at=case.at[0] if case.at else None)
    strictest = next((a for a in open_asks if a.kind is AskKind.PIN), open_asks[0])
    if strictest.kind is AskKind.PIN and not case.standing.pin_set:
        return case.refuse(Reason.NO_PIN_SET)
    if strictest.kind is AskKind.PIN and case.standing.locked_out:
        return case.refuse(Reason.LOCKED_OUT)
    return strictest


def case_of(call: ToolCall, **known: Unpack[Known]) -> Case:
    """Work out once what all rules read: targets, class of risk, grounding, certainty."""
    spec, clause, heard, offered = known["spec"], known["clause"], known["heard"], known["offered"]
    home, policy, readiness = known["home"], known["policy"], known["readiness"]
    targets = spec.targets_of(call)
    entities = tuple(e for i in targets if (e := home.entity(i)) is not None)
    return Case(
        call=call,
        spec=spec,
        clause=clause,
        heard=heard,
        home=home,
        evidence=known["evidence"],
        readiness=readiness,
        policy=policy,
        context=known["context"],
        offered=offered,
        standing=known.get("standing") or Standing(),
        confirmation=known.get("confirmation"),
        grounding=ground(call, spec=spec, clause=clause, heard=heard, offered=offered),
        targets=targets,
        entities=entities,
        stake=policy.stake(spec, entities, floor=readiness.risk, ways=ways_left(spec, clause)),
    )
