"""Mood: what kind of sentence a clause is, from its marks and the order of its words."""

from collections.abc import Sequence

from botpsy_core.domain.heard import Mood
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.direction import directions_of, has_verb
from botpsy_core.hearing.reading import Segment, is_exception, is_particle, is_verb
from botpsy_core.hearing.senses import Sense

_SMALL = frozenset({Sense.FILLER, Sense.ARTICLE, Sense.SUBJECT, Sense.DOER, Sense.POLITE, Sense.AND, Sense.REFERENCE})
_ANSWERS = ((Sense.THANKS, Mood.THANKS), (Sense.DENIAL, Mood.DENIAL), (Sense.ASSENT, Mood.ASSENT))
_MARKED = ((Sense.REPORTED, Mood.REPORTED), (Sense.IF, Mood.CONDITIONAL), (Sense.NEGATION, Mood.NEGATED))
"""Marks that decide wherever they stand, strongest first."""
_SENTENCE_WIDE = frozenset({Mood.CONDITIONAL, Mood.REPORTED, Mood.QUESTION, Mood.EXPLANATION})
_KEPT = frozenset({Direction.ADD, Direction.REMOVE, Direction.SEND})
"""Ways whose words may be text, so that "later" in them is no time."""


def mood_of(segments: Sequence[Segment], *, pro_drop: bool) -> Mood:
    """Return the mood of one clause on its own."""
    said = [s for s in segments if not s.mark]
    answered = answer_of(said)
    if answered is Mood.ASSENT and _doubts(segments):
        answered = None
    if answered is None and _asks(said, Sense.EXPLAIN):
        return Mood.EXPLANATION
    if answered is None and _asks(said, Sense.ASK) and not _sets_a_time(segments, said):
        return Mood.QUESTION
    return answered or _told(segments, [s for n, s in enumerate(said) if not is_exception(said, n)], pro_drop=pro_drop)


def _told(segments: Sequence[Segment], said: Sequence[Segment], *, pro_drop: bool) -> Mood:
    """Return the mood of a clause that is no answer and holds no word that asks."""
    inverted = _inverted(segments)
    if inverted is not None:
        return inverted
    marked = next((mood for sense, mood in _MARKED if _first(said, sense) is not None), None)
    if marked is not None and not (marked is Mood.NEGATED and _first(said, Sense.NO_NEGATION) is not None):
        return marked
    if _denies(said):
        return Mood.NEGATED
    if _is_question(segments, said, pro_drop=pro_drop):
        return Mood.QUESTION
    if _first(said, Sense.LATER) is not None and not _KEPT & set(directions_of(said)):
        return Mood.CONDITIONAL
    commanded = _wishes(said) or (has_verb(said) and (not _tells(said) or _commands_later(segments)))
    told = _has_subject(segments) or _is_said_of_another(said)
    return Mood.COMMAND if commanded and not told else Mood.STATEMENT


def _inverted(segments: Sequence[Segment]) -> Mood | None:
    """Return the mood of "should it rain, close the windows", a condition without "if", and of "should it be on?"."""
    first = next((s for s in segments if not (s.mark or s.only({Sense.FILLER, Sense.AND, Sense.BUT}))), None)
    if first is None or not first.has(Sense.INVERTED):
        return None
    at = next((n for n, s in enumerate(segments) if s.mark), len(segments))
    rest = [s for s in segments[at + 1 :] if not s.mark]
    acts = has_verb(rest) or any(s.has(Sense.POLITE, Sense.PARTICLE_VERB) for s in rest)
    return Mood.CONDITIONAL if acts or not any(s.mark == "?" for s in segments) else Mood.QUESTION


def answer_of(said: Sequence[Segment]) -> Mood | None:
    """Return assent, denial or thanks where a clause is nothing more than that."""
    for sense, mood in _ANSWERS:
        if any(s.has(sense) for s in said) and all(
            s.has(*(a for a, _ in _ANSWERS)) or s.only(_SMALL) or s.has(Sense.FILLER, Sense.REFERENCE) for s in said
        ):
            return mood
    return None


def _doubts(segments: Sequence[Segment]) -> bool:
    """Return True for "sure?", "are you sure", "yes why": it holds a yes and asks one back."""
    said = [s for s in segments if not s.mark]
    asks = any(s.has(Sense.ASK, Sense.EXPLAIN, Sense.QUESTION) and not s.has(Sense.ASSENT) for s in said)
    return asks or said[0].has(Sense.COPULA) or any(s.mark == "?" for s in segments)


def hedges(segments: Sequence[Segment]) -> bool:
    """Return True for "maybe turn on ..."; in "could you maybe ..." the word is only polite."""
    return any(s.has(Sense.HEDGE) for s in segments) and not any(s.has(Sense.POLITE) for s in segments)


def spreads(mood: Mood) -> bool:
    """Return True if a mood holds for all that follows in its sentence."""
    return mood in _SENTENCE_WIDE


def _first(said: Sequence[Segment], sense: Sense) -> int | None:
    return next((n for n, s in enumerate(said) if s.has(sense)), None)


