"""Clauses: several commands in one sentence taken apart; text that the user dictates stays whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.hearing.direction import SWITCHING, directions_of
from botpsy_core.hearing.exceptions import leads
from botpsy_core.hearing.likeness import alike
from botpsy_core.hearing.reading import COMMAS, SENTENCE_ENDS, Reading, Segment, is_exception, is_particle, is_verb
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.texts import Written, is_open, written_in
from botpsy_core.hearing.tokens import is_unspaced

_AHEAD = 48
"""Segments that are looked at to see whether a clause begins."""


@dataclass(frozen=True, slots=True)
class Part:
    """The segments of one clause, and how it hangs on the one before."""

    segments: tuple[Segment, ...]
    joined: bool
    """True if it goes on in the same sentence after "and" or a comma."""
    written: Written
    """What of it is dictated text."""
    but: bool = False
    """True if it begins after "but"."""

    @property
    def told(self) -> tuple[Segment, ...]:
        """Return the segments outside the text."""
        return tuple(s for s in self.segments if s.first not in self.written.tokens)


def split(reading: Reading) -> tuple[Part, ...]:
    """Take a reading apart into clauses."""
    parts: list[Part] = []
    current: list[Segment] = []
    joined = but = False
    segments = reading.segments
    for at, here in enumerate(segments):
        cut = bool(current) and _cuts(segments, at, current, reading)
        if not cut:
            current.append(here)
            continue
        ends = here.mark in SENTENCE_ENDS
        if ends:
            current.append(here)
        parts.append(Part(tuple(current), joined, written_in(current, reading), but))
        current = [] if ends or here.mark or here.has(Sense.AND, Sense.THEN, Sense.BUT) else [here]
        but = here.has(Sense.BUT)
        joined = not ends and not here.has(Sense.THEN, Sense.RETRACT)
    if current:
        parts.append(Part(tuple(current), joined, written_in(current, reading), but))
    return tuple(p for p in parts if any(not s.mark for s in p.segments))


def _cuts(segments: Sequence[Segment], at: int, current: Sequence[Segment], reading: Reading) -> bool:
    """Return True if a new clause begins at a segment, or after it."""
    here, rest = segments[at], segments[at + 1 : at + 1 + _AHEAD]
    if reading.is_quoted(here):
        return False
    if here.mark in SENTENCE_ENDS or here.has(Sense.RETRACT):
        return True
    joins = here.has(Sense.AND, Sense.BUT, Sense.THEN) or here.mark in COMMAS
    if not joins or is_particle(segments, at) or is_open(current, rest, reading):
        return False
    while rest and (rest[0].has(Sense.AND, Sense.THEN) or rest[0].mark in COMMAS):
        rest = rest[1:]
    if _excepts(current, rest) or (here.mark and leads(current)):
        return False
    if begins_with_verb(rest):
        return not here.mark or _complete(current, reading)
    denied = bool(here.mark) and all(s.has(Sense.DENIAL) or s.is_transparent for s in current)
    told = _tells_fact(rest) and _complete(current, reading) and _switches(current)
    return denied or told or _lists(current, rest, reading, comma=bool(here.mark))


def _excepts(current: Sequence[Segment], rest: Sequence[Segment]) -> bool:
    """Return True if what comes next only takes something out of what was named ("but not the hall")."""
    said = _sentence(rest)
    first = next((n for n, s in enumerate(said) if not (s.is_transparent or s.is_unknown)), None)
    return first is not None and is_exception((*current, *said), len(current) + first)


def _sentence(rest: Sequence[Segment]) -> Sequence[Segment]:
    return rest[: next((n for n, s in enumerate(rest) if s.mark in SENTENCE_ENDS), len(rest))]


def _lists(current: Sequence[Segment], rest: Sequence[Segment], reading: Reading, *, comma: bool) -> bool:
    """Return True if a second thing follows a first one."""
    if any(is_exception((*current, *rest), n) for n in range(len(current))) or not _complete(current, reading):
        return False
    return _begins_with_thing(rest, reading) or (not comma and _switches(current) and _begins_unknown(rest))


def begins_with_verb(rest: Sequence[Segment]) -> bool:
    """Return True if segments start with what to do."""
    first = next((n for n, s in enumerate(rest) if not s.is_transparent or s.has(Sense.POLITE)), None)
    if first is None:
        return False
    return is_verb(rest, first) or rest[first].has(Sense.PARTICLE_VERB, Sense.POLITE, Sense.NEGATION, Sense.DENIAL)


def _begins_with_thing(rest: Sequence[Segment], reading: Reading) -> bool:
    first = next((s for s in rest if not s.is_transparent and not s.has(Sense.ARTICLE, Sense.ALL, Sense.LINK)), None)
    return first is not None and _is_of_home(first, reading)


def _begins_unknown(rest: Sequence[Segment]) -> bool:
    """Return True for "... and the disco ball": a second thing, though this home has none such."""
    first = next((s for s in rest if not s.is_transparent and not s.has(Sense.ARTICLE, Sense.ALL)), None)
    return first is not None and first.is_unknown


def stands_alone(segments: Sequence[Segment]) -> bool:
    """Return True for words that say by themselves what they are about, and take nothing from their neighbours."""
    return _acts_itself(segments) or _tells_fact([s for s in segments if not s.mark])


def _acts_itself(segments: Sequence[Segment]) -> bool:
    """Return True for "order a pizza": an unknown word before an article is a verb of its own."""
    said = [s for s in segments if not s.mark and not s.is_transparent and not s.has(Sense.AND, Sense.THEN, Sense.BUT)]
    return len(said) > 1 and said[0].is_unknown and said[1].has(Sense.ARTICLE, Sense.ALL)


def _tells_fact(rest: Sequence[Segment]) -> bool:
    """Return True for "the code is 12": a copula before any mark, and no verb."""
    said = rest[: next((n for n, s in enumerate(rest) if s.mark), len(rest))]
    copula = next((n for n, s in enumerate(said) if s.has(Sense.COPULA)), 0)
    acts = any(is_verb(said, n) or is_particle(said, n) or s.has(Sense.PARTICLE_VERB) for n, s in enumerate(said))
    return copula > 0 and not acts and any(s.value for s in said[copula:])


def _switches(current: Sequence[Segment]) -> bool:
    return bool(SWITCHING & set(directions_of(current)))


def _is_of_home(here: Segment, reading: Reading) -> bool:
    if here.name or here.has(Sense.KIND, Sense.PLACE, Sense.FLOOR):
        return True
    word = reading.tokens[here.first].word
    if is_unspaced(word):
        return here.is_unknown and any(unit[0] == word for unit in reading.index.units)
    return here.is_unknown and bool(alike(word, reading.index, reading.lexicon))


def _complete(current: Sequence[Segment], reading: Reading) -> bool:
    """Return True if what was said so far names a thing of the home."""
    return any(_is_of_home(s, reading) for s in current)
