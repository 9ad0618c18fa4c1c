"""The gate's rules about words: what kind of sentence it is, which act it wants, and what it says besides."""

from datetime import datetime

from botpsy_core.domain.context import Origin
from botpsy_core.domain.heard import TIMES, How, Mood
from botpsy_core.domain.plans import WHEN
from botpsy_core.domain.tools import OPPOSITES, Risk, Role
from botpsy_core.domain.verdicts import AskKind, Reason
from botpsy_core.safety.case import Case, Finding
from botpsy_core.safety.grounding import Agreement
from botpsy_core.safety.nearest import nearest_names
from botpsy_core.safety.topics import topics_in
from botpsy_core.safety.words import words

_NO_COMMAND = frozenset({Mood.CONDITIONAL, Mood.REPORTED, Mood.ASSENT, Mood.DENIAL, Mood.THANKS})
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
    if any(v.kind in TIMES or not valued for v in unused) and not case.only_schema:
        return case.refuse(Reason.NO_SUITABLE_TOOL)
    return None


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
