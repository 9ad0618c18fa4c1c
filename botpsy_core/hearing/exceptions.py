"""Exception: the part of a clause that takes things out ("all lights except the hall")."""

from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.hearing.reading import COMMAS, Segment, is_exception, is_verb
from botpsy_core.hearing.senses import Sense


@dataclass(frozen=True, slots=True)
class Exempted:
    """A clause's segments, with and without the exception."""

    base: tuple[Segment, ...]
    out: tuple[Segment, ...]
    marked: bool
    """True if there is an exception, even if it names nothing."""


def exempted(segments: Sequence[Segment]) -> Exempted:
    """Part a clause from its exception, which may stand before or after what it takes from."""
    mark = next((n for n, s in enumerate(segments) if is_exception(segments, n)), None)
    after = next((n for n, s in enumerate(segments) if s.has(Sense.EXCEPT_AFTER)), None)
    if mark is not None:
        if after is not None and after > mark:
            stop = after + 1
        else:
            stop = _stop(segments, mark) if leads(segments) else len(segments)
        out = tuple(s for s in segments[mark + 1 : stop] if not s.has(Sense.EXCEPT_AFTER))
        return Exempted((*segments[:mark], *segments[stop:]), out, marked=True)
    if after is not None:
        return Exempted(tuple(segments[after + 1 :]), tuple(segments[:after]), marked=True)
    return Exempted(tuple(segments), (), marked=False)


def leads(segments: Sequence[Segment]) -> bool:
    """Return True if an exception comes before what it takes from ("except for the hall, turn off all lights")."""
    mark = next((n for n, s in enumerate(segments) if is_exception(segments, n)), None)
    if mark is None:
        return False
    known = (n for n, s in enumerate(segments[:mark]) if s.name or s.has(Sense.KIND, Sense.PLACE, Sense.FLOOR))
    return all(is_verb(segments, n) for n in known)


def _stop(segments: Sequence[Segment], mark: int) -> int:
    """Return where a leading exception ends: at a comma, a verb or "all" after what it names."""
    named = False
    for n in range(mark + 1, len(segments)):
        here = segments[n]
        if here.mark in COMMAS:
            return n
        if named and (here.has(Sense.ALL, Sense.EVERYTHING, Sense.PARTICLE_VERB) or is_verb(segments, n)):
            return n
        named = named or here.may_name
    return len(segments)
