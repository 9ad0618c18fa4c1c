"""Text: the words of a clause that the user dictates; nothing in them is a command or a target."""

from collections.abc import Iterable, Sequence

from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.reading import SENTENCE_ENDS, Reading, Segment, is_verb
from botpsy_core.hearing.senses import Sense

HOLDERS = frozenset({"todo", "calendar"})
"""Domains of things that keep texts."""
_KEEPING = frozenset({Direction.ADD, Direction.REMOVE})


def is_open(current: Sequence[Segment], rest: Sequence[Segment], reading: Reading) -> bool:
    """Return True if what comes next may still belong to a text that was begun."""
    opener = _opener(current)
    if opener is None:
        return False
    if not _keeps(current[opener]):
        return True
    if _holder(current, reading) is not None:
        return False
    stop = next((n for n, s in enumerate(rest) if s.mark in SENTENCE_ENDS), len(rest))
    ahead = _holder(rest[:stop], reading)
    if ahead is None:
        return current[opener].has(Sense.TEXT)
    begun_anew = next((n for n in range(ahead) if is_verb(rest, n) and _keeps(rest[n])), None)
    return begun_anew is None


def dictated(current: Sequence[Segment], reading: Reading) -> frozenset[int]:
    """Return the tokens of a clause that are text to be written, sent or looked up in a list."""
    opener = _opener(current)
    if opener is None:
        return frozenset()
    if _keeps(current[opener]):
        held = _holder(current, reading)
        if held is not None:
            inside = {*range(_chunk_start(current, held), held + 1), opener}
            return _tokens(s for n, s in enumerate(current) if n not in inside)
    if not current[opener].has(Sense.TEXT, Sense.THAT):
        return frozenset()
    that = next((n for n in range(opener + 1, len(current)) if current[n].has(Sense.THAT)), opener)
    begin = opener if any(is_verb(current, n) for n in range(opener + 1, that)) else that
    return _tokens(current[begin + 1 :])


def holds_text(segments: Sequence[Segment], reading: Reading) -> bool:
    """Return True if segments name a list or a calendar."""
    return _holder(segments, reading) is not None


def _opener(current: Sequence[Segment]) -> int | None:
    """Return the number of the segment that begins a text, or may begin one."""
    for n, here in enumerate(current):
        if here.has(Sense.TEXT) or (is_verb(current, n) and _keeps(here)):
            return n
    sends = any(is_verb(current, n) and Direction.SEND in _said(s) for n, s in enumerate(current))
    return next((n for n, s in enumerate(current) if s.has(Sense.THAT)), None) if sends else None


def _said(here: Segment) -> set[str]:
    return {m.value for m in here.meanings if m.sense is Sense.DIRECTION}


def _keeps(here: Segment) -> bool:
    """Return True for a verb of adding or removing, which ends with the list that it names."""
    said = _said(here)
    return bool(said & _KEEPING) and Direction.SEND not in said


def _holder(current: Sequence[Segment], reading: Reading) -> int | None:
    """Return the number of the last segment that names a list or a calendar, or None."""
    return next((n for n in range(len(current) - 1, -1, -1) if _holds(current[n], reading)), None)


def _holds(here: Segment, reading: Reading) -> bool:
    if here.name:
        bits = reading.index.wholes.get(reading.words(here), 0)
        return any(reading.index.entities[n].domain in HOLDERS for n in reading.index.members(bits))
    return any(m.sense is Sense.KIND and reading.lexicon.kinds[m.value] & HOLDERS for m in here.meanings)


def _chunk_start(current: Sequence[Segment], holder: int) -> int:
    start = holder
    while start and current[start - 1].may_name and current[start - 1].last == current[start].first:
        start -= 1
    return start


def _tokens(segments: Iterable[Segment]) -> frozenset[int]:
    return frozenset(n for s in segments for n in range(s.first, s.last))
