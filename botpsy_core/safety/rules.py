"""The gate's rules about words: each small, named, and with a reason code."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from botpsy_core.domain.context import Origin
from botpsy_core.domain.cues import cue_hits
from botpsy_core.domain.heard import How, Mood, ValueKind
from botpsy_core.domain.plans import WHEN
from botpsy_core.domain.tools import OPPOSITES, Argument, Direction, Risk, Role
from botpsy_core.domain.verdicts import Ask, AskKind, Reason, Refuse
from botpsy_core.safety.case import Case
from botpsy_core.safety.coverage import is_spoken_of
from botpsy_core.safety.grounding import Agreement, required
from botpsy_core.safety.nearest import nearest_names
from botpsy_core.safety.offending import offence_in
from botpsy_core.safety.topics import topics_in
from botpsy_core.safety.validity import range_of, valid
from botpsy_core.safety.words import words

type Finding = Refuse | Ask | None
type Rule = Callable[[Case], Finding]

_NO_COMMAND = frozenset({Mood.CONDITIONAL, Mood.REPORTED, Mood.ASSENT, Mood.DENIAL, Mood.THANKS})
_ADDRESS = re.compile(r"\+?\d[\d\s()/.-]{3,}\d|\S@\S|https?://")
"""A telephone number, an e-mail address or a link."""
_TIMES = frozenset({ValueKind.TIME, ValueKind.TIME_RANGE, ValueKind.DURATION})
_MEANT_NUMBER = 0.95
"""The model's probability of a number that was not said, from which it is taken to be meant."""
NAMED = frozenset({How.NAME, How.ALIAS, How.KIND_IN_PLACE, How.ALL})


def mood(case: Case) -> Finding:
    """Let only a command, or a statement that implies one, change anything; "the light is on" tells of an act."""
    match case.clause.mood:
        case Mood.NEGATED:
            return case.refuse(Reason.NEGATED)
        case Mood.QUESTION | Mood.EXPLANATION:
            return case.refuse(Reason.QUESTION)
        case said if said in _NO_COMMAND:
            return case.refuse(Reason.NOT_A_COMMAND)
        case Mood.STATEMENT if case.clause.directions or case.stake.risk.rank > Risk.COST.rank:
            return case.refuse(Reason.NOT_A_COMMAND)
        case _:
            return None


def hedged(case: Case) -> Finding:
    """Ask where it was left open whether the act is wanted: "maybe turn on the lamp"."""
    return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED) if case.clause.hedged else None


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
    """Never do the opposite of what was said, nor one of two opposites."""
    ways = case.spec.directions
    both = any(OPPOSITES.get(way) in case.clause.directions for way in ways if way in case.clause.directions)
    two_ways = any(OPPOSITES.get(way) in ways for way in ways)
    if case.grounding.direction is Agreement.OPPOSITE or (both and not two_ways):
        return case.refuse(Reason.OPPOSITE)
    return None


def missing(case: Case) -> Finding:
    """Ask for what the tool needs and nobody said."""
    for argument in required(case.spec, case.call):
        options = _choices(case, argument.name)
        if argument.role is Role.TARGET and not options and _is_out_of_bounds(case):
            return case.refuse(Reason.NOT_EXPOSED)
        which = argument.role is Role.TARGET and len(options) > 1
        return case.ask(
            AskKind.CLARIFY,
            Reason.AMBIGUOUS_TARGET if which else Reason.MISSING_ARGUMENT,
            argument=argument.name,
            options=options,
            range=range_of(argument),
        )
    return None


def _is_out_of_bounds(case: Case) -> bool:
    """Return True if what was named is none of the things that this turn may touch."""
    allowed = case.context.entities
    return allowed is not None and any(allowed.isdisjoint(t.entities) for t in case.clause.targets)


def wrong(case: Case) -> Finding:
    """Ask again for a value that the tool cannot take, with its range; refuse an argument that it does not have."""
    unknown = next((name for name in case.call.args if case.spec.argument(name) is None), None)
    if unknown is not None:
        return case.refuse(Reason.WRONG_ARGUMENT, argument=unknown)
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


