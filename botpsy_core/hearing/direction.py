"""Direction: which way a clause wants things to go."""

from collections.abc import Iterator, Sequence

from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.lexicon import Sense
from botpsy_core.hearing.reading import Segment, is_particle, is_verb


def directions_of(segments: Sequence[Segment]) -> tuple[Direction, ...]:
    """Return the directions that were said, in order, each once."""
    return tuple(dict.fromkeys(_directions(segments)))


def _directions(segments: Sequence[Segment]) -> Iterator[Direction]:
    for at, here in enumerate(segments):
        if is_particle(segments, at):
            yield from (Direction(m.value) for m in here.meanings if m.sense is Sense.PARTICLE)
        elif here.has(Sense.DIRECTION) and (not here.has(Sense.KIND) or is_verb(segments, at)):
            yield from (Direction(m.value) for m in here.meanings if m.sense is Sense.DIRECTION)


def has_verb(segments: Sequence[Segment]) -> bool:
    """Return True if a clause says by itself what to do."""
    return any(True for _ in _directions(segments)) or any(s.has(Sense.VERB) for s in segments)
