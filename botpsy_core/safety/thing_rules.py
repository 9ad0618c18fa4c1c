"""The gate's rules about things: never another one, never more than were said."""

from collections.abc import Iterable

from botpsy_core.domain.cues import listed_words, names_asker, word_hits
from botpsy_core.domain.effects import effects, relief
from botpsy_core.domain.heard import PAIR, How, Target
from botpsy_core.domain.tools import Direction, Risk, Role
from botpsy_core.domain.verdicts import AskKind, Reason
from botpsy_core.safety.case import Case, Finding
from botpsy_core.safety.grounding import Agreement
from botpsy_core.safety.word_rules import NAMED

_SURE_OF_ONE = 0.9
"""The model's probability of its target, from which it may choose between two that are equally near."""
_SHOWS_ONLY = frozenset(
    {"binary_sensor", "device_tracker", "event", "image", "person", "sensor", "sun", "weather", "zone"}
)
"""Domains whose things show something and cannot be acted on."""
_WAYS = frozenset(way.value for way in Direction)
_MANY = 4
_BEGINNING = frozenset({Direction.ON, Direction.START, Direction.OPEN})
_RUNNING = frozenset({Direction.START, Direction.STOP})
_CALLED = 0.8
"""Likeness from which a thing was called by its name or kind, and not just by its place."""
_RIVAL = 0.08
"""Two targets whose likeness differs by less are equally near."""


def complaint(case: Case) -> Finding:
    """Never bring more of what was complained of; ask before an act that does not clearly bring less of it there.

    "I am cold" names no place: where nobody's room is known either, it is asked about.
    """
    said = case.clause.complaint
    if said is None or not case.entities or case.grounding.direction is Agreement.SAID:
        return None
    ways = {Direction(v) for v in case.call.args.values() if isinstance(v, str) and v in _WAYS}
    found = effects(said.quality, {e.domain for e in case.entities}, ways or case.spec.directions)
    here = case.context.area_id is not None or any(t.span is not None for t in case.clause.targets)
    if found == {relief(said)} and here:
        return None
    if said.excess in found:
        return case.refuse(Reason.OPPOSITE)
    return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED)


def fitting(case: Case) -> Finding:
    """Let a tool act only on the kinds of things that it is for."""
    for argument in case.spec.arguments_of(Role.TARGET):
        value = case.call.args.get(argument.name)
        ids = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
        for entity in case.entities:
            if entity.id in ids and argument.kinds and argument.kinds.isdisjoint((entity.domain, entity.kind)):
                return case.refuse(Reason.WRONG_ARGUMENT, argument=argument.name)
    return None


def target(case: Case) -> Finding:
    """Act only on what the words, the room or the talk so far name."""
    if case.spec.target is not None:
        return _fixed_target(case)
    if not case.grounding.strays:
        return None
    if _implied(case):
        return None
    return case.refuse(Reason.UNGROUNDED)


def begun(case: Case) -> Finding:
    """Switch on or off what was said to start or stop, never whatever stands in a place that was said to.

    Who cleans the bathroom, or stops the kitchen, names no light of it.
    """
    if _RUNNING.isdisjoint(case.clause.directions) or not case.spec.directions.isdisjoint(case.clause.directions):
        return None
    called = [t for t in case.clause.targets if t.how is not How.PLACE and t.score >= _CALLED]
    if case.grounding.cued or all(any(e.id in t.entities for t in called) for e in case.entities):
        return None
    return case.refuse(Reason.NO_SUITABLE_TOOL)


def read_target(case: Case) -> Finding:
    """Read only what the words, the room or the talk so far name."""
    if case.grounding.strays and case.spec.target is None and not _implied(case):
        return case.refuse(Reason.UNGROUNDED)
    return None


def _fixed_target(case: Case) -> Finding:
    if not case.grounding.strays:
        return None
    elsewhere = any(t.how in NAMED and not _parts(t.entities, case.spec.target or "") for t in case.clause.targets)
    return case.refuse(Reason.UNGROUNDED) if elsewhere or not case.grounding.cued else None