def misfit(case: Case) -> Finding:
    """Ask again where the words give a foreign tool's argument a value that it cannot take."""
    offence = offence_in(case.spec, case.call, case.heard) if case.only_schema else None
    if offence is None:
        return None
    argument = offence.argument
    return case.ask(
        AskKind.CLARIFY,
        Reason.WRONG_ARGUMENT,
        argument=argument.name,
        value=offence.said,
        range=range_of(argument),
    )


def invented(case: Case) -> Finding:
    """Ask for a needed value that stands nowhere in the words; refuse one that nobody needed.

    The one option that the words leave may be meant without being said, where a lamp or an answer is all that hangs on
    it; so may a number of which the model is certain ("a full deck"), where it only reads.
    """
    for name in case.grounding.ungrounded:
        argument = case.spec.argument(name)
        if argument is None:
            return case.refuse(Reason.WRONG_ARGUMENT, argument=name)
        if argument.required and _is_meant(case, argument):
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


def _is_meant(case: Case, argument: Argument) -> bool:
    sure = case.evidence.p_args.get(argument.name)
    if argument.role is Role.OPTION or "enum" in argument.schema:
        return case.stake.risk.rank <= Risk.COMFORT.rank and sure is None
    number = argument.role is Role.NUMBER and case.stake.risk is Risk.READ
    return number and sure is not None and sure >= _MEANT_NUMBER


def act(case: Case) -> Finding:
    """Want the act itself in the words, by its direction or the tool's own words; more so, the worse it is."""
    grounding = case.grounding
    said = grounding.cued or grounding.direction is Agreement.SAID
    if said or case.evidence.by_code or (case.only_schema and not case.spec.directions):
        return None
    elsewhere = grounding.direction is Agreement.OTHER and not case.only_schema
    if elsewhere or case.stake.risk.rank > Risk.COST.rank or not (case.targets or case.only_schema):
        return case.refuse(Reason.NO_SUITABLE_TOOL)
    if (_is_bare_name(case) or _is_impersonal(case)) and not case.only_schema:
        return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED)
    return None


def _is_impersonal(case: Case) -> bool:
    """Return True for a statement about "it" and no complaint: "it's cold" tells nothing of the last lamp."""
    target = case.grounding.target
    stated = case.clause.mood is Mood.STATEMENT and case.clause.complaint is None
    return stated and target is not None and target.how is How.REFERENCE


def _is_bare_name(case: Case) -> bool:
    """Return True if the words are a thing's name and nothing else, an article or a "please" aside."""
    spans = [t.span for t in case.clause.targets if t.span is not None]
    if case.clause.mood is not Mood.STATEMENT or not spans or case.grounding.spans:
        return False
    named = sum(len(words(case.heard.text[span.start : span.end])) for span in spans)
    return len(words(case.clause.text)) - named <= 1


def leftover(case: Case) -> Finding:
    """Refuse where the words speak of more than this call can be about; ask where thing and act were both said.

    Where no thing was named at all, every word counts: "email" and "boss" are no part of a message to the phone. So it
    does in a statement, where the act itself is no word either: "system: the PIN was entered" is not about sprinklers.
    """
    grounding = case.grounding
    if not grounding.leftover or case.only_schema:
        return None
    act_said = grounding.cued or grounding.direction is Agreement.SAID
    implied = case.clause.mood is Mood.STATEMENT and not act_said
    figures = any(letter.isdigit() for word in grounding.leftover for letter in word)  # half of a number was read
    few = len(grounding.leftover) <= (0 if implied or figures else case.rule.leftover)
    if grounding.target is None:
        return None if few and case.spec.target is not None else case.refuse(Reason.NO_SUITABLE_TOOL)
    if few:
        return None
    complained = case.clause.complaint is not None and len(grounding.leftover) <= case.rule.leftover
    if complained or (act_said and grounding.target.how in NAMED):  # "it's too dark to read"
        return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED)
    return case.refuse(Reason.NO_SUITABLE_TOOL)


def left_out(case: Case) -> Finding:
    """Do nothing now that was wanted at another time or for a while only, nor without the value that was said."""
    unused = case.grounding.unused
    valued = any(a.name in case.call.args for a in case.spec.arguments if a.role is not Role.TARGET)
    if any(v.kind in _TIMES or not valued for v in unused) and not case.only_schema:
        return case.refuse(Reason.NO_SUITABLE_TOOL)
    return None


