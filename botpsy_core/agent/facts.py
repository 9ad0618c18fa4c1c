"""Read one thing's state as a word, and compare it with what a question asks."""

from collections.abc import Mapping
from dataclasses import dataclass

from botpsy_core.agent.naming import say_number
from botpsy_core.agent.phrases import Phrases
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import OPPOSITES, Direction
from botpsy_core.domain.values import JsonObject, JsonValue, mapping_of

_RESTING = frozenset({"off", "standby", "idle", "unavailable", "closed", "locked", "docked", "not_home", "disarmed"})
_OPENED_BY_ON = frozenset({"door", "window", "garage_door", "opening"})
MEANT: Mapping[Direction, frozenset[str]] = {
    Direction.OFF: frozenset({"off", "standby"}),
    Direction.OPEN: frozenset({"open", "opening"}),
    Direction.CLOSE: frozenset({"closed", "closing"}),
    Direction.LOCK: frozenset({"locked", "locking"}),
    Direction.UNLOCK: frozenset({"unlocked", "unlocking", "open"}),
    Direction.STOP: frozenset({"off", "idle", "paused", "docked", "standby"}),
}
"""The states that a direction ends in."""
_ENDS = frozenset({Direction.OPEN, Direction.CLOSE, Direction.LOCK, Direction.UNLOCK})
"""What not every thing can be asked for."""
_BETWEEN: Mapping[Direction, frozenset[str]] = {
    Direction.LOCK: frozenset({"jammed"}),
    Direction.OPEN: frozenset({"stopped"}),
}
"""States at neither end of what may be asked of such a thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What was read of one thing."""

    name: str
    state: str | None
    unit: str
    device_class: str | None
    domain: str
    attributes: JsonObject
    changed: str | None = None
    """Since when the state is as it is, ISO 8601; None where nobody knows."""

    @classmethod
    def of(cls, data: JsonObject, entity: Entity | None) -> Fact:
        """Take what a toolbox read; the device class comes from the home."""
        state = data.get("state")
        return cls(
            name=str(data.get("name") or data.get("id")),
            state=None if state is None else str(state),
            unit=str(data.get("unit") or ""),
            device_class=entity.device_class if entity is not None else None,
            domain=str(data.get("id", "")).partition(".")[0],
            attributes=mapping_of(data.get("attributes")),
            changed=changed if isinstance(changed := data.get("changed"), str) else None,
        )

    def fits(self, direction: Direction) -> bool | None:
        """Return whether the thing is as the direction says ("is it open?"); None where the two do not go together."""
        if self.state is None:
            return None
        if self.domain == "binary_sensor":
            return self._binary_fits(direction)
        if direction in {Direction.ON, Direction.START}:
            return self.state not in _RESTING
        meant = MEANT.get(direction)
        if meant is None or (direction in _ENDS and not self._can_be(direction, OPPOSITES[direction])):
            return None
        return self.state in meant

    def _can_be(self, *directions: Direction) -> bool:
        """Return True if the thing is at one end or the other; a lamp is neither locked nor unlocked."""
        if Direction.LOCK in directions and self.domain == "cover":
            return False
        return self.state in frozenset[str | None](
            s for d in directions for s in (*MEANT.get(d, ()), *_BETWEEN.get(d, ()))
        )

    def _binary_fits(self, direction: Direction) -> bool | None:
        on = self.state == "on"
        match direction:
            case Direction.OPEN | Direction.CLOSE if self.device_class in _OPENED_BY_ON:
                return on is (direction is Direction.OPEN)
            case Direction.UNLOCK | Direction.LOCK if self.device_class == "lock":
                return on is (direction is Direction.UNLOCK)
            case Direction.ON | Direction.START:
                return on
            case Direction.OFF | Direction.STOP:
                return not on
            case _:
                return None

    def word(self, phrases: Phrases) -> str:
        """Return the state as a word or a number with its unit."""
        state = self.state or "unavailable"
        pair = phrases.find("binary", self.device_class or "") if self.domain == "binary_sensor" else None
        if isinstance(pair, list) and state in {"on", "off"}:
            return str(pair[state == "on"])
        number = as_number(state)
        if number is not None:
            return say_number(phrases, number, self.unit)
        found = phrases.find("states", state)
        return str(found) if isinstance(found, str) else state.replace("_", " ")


def as_number(value: JsonValue) -> float | None:
    """Return a state as a number, or None where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(value)
    except ValueError:
        return None