def _parts(entities: Iterable[str], whole: str) -> bool:
    """Return True if all of these are signals of one device, which are named after it: `sensor.car_range` of a car."""
    return all(each.partition(".")[2].startswith(f"{whole.partition('.')[2]}_") for each in entities)


def _implied(case: Case) -> bool:
    """Return True if nothing is named, and the asker, everyone, or the only thing of a kind is meant."""
    arguments = [a for a in case.spec.arguments_of(Role.TARGET) if a.schema.get("x-implied")]
    if not arguments or case.stake.risk.rank > Risk.COST.rank or case.clause.targets:
        return False
    own = case.context.person_id
    if own is not None and case.targets == (own,):
        return names_asker(arguments[0].schema, case.clause.text, case.heard.language)
    kinds = arguments[0].implied_kinds
    all_of_them = {e.id for e in case.home.entities if not kinds.isdisjoint((e.domain, e.kind))}
    everyone = listed_words(arguments[0].schema, "x-everyone", case.heard.language)
    if word_hits(everyone, case.clause.text) and set(case.targets) == all_of_them:
        return True
    return len(all_of_them) == 1


def widened(case: Case) -> Finding:
    """Take several things only where the words say several: a place, a list, or "all"; "both" says two."""
    heard = case.grounding.target
    beyond = case.clause.both and len(case.targets) > PAIR
    if heard is None or len(case.targets) < PAIR or (case.clause.everything and not beyond):
        return None
    if not beyond and heard.how not in {How.KIND, How.FUZZY, How.ROOM}:
        return None
    options = tuple(e.name for e in case.entities)
    return case.ask(AskKind.CLARIFY, Reason.AMBIGUOUS_TARGET, argument=_target_name(case), options=options)


def sweeping(case: Case) -> Finding:
    """Ask before things of several kinds begin to run at once: "anything" is no list of what is wanted."""
    kinds = {e.domain for e in case.entities}
    if len(kinds) < 2 or len(case.targets) < _MANY or _BEGINNING.isdisjoint(case.spec.directions):
        return None
    return case.ask(AskKind.CONFIRM, Reason.NEEDS_CONFIRMATION, why="starts things of several kinds")


def rivals(case: Case) -> Finding:
    """Ask which one, where two things are equally near; a model that had more words to go by may choose a lamp."""
    heard = case.grounding.target
    if heard is None or case.clause.everything or heard.how in {How.ALL, How.PLACE}:
        return None
    near = [t for t in case.clause.targets if t is not heard and _is_rival(t, heard, case)]
    if not near:
        return None
    sure = max(case.evidence.p_args.values(), default=0.0)
    if case.stake.risk is Risk.COMFORT and case.grounding.leftover and sure >= _SURE_OF_ONE:
        return None
    options = (heard.label, *(t.label for t in near))
    return case.ask(AskKind.CLARIFY, Reason.AMBIGUOUS_TARGET, argument=_target_name(case), options=options)


def _is_rival(other: Target, chosen: Target, case: Case) -> bool:
    if other.span is None or chosen.span is None or not other.span.overlaps(chosen.span):
        return False
    if other.how in {How.PLACE, How.ALL} or chosen.score - other.score >= _RIVAL:
        return False
    if set(other.entities) & set(case.targets):
        return False
    kinds = {k for a in case.spec.arguments_of(Role.TARGET) for k in a.kinds}
    entities = [e for i in other.entities if (e := case.home.entity(i)) is not None]
    if case.writes:
        entities = [e for e in entities if e.domain not in _SHOWS_ONLY]
    return any(not kinds or not kinds.isdisjoint((e.domain, e.kind)) for e in entities)


def fuzzy(case: Case) -> Finding:
    """Ask "did you mean" where the words are only like a name."""
    heard = case.grounding.target
    if heard is None or heard.how is not How.FUZZY or heard.score >= case.rule.fuzzy_above:
        return None
    return case.ask(AskKind.CONFIRM, Reason.AMBIGUOUS_TARGET, options=(heard.label,))


def _target_name(case: Case) -> str | None:
    return next((a.name for a in case.spec.arguments_of(Role.TARGET)), None)
