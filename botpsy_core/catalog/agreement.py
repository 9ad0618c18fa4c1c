"""Whether the way that a tool goes is the way that the words go."""

from collections.abc import Mapping

from botpsy_core.catalog.slots import Filling
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.tools import OPPOSITES, Direction, ToolSpec

SAID = 3.0
"""The agreement of a tool whose very direction was said."""
BY_VALUE = 2.5
"""The agreement of a tool that sets a value, with words that say which way to go."""
NEARLY_SAID = 2.0
"""The agreement of a tool whose direction is nearly the one that was said."""
NEAR: Mapping[Direction, frozenset[Direction]] = {
    Direction.ON: frozenset({Direction.START, Direction.OPEN}),
    Direction.OFF: frozenset({Direction.STOP, Direction.CLOSE}),
    Direction.START: frozenset({Direction.ON}),
    Direction.STOP: frozenset({Direction.OFF}),
    Direction.OPEN: frozenset({Direction.UP, Direction.ON}),
    Direction.CLOSE: frozenset({Direction.DOWN, Direction.OFF}),
    Direction.UP: frozenset({Direction.OPEN}),
    Direction.DOWN: frozenset({Direction.CLOSE}),
}
"""By a tool's direction, what people say as well: blinds go up or are opened, water is turned off."""
SET_TO = frozenset(
    {Direction.SET, Direction.ON, Direction.UP, Direction.DOWN, Direction.OPEN, Direction.CLOSE, Direction.START}
)
"""Ways that a value may end: "dim to 30 percent", "open half"."""


def agreement_of(tool: ToolSpec, filling: Filling, clause: Clause) -> float | None:
    """Return how well the tool's directions agree with the words, or None where they say the opposite."""
    ways, said = tool.directions, frozenset(clause.directions)
    if not ways or not said:
        return 0.5 if not said else 0.0
    if (ways - {Direction.SET}) & said or said == {Direction.SET} <= ways:
        return SAID
    near = frozenset(way for own in ways for way in NEAR.get(own, ()))
    if near & said:
        return NEARLY_SAID
    if any(OPPOSITES.get(way) in said for way in (*ways, *near)):
        return None
    if Direction.SET in ways and said <= SET_TO and not filling.missing:
        return BY_VALUE
    return -1.0
