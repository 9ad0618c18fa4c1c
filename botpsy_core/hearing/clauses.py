"""Clauses: several commands in one sentence taken apart; text that the user dictates stays whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.direction import has_verb
from botpsy_core.hearing.index import Bits
from botpsy_core.hearing.lexicon import Meaning, Sense
from botpsy_core.hearing.likeness import alike
from botpsy_core.hearing.reading import Reading, Segment, is_particle, is_verb, neighbours

_ENDS = frozenset(".!?;\u3002\u0964")
_COMMAS = frozenset(",\u3001")
_HOLDERS = frozenset({"todo", "calendar"})


@dataclass(frozen=True, slots=True)
class Part:
    """The segments of one clause, and how it hangs on the one before."""

    segments: tuple[Segment, ...]
    joined: bool
    """True if it goes on in the same sentence after "and" or a comma."""
    text: tuple[int, int] | None
    """Tokens of dictated text: from, to (exclusive); None where nothing is dictated."""


def split(reading: Reading) -> tuple[Part, ...]:
    """Take a reading apart into clauses."""
    parts: list[Part] = []
    current: list[Segment] = []
    joined = False
    segments = reading.segments
    for at, here in enumerate(segments):
        cut = bool(current) and _cuts(segments, at, current, reading)
        if not cut:
            current.append(here)
            continue
        ends = here.mark in _ENDS
        if ends:
            current.append(here)
        parts.append(Part(tuple(current), joined, dictated(current, reading)))
        current = [] if ends or here.mark or here.has(Sense.AND, Sense.THEN, Sense.BUT, Sense.RETRACT) else [here]
        joined = not ends and not here.has(Sense.THEN, Sense.RETRACT)
    if current:
        parts.append(Part(tuple(current), joined, dictated(current, reading)))
    return tuple(p for p in parts if any(not s.mark for s in p.segments))


def _cuts(segments: Sequence[Segment], at: int, current: Sequence[Segment], reading: Reading) -> bool:
    here, rest = segments[at], segments[at + 1 :]
    if here.mark in _ENDS:
        return True
    if here.has(Sense.RETRACT):
        return True
    joins = here.has(Sense.AND, Sense.BUT, Sense.THEN) or here.mark in _COMMAS
    if not joins or is_particle(segments, at) or _text_is_open(current, reading):
        return False
    while rest and (rest[0].has(Sense.AND, Sense.THEN) or rest[0].mark in _COMMAS):
        rest = rest[1:]
    if _begins_with_verb(rest):
        return not here.mark or _complete(current, reading)
    if here.mark and all(s.has(Sense.DENIAL) or s.is_transparent for s in current):
        return True
    excepted = any(s.has(Sense.EXCEPT) for s in current)
    return not excepted and _complete(current, reading) and _begins_with_thing(rest, reading)


def _begins_with_verb(rest: Sequence[Segment]) -> bool:
    first = next((n for n, s in enumerate(rest) if not s.is_transparent or s.has(Sense.POLITE)), None)
    if first is None:
        return False
    return is_verb(rest, first) or rest[first].has(Sense.PARTICLE_VERB, Sense.POLITE, Sense.NEGATION, Sense.DENIAL)


def _begins_with_thing(rest: Sequence[Segment], reading: Reading) -> bool:
    first = next((s for s in rest if not s.is_transparent and not s.has(Sense.ARTICLE, Sense.ALL, Sense.LINK)), None)
    return first is not None and _is_of_home(first, reading)


def _is_of_home(here: Segment, reading: Reading) -> bool:
    if here.name or here.has(Sense.KIND, Sense.PLACE, Sense.FLOOR):
        return True
    return here.is_unknown and bool(alike(reading.tokens[here.first].word, reading.index, reading.lexicon))


def _complete(current: Sequence[Segment], reading: Reading) -> bool:
    """Return True if what was said so far names a thing of the home."""
    return any(_is_of_home(s, reading) for s in current)


def _text_is_open(current: Sequence[Segment], reading: Reading) -> bool:
    opener = next((n for n, s in enumerate(current) if s.has(Sense.TEXT)), None)
    return opener is not None and not (_is_addition(current[opener]) and _holder(current, opener, reading) is not None)


def _is_addition(opener: Segment) -> bool:
    said = {m.value for m in opener.meanings if m.sense is Sense.DIRECTION}
    return Direction.ADD in said and Direction.SEND not in said


def _holder(current: Sequence[Segment], opener: int, reading: Reading) -> int | None:
    """Return the number of the last segment that names a list or a calendar, or None."""
    return next((n for n in range(len(current) - 1, opener, -1) if _holds_text(current[n], reading)), None)


def _holds_text(here: Segment, reading: Reading) -> bool:
    if here.name:
        bits = reading.index.exact.get(reading.words(here), 0)
        return any(reading.index.entities[n].domain in _HOLDERS for n in reading.index.members(bits))
    return any(m.sense is Sense.KIND and reading.lexicon.kinds[m.value] & _HOLDERS for m in here.meanings)


def dictated(current: Sequence[Segment], reading: Reading) -> tuple[int, int] | None:
    """Return the tokens that are text to be written or sent, or None."""
    opener = next((n for n, s in enumerate(current) if s.has(Sense.TEXT)), None)
    if opener is None:
        return None
    stop = current[-1].last
    if _is_addition(current[opener]) and (holder := _holder(current, opener, reading)) is not None:
        while holder > opener + 1 and current[holder - 1].may_name:
            holder -= 1
        stop = current[holder].first
    return current[opener].last, stop


def verbless(part: Part) -> bool:
    """Return True if a clause leaves its verb to another."""
    return not has_verb(part.segments)


__all__ = ["Bits", "Meaning", "Part", "dictated", "neighbours", "split", "verbless"]
