"""Mood: what kind of sentence a clause is, from its marks and the order of its words."""

from collections.abc import Sequence

from botpsy_core.domain.heard import Mood
from botpsy_core.hearing.direction import has_verb
from botpsy_core.hearing.reading import Segment, is_exception, is_verb
from botpsy_core.hearing.senses import Sense

_SMALL = frozenset({Sense.FILLER, Sense.ARTICLE, Sense.SUBJECT, Sense.POLITE, Sense.AND, Sense.REFERENCE})
_ANSWERS = ((Sense.THANKS, Mood.THANKS), (Sense.DENIAL, Mood.DENIAL), (Sense.ASSENT, Mood.ASSENT))
_MARKED = ((Sense.REPORTED, Mood.REPORTED), (Sense.IF, Mood.CONDITIONAL), (Sense.NEGATION, Mood.NEGATED))
"""Marks that decide wherever they stand, strongest first."""
_SENTENCE_WIDE = frozenset({Mood.CONDITIONAL, Mood.REPORTED, Mood.QUESTION})


def mood_of(segments: Sequence[Segment], *, pro_drop: bool) -> Mood:
    """Return the mood of one clause on its own."""
    said = [s for s in segments if not s.mark]
    if (answer := answer_of(said)) is not None:
        return answer
    if _asks(said):
        return Mood.QUESTION
    said = [s for n, s in enumerate(said) if not is_exception(said, n)]
    marked = next((mood for sense, mood in _MARKED if _first(said, sense) is not None), None)
    if marked is not None and not (marked is Mood.NEGATED and _first(said, Sense.NO_NEGATION) is not None):
        return marked
    if _is_question(segments, said, pro_drop=pro_drop):
        return Mood.QUESTION
    wished = any(s.has(Sense.POLITE) for s in said) and any(s.has(Sense.CONDITION) for s in said)
    return Mood.COMMAND if wished or (has_verb(said) and not _tells(said)) else Mood.STATEMENT


def answer_of(said: Sequence[Segment]) -> Mood | None:
    """Return assent, denial or thanks where a clause is nothing more than that."""
    for sense, mood in _ANSWERS:
        if any(s.has(sense) for s in said) and all(
            s.has(*(a for a, _ in _ANSWERS)) or s.only(_SMALL) or s.has(Sense.FILLER, Sense.REFERENCE) for s in said
        ):
            return mood
    return None


def spreads(mood: Mood) -> bool:
    """Return True if a mood holds for all that follows in its sentence."""
    return mood in _SENTENCE_WIDE


def _first(said: Sequence[Segment], sense: Sense) -> int | None:
    return next((n for n, s in enumerate(said) if s.has(sense)), None)


def _asks(said: Sequence[Segment]) -> bool:
    """Return True for a question word that no imperative and no report stands before."""
    at = _first(said, Sense.ASK)
    if at is None:
        return False
    return not any(
        s.has(Sense.REPORTED) or (is_verb(said, n) and not s.has(Sense.ASK)) for n, s in enumerate(said[:at])
    )


def _is_question(segments: Sequence[Segment], said: Sequence[Segment], *, pro_drop: bool) -> bool:
    polite = _first(said, Sense.POLITE) is not None and has_verb(said)
    if polite:
        return False
    if any(s.has(Sense.QUESTION) for s in said):
        return True
    marked = any(s.mark == "?" for s in segments)
    start = next((s for s in said if s.has(Sense.COPULA, Sense.SUBJECT) or not s.is_transparent), None)
    if start is not None and start.has(Sense.COPULA):
        return marked or not pro_drop or any(s.name or s.has(Sense.KIND, Sense.CONDITION) for s in said)
    first = next((n for n, s in enumerate(said) if not s.is_transparent), 0)
    return marked and not (said and (is_verb(said, first) or said[first].has(Sense.PARTICLE_VERB)))


def _tells(said: Sequence[Segment]) -> bool:
    """Return True for "the light is on": a copula after the thing and no verb before it."""
    copula = _first(said, Sense.COPULA)
    return copula is not None and copula > 0 and not any(is_verb(said, n) for n in range(copula))
