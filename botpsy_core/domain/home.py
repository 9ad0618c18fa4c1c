"""The home as it is at the start of a turn: what is exposed, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from botpsy_core.domain.tools import Direction
from botpsy_core.domain.values import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """A storey."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A room or another part of the home."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    floor_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One thing that may be spoken of."""

    id: str
    """`domain.object_id`, unique in the home."""
    name: str
    aliases: tuple[str, ...] = ()
    device_class: str | None = None
    area_id: str | None = None
    state: str | None = None
    """None where it is unknown or unavailable."""
    changed: str | None = None
    """Since when the state is as it is, ISO 8601 with offset; None where nobody knows."""
    unit: str | None = None
    attributes: Mapping[str, JsonValue] = field(default_factory=dict)
    """The few attributes that answers and checks need (brightness in percent, temperature, position ...)."""
    parts: tuple[Part, ...] = ()
    """What else moves when this does, exposed or not."""

    @property
    def domain(self) -> str:
        """Return the part of the id before its dot."""
        return self.id.partition(".")[0]

    @property
    def kind(self) -> str:
        """Return `domain.device_class`, or the domain where there is no class."""
        return f"{self.domain}.{self.device_class}" if self.device_class else self.domain

    def facts(self) -> dict[str, JsonValue]:
        """Return what a read of it tells: id, name and state, and the rest where it is known."""
        known = {"unit": self.unit, "changed": self.changed, "attributes": dict(self.attributes)}
        return {"id": self.id, "name": self.name, "state": self.state, **{k: v for k, v in known.items() if v}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What moves when another thing is acted on: a member of a group, what a scene or a script sets."""

    entity: Entity
    ways: frozenset[Direction] | None = None
    """Where it goes then; None: where the whole is told to go; empty: nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Everything exposed, with names, places and states."""

    entities: tuple[Entity, ...] = ()
    areas: tuple[Area, ...] = ()
    floors: tuple[Floor, ...] = ()
    language: str = "en"
    time_zone: str = "UTC"
    """An IANA name."""
    temperature_unit: str = "°C"
    clock_24: bool = False
    """True where the country's clock goes to 24, so that "7:00" is in the morning in every language."""
    next_sunset: str | None = None
    """ISO 8601 with offset; None where the host does not know the sun."""
    next_sunrise: str | None = None

    def entity(self, entity_id: str) -> Entity | None:
        """Return the entity of that id, or None."""
        return next((e for e in self.entities if e.id == entity_id), None)

    def area(self, area_id: str | None) -> Area | None:
        """Return the area of that id, or None."""
        return next((a for a in self.areas if a.id == area_id), None)

    def floor(self, floor_id: str | None) -> Floor | None:
        """Return the floor of that id, or None."""
        return next((f for f in self.floors if f.id == floor_id), None)