def _asks(said: Sequence[Segment], sense: Sense) -> bool:
    """Return True for a question word that no imperative and no report stands before."""
    at = _first(said, sense)
    if at is None:
        return False
    return not any(
        s.has(Sense.REPORTED) or (is_verb(said, n) and not s.has(Sense.ASK, Sense.EXPLAIN))
        for n, s in enumerate(said[:at])
    )


def _sets_a_time(segments: Sequence[Segment], said: Sequence[Segment]) -> bool:
    """Return True for "when it rains, close ...": a word that may ask, before a command of its own."""
    asking = _first(said, Sense.ASK)
    return asking is not None and said[asking].has(Sense.IF) and _commands_later(segments)


def _is_question(segments: Sequence[Segment], said: Sequence[Segment], *, pro_drop: bool) -> bool:
    polite = _first(said, Sense.POLITE) is not None and has_verb(said)
    if polite:
        return False
    if any(s.has(Sense.QUESTION) for s in said):
        return True
    marked = any(s.mark == "?" for s in segments)
    start = next((s for s in said if s.has(Sense.COPULA, Sense.SUBJECT) or not s.is_transparent), None)
    if start is not None and start.has(Sense.COPULA) and (marked or not _commands_later(segments)):
        return marked or not pro_drop or any(s.name or s.has(Sense.KIND, Sense.CONDITION) for s in said)
    first = next((n for n, s in enumerate(said) if not s.is_transparent), 0)
    return marked and not (said and (is_verb(said, first) or said[first].has(Sense.PARTICLE_VERB)))


def _commands_later(segments: Sequence[Segment]) -> bool:
    """Return True for "mir ist kalt, mach ...": a verb of command after a comma."""
    at = next((n for n, s in enumerate(segments) if s.mark), len(segments))
    rest = [s for s in segments[at + 1 :] if not s.mark]
    return has_verb(rest) and _first(rest, Sense.COPULA) is None


def _is_said_of_another(said: Sequence[Segment]) -> bool:
    """Return True for "der Fernseher schaltet aus": a form that commands only where it comes first."""
    first = next((s for s in said if s.has(Sense.THIRD) or not s.is_transparent), None)
    return first is not None and not first.has(Sense.THIRD) and any(s.has(Sense.THIRD) for s in said)


def _denies(said: Sequence[Segment]) -> bool:
    """Return True for a denial after a verb: "turn on no lights", "turn it on ... don't"; "no, the hall" corrects."""
    for n, s in enumerate(said):
        rest = [after for after in said[n + 1 :] if not after.is_transparent]
        ends = not rest or said[n + 1].may_name
        if s.has(Sense.DENIAL) and not s.has(Sense.NEGATION) and ends and has_verb(said[:n]):
            return True
    return False


def _wishes(said: Sequence[Segment]) -> bool:
    """Return True for "I want the door locked", "keep the door locked": how a thing shall be."""
    if not any(s.has(Sense.CONDITION) for s in said):
        return False
    first = next((s for s in said if s.has(Sense.POLITE) or not s.is_transparent), None)
    keeps = first is not None and first.has(Sense.PARTICLE_VERB) and not first.has(Sense.CONDITION)
    return keeps or any(s.has(Sense.POLITE) for s in said)


def _is_of_somebody(before: Sequence[Segment], after: Sequence[Segment]) -> bool:
    """Return True for "my kids like to turn on the light": before the verb stands who does it, after it the thing.

    What stands there alone may be the thing itself, and then nothing follows ("the disco ball turn on").
    """
    said = [s for s in before if not s.is_transparent]
    rest = [s for s in after if not (s.is_transparent or s.only({Sense.PARTICLE}))]
    somebody = len(said) > 1 and said[0].has(Sense.ARTICLE) and all(s.is_unknown for s in said[1:])
    return somebody and len(rest) > 1 and rest[0].has(Sense.ARTICLE, Sense.ALL) and rest[1].may_name


def _has_subject(segments: Sequence[Segment]) -> bool:
    """Return True if somebody else than the one who is spoken to does it ("he wants to turn on ...").

    Between a subject and its verb stand only small words; what is no part of the sentence ("I'm cold, turn on ...",
    "I am cold turn on ...") does not count. A subject with its auxiliary reaches to a verb at the end.
    """
    verbs = (
        n
        for n, s in enumerate(segments)
        if is_verb(segments, n) or is_particle(segments, n) or s.has(Sense.PARTICLE_VERB, Sense.VERB, Sense.CONDITION)
    )
    first = next((n for n in verbs if not segments[n].is_transparent and not segments[n].has(Sense.DOER)), None)
    if first is None:
        return False
    if _is_of_somebody(segments[:first], segments[first + 1 :]):
        return True
    for s in reversed(segments[:first]):
        if s.mark:
            return False
        if s.has(Sense.DOER):
            return True
        if not (s.is_transparent or s.has(Sense.COPULA, Sense.PARTICLE_VERB)) or s.has(Sense.NOUN):
            break
    return any(s.has(Sense.DOER) and s.last - s.first > 1 for s in segments[:first])


def _tells(said: Sequence[Segment]) -> bool:
    """Return True for "the light is on": a copula after the thing and no verb before it."""
    copula = _first(said, Sense.COPULA)
    return copula is not None and copula > 0 and not any(is_verb(said, n) for n in range(copula))
