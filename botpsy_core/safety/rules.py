"""The gate's rules about words: each small, named, and with a reason code."""

from collections.abc import Callable, Iterable

from botpsy_core.domain.heard import How, Mood, Target
from botpsy_core.domain.tools import Risk, Role
from botpsy_core.domain.verdicts import Ask, AskKind, Reason, Refuse
from botpsy_core.safety.case import Case
from botpsy_core.safety.grounding import Agreement, required
from botpsy_core.safety.nearest import nearest_names
from botpsy_core.safety.topics import topics_in
from botpsy_core.safety.validity import range_of, valid

type Finding = Refuse | Ask | None
type Rule = Callable[[Case], Finding]

_NO_COMMAND = frozenset({Mood.CONDITIONAL, Mood.REPORTED, Mood.ASSENT, Mood.DENIAL, Mood.THANKS})
_NAMED = frozenset({How.NAME, How.ALIAS, How.KIND_IN_PLACE, How.ALL})
_SURE_OF_ONE = 0.9
"""The model's probability of its target, from which it may choose between two that are equally near."""
_SHOWS_ONLY = frozenset(
    {"binary_sensor", "device_tracker", "event", "image", "person", "sensor", "sun", "weather", "zone"}
)
"""Domains whose things show something and cannot be acted on."""
_RIVAL = 0.08
"""Two targets whose likeness differs by less are equally near."""


def mood(case: Case) -> Finding:
    """Let only a command, or a statement that implies one, change anything."""
    match case.clause.mood:
        case Mood.NEGATED:
            return case.refuse(Reason.NEGATED)
        case Mood.QUESTION:
            return case.refuse(Reason.QUESTION)
        case said if said in _NO_COMMAND:
            return case.refuse(Reason.NOT_A_COMMAND)
        case Mood.STATEMENT if case.stake.risk.rank > Risk.COST.rank:
            return case.refuse(Reason.NOT_A_COMMAND)
        case _:
            return None


def topic(case: Case) -> Finding:
    """Keep money, health and personal data out, unless the owner lifted it for this tool; then it is confirmed."""
    named = [t.span for t in case.clause.targets if t.span is not None]
    found = topics_in(case.clause, case.heard, case.policy, outside=(*case.grounding.spans.values(), *named))
    if not found:
        return None
    if found <= case.policy.lifted.get(case.spec.name, frozenset()):
        return case.ask(AskKind.CONFIRM, Reason.NEEDS_CONFIRMATION)
    return case.refuse(Reason.EXCLUDED_TOPIC, topic=min(found))


def absent(case: Case) -> Finding:
    """Name what was said and does not exist, with what does."""
    if not case.grounding.absent or case.only_schema:
        return None
    name = case.grounding.absent[0]
    kinds = {k for a in case.spec.arguments_of(Role.TARGET) for k in a.kinds}
    return case.refuse(Reason.ABSENT_DEVICE, name=name, nearest=", ".join(nearest_names(name, case.home, kinds=kinds)))


def opposite(case: Case) -> Finding:
    """Never do the opposite of what was said."""
    if case.grounding.direction is Agreement.OPPOSITE:
        return case.refuse(Reason.OPPOSITE)
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


def read_target(case: Case) -> Finding:
    """Read only what the words, the room or the talk so far name."""
    if case.grounding.strays and case.spec.target is None and not _implied(case):
        return case.refuse(Reason.UNGROUNDED)
    return None


def _fixed_target(case: Case) -> Finding:
    if not case.grounding.strays:
        return None
    elsewhere = any(t.how in _NAMED and not _parts(t.entities, case.spec.target or "") for t in case.clause.targets)
    return case.refuse(Reason.UNGROUNDED) if elsewhere or not case.grounding.cued else None


def _parts(entities: Iterable[str], whole: str) -> bool:
    """Return True if all of these are signals of one device, which are named after it: `sensor.car_range` of a car."""
    return all(each.partition(".")[2].startswith(f"{whole.partition('.')[2]}_") for each in entities)


def _implied(case: Case) -> bool:
    """Return True if the tool itself says the kind, the home has one thing of it, and no other thing was named."""
    arguments = [a for a in case.spec.arguments_of(Role.TARGET) if a.schema.get("x-implied")]
    if not arguments or case.stake.risk.rank > Risk.COST.rank or case.clause.targets:
        return False
    kinds = arguments[0].kinds
    return sum(not kinds.isdisjoint((e.domain, e.kind)) for e in case.home.entities) == 1