def stranger(case: Case) -> Finding:
    """Never let words for somebody who was named by a number or an address go to somebody else instead."""
    if Direction.SEND not in case.spec.directions:
        return None
    for argument in case.spec.arguments_of(Role.TEXT):
        text = case.call.args.get(argument.name)
        if isinstance(text, str) and _is_addressed(case, argument, text):
            return case.refuse(Reason.NO_SUITABLE_TOOL)
    return None


def _is_addressed(case: Case, argument: Argument, text: str) -> bool:
    """Return True if an address stands where a recipient would: before a word like "that", or where no such word is."""
    markers = argument.schema.get("x-after")
    listed = markers.get(case.heard.language) if isinstance(markers, Mapping) else None
    after = tuple(str(word) for word in listed) if isinstance(listed, list | tuple) else ()
    if not after:
        return False
    hits = cue_hits({"en": [after]}, text, "en")[0]
    span = case.grounding.spans.get(argument.name)
    before = _timeless(case)[: span.start].rstrip().lower() if span is not None else ""
    heads = [text[: hit.start] for hit in hits]
    if not before.endswith(after[0]) and case.grounding.target is None:  # "that" stands first; "message" proves nothing
        heads.append(text)
    if case.grounding.target is None:  # nobody of the home was named, so a number before the text is whom it is for
        heads.append(before)
    return any(_ADDRESS.search(head) for head in heads)


def _timeless(case: Case) -> str:
    """Return what was said with its times blanked, so that "at 19.30" is no telephone number."""
    text = case.heard.text
    for value in (v for clause in case.heard.clauses for v in clause.values if v.kind in _TIMES):
        start, end = value.span.start, value.span.end
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def put_off(case: Case) -> Finding:
    """Let only what is harmless wait for later, and at one time; where the words leave two, ask."""
    if not case.at:
        return None
    allowed = case.policy.origins[Origin.DELAYED].max_risk
    if not case.spec.delayable or case.stake.risk.rank > allowed.rank:
        return case.refuse(Reason.NOT_LATER)
    options = tuple(choice.label for choice in case.offered.at) if case.offered is not None else ()
    if len(case.at) > 1:
        return case.ask(AskKind.CLARIFY, Reason.MISSING_ARGUMENT, argument=WHEN, options=options)
    if "T" not in case.at[0] or datetime.fromisoformat(case.at[0]) <= case.context.now:
        return case.ask(AskKind.CLARIFY, Reason.MISSING_ARGUMENT, argument=WHEN)
    return None


def taint(case: Case) -> Finding:
    """After somebody else's text entered the turn, want tool and target in the user's own words."""
    if not case.evidence.tainted:
        return None
    grounding = case.grounding
    act_said = grounding.cued or grounding.direction is Agreement.SAID
    if case.only_schema:
        act_said = is_spoken_of(case.spec, case.heard)
    thing_said = not case.targets or (grounding.target is not None and not grounding.strays)
    if act_said and thing_said and not grounding.ungrounded:
        return None
    return case.refuse(Reason.TAINTED)


def certain(case: Case) -> Finding:
    """Weigh everything that is known: far too little refuses, a little too little asks.

    A foreign read that code made is no guess to be weighed: a lookup for the call that was asked for.
    """
    if case.only_schema and case.evidence.by_code and not case.writes:
        return None
    if case.certainty < case.rule.refuse_below:
        return None if _is_only_incomplete(case) else case.refuse(Reason.NO_SUITABLE_TOOL)
    if case.certainty < case.rule.ask_below:
        return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED)
    return None


def _is_only_incomplete(case: Case) -> bool:
    """Return True for a foreign tool that was meant and of which a value is asked for: nothing happens before that."""
    if not case.only_schema or case.relevance < case.rule.refuse_below:
        return False
    return any(isinstance(rule(case), Ask) for rule in (misfit, invented, missing, wrong))


def _choices(case: Case, argument: str) -> tuple[str, ...]:
    if case.offered is None:
        return ()
    return tuple(c.label for s in case.offered.slots if s.argument.name == argument for c in s.choices)[:6]
