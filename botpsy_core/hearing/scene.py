"""Scene: what every clause of an utterance is heard in, and what its neighbours lend it."""

from dataclasses import dataclass

from botpsy_core.domain.heard import Target
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.index import Bits
from botpsy_core.hearing.reading import Reading
from botpsy_core.hearing.references import Past
from botpsy_core.hearing.targets import Implied


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What stays the same for every clause of an utterance."""

    reading: Reading
    home: Home
    past: Past
    room: Bits
    """Entities of the room where it was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What other clauses lend to this one."""

    kind: Implied | None = None
    """The kind that was said there."""
    antecedents: tuple[Target, ...] = ()
    """What "it" means if it was named just before."""
    directions: tuple[Direction, ...] = ()
    """Where the clause before goes, and this one with it if it has no verb."""
