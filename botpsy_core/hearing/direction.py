"""Direction: which way a clause wants things to go."""

from collections.abc import Iterator, Sequence

from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.reading import Segment, is_particle, is_verb
from botpsy_core.hearing.senses import Sense

SWITCHING = frozenset({Direction.ON, Direction.OFF, Direction.OPEN, Direction.CLOSE, Direction.LOCK, Direction.UNLOCK})
"""Directions that need a thing of the home."""


PUTTING = frozenset({Direction.ADD, Direction.SET})
"""What "put", "mach", "pon", "zet" may mean; another direction says it better."""


def directions_of(segments: Sequence[Segment]) -> tuple[Direction, ...]:
    """Return the directions that were said, in order, each once; "put" says nothing where "off" was said too."""
    said = tuple(dict.fromkeys(_directions(segments)))
    return tuple(d for d in said if d not in PUTTING) if SWITCHING & set(said) else said


def settled(said: Sequence[Direction], *, keeps_text: bool) -> tuple[Direction, ...]:
    """Return directions with one reading of "put": to add it to a list, or to set it to a value."""
    if not set(said) >= PUTTING:
        return tuple(said)
    return tuple(d for d in said if d is not (Direction.SET if keeps_text else Direction.ADD))


def _directions(segments: Sequence[Segment]) -> Iterator[Direction]:
    for at, here in enumerate(segments):
        if is_particle(segments, at):
            yield from (Direction(m.value) for m in here.meanings if m.sense is Sense.PARTICLE)
        elif is_verb(segments, at):
            yield from (Direction(m.value) for m in here.meanings if m.sense is Sense.DIRECTION)
        yield from (Direction(m.value) for m in here.meanings if m.sense is Sense.CONDITION)


def has_verb(segments: Sequence[Segment]) -> bool:
    """Return True if a clause says by itself what to do; that a thing is locked says nothing to do."""
    return any(
        is_particle(segments, n) or s.has(Sense.VERB) or (s.has(Sense.DIRECTION) and is_verb(segments, n))
        for n, s in enumerate(segments)
    )