def widened(case: Case) -> Finding:
    """Take several things only where the words say several: a place, a list, or "all"."""
    heard = case.grounding.target
    if heard is None or len(case.targets) < 2 or case.clause.everything:
        return None
    if heard.how not in {How.KIND, How.FUZZY, How.ROOM}:
        return None
    options = tuple(e.name for e in case.entities)
    return case.ask(AskKind.CLARIFY, Reason.AMBIGUOUS_TARGET, argument=_target_name(case), options=options)


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


def missing(case: Case) -> Finding:
    """Ask for what the tool needs and nobody said."""
    for argument in required(case.spec, case.call):
        options = _choices(case, argument.name)
        which = argument.role is Role.TARGET and len(options) > 1
        return case.ask(
            AskKind.CLARIFY,
            Reason.AMBIGUOUS_TARGET if which else Reason.MISSING_ARGUMENT,
            argument=argument.name,
            options=options,
            range=range_of(argument),
        )
    return None


def wrong(case: Case) -> Finding:
    """Ask again for a value that the tool cannot take, with its range."""
    for argument in case.spec.arguments:
        value = case.call.args.get(argument.name)
        if value is not None and not valid(argument, value):
            return case.ask(
                AskKind.CLARIFY,
                Reason.WRONG_ARGUMENT,
                argument=argument.name,
                value=str(value),
                range=range_of(argument),
            )
    return None


def invented(case: Case) -> Finding:
    """Ask for a needed value that stands nowhere in the words; refuse one that nobody needed."""
    for name in case.grounding.ungrounded:
        argument = case.spec.argument(name)
        if argument is None:
            return case.refuse(Reason.WRONG_ARGUMENT, argument=name)
        if argument.role is Role.OPTION and argument.required and case.stake.risk is Risk.COMFORT:
            continue
        if argument.required:
            return case.ask(
                AskKind.CLARIFY,
                Reason.MISSING_ARGUMENT,
                argument=name,
                options=_choices(case, name),
                range=range_of(argument),
            )
        return case.refuse(Reason.UNGROUNDED, argument=name)
    return None


def act(case: Case) -> Finding:
    """Want the act itself in the words: its direction or the tool's own words; more so, the worse it is."""
    grounding = case.grounding
    said = grounding.cued or grounding.direction is Agreement.SAID
    if said or case.evidence.by_code or case.only_schema:
        return None
    if case.stake.risk.rank > Risk.COST.rank or not case.targets:
        return case.refuse(Reason.NO_SUITABLE_TOOL)
    return None


def leftover(case: Case) -> Finding:
    """Refuse where the words speak of more than this call can be about; ask where thing and act were both said.

    Where no thing was named at all, every word counts: "email" and "boss" are no part of a message to the phone.
    """
    grounding = case.grounding
    if not grounding.leftover or case.only_schema:
        return None
    few = len(grounding.leftover) <= case.rule.leftover
    if grounding.target is None:
        return None if few and case.spec.target is not None else case.refuse(Reason.NO_SUITABLE_TOOL)
    if few:
        return None
    act_said = grounding.cued or grounding.direction is Agreement.SAID
    if act_said and grounding.target.how in _NAMED:
        return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED)
    return case.refuse(Reason.NO_SUITABLE_TOOL)


def taint(case: Case) -> Finding:
    """After somebody else's text entered the turn, want tool and target in the user's own words."""
    if not case.evidence.tainted:
        return None
    grounding = case.grounding
    act_said = grounding.cued or grounding.direction is Agreement.SAID
    thing_said = not case.targets or (grounding.target is not None and not grounding.strays)
    if act_said and thing_said and not grounding.ungrounded:
        return None
    return case.refuse(Reason.TAINTED)


def certain(case: Case) -> Finding:
    """Weigh everything that is known: far too little refuses, a little too little asks."""
    if case.certainty < case.rule.refuse_below:
        return case.refuse(Reason.NO_SUITABLE_TOOL)
    if case.certainty < case.rule.ask_below:
        return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED)
    return None


def _target_name(case: Case) -> str | None:
    return next((a.name for a in case.spec.arguments_of(Role.TARGET)), None)


def _choices(case: Case, argument: str) -> tuple[str, ...]:
    if case.offered is None:
        return ()
    return tuple(c.label for s in case.offered.slots if s.argument.name == argument for c in s.choices)[:6]
