"""The home as Home Assistant's registries and states show it: one value a turn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates, async_should_expose
from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_UNIT_OF_MEASUREMENT,
    MATCH_ALL,
    EntityCategory,
)
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, State, callback
from homeassistant.helpers import (
    area_registry as ar,
)
from homeassistant.helpers import (
    device_registry as dr,
)
from homeassistant.helpers import (
    entity_registry as er,
)
from homeassistant.helpers import (
    floor_registry as fr,
)
from homeassistant.helpers import (
    intent,
)
from homeassistant.helpers.event import async_track_state_added_domain, async_track_state_removed_domain

from botpsy_core.domain.home import Area, Entity, Floor, Home

from .const import ASSISTANT, DOMAIN
from .made_of import parts_of
from .spoken_state import attributes_of, spoken_state

REGISTRY_FIELDS: Final = frozenset(
    {"aliases", "area_id", "device_class", "device_id", "entity_id", "has_entity_name", "name", "original_name"}
)
"""Changes of an entity's registry entry that change how it is spoken of."""


TWELVE_HOURS: Final = frozenset({
    "AU", "BD", "CA", "CO", "EG", "GB", "HK", "IE", "IN", "JM", "JO", "KE", "MT", "MX", "MY", "NG", "NZ", "PH", "PK",
    "SA", "SG", "TT", "US", "ZA",
})  # fmt: skip
"""Countries whose people say and write times of day up to 12."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Face:
    """What the registries say of one exposed entity."""

    names: tuple[str, ...]
    """Empty where the state's own name counts."""
    area_id: str | None


def _holds_us_back(entry: er.RegistryEntry) -> bool:
    """Return True for what limits the agents themselves: no words may move it, nor what it is a part of."""
    return entry.platform == DOMAIN and entry.entity_category is EntityCategory.CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    areas: tuple[Area, ...]
    floors: tuple[Floor, ...]


class HassHome:
    """Reads the exposed part of Home Assistant; the slow part is kept until a registry changes."""

    def __init__(self, hass: HomeAssistant, *, others: Callable[[], tuple[Entity, ...]] = tuple) -> None:
        """Keep what `home` reads from; `others` returns entities that are not Home Assistant's."""
        self._hass = hass
        self._others = others
        self._faces: Mapping[str, _Face] | None = None
        self._places = _Places(areas=(), floors=())
        self._seen: dict[str, tuple[State, Entity]] = {}

    @callback
    def async_listen(self) -> CALLBACK_TYPE:
        """Follow every change that makes the kept part wrong; return what stops it."""
        bus = self._hass.bus
        stops = (
            bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._forget, event_filter=_changes_a_face),
            bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, self._forget),
            bus.async_listen(ar.EVENT_AREA_REGISTRY_UPDATED, self._forget),
            bus.async_listen(fr.EVENT_FLOOR_REGISTRY_UPDATED, self._forget),
            async_listen_entity_updates(self._hass, ASSISTANT, self._forget),
            async_track_state_added_domain(self._hass, MATCH_ALL, self._forget),
            async_track_state_removed_domain(self._hass, MATCH_ALL, self._forget),
        )

        @callback
        def stop() -> None:
            for each in stops:
                each()
            self._forget()

        return stop

    @callback
    def home(self, language: str) -> Home:
        """Return everything exposed, with its states as they are now."""
        faces = self._load() if self._faces is None else self._faces
        entities = [entity for entity_id, face in faces.items() if (entity := self._entity(entity_id, face))]
        entities.extend(self._others())
        return Home(
            entities=tuple(sorted(entities, key=lambda e: e.id)),
            areas=self._places.areas,
            floors=self._places.floors,
            language=language,
            time_zone=self._hass.config.time_zone,
            clock_24=_counts_to_24(self._hass.config.country),
            temperature_unit=self._hass.config.units.temperature_unit,
            next_sunset=self._sun("next_setting"),
            next_sunrise=self._sun("next_rising"),
        )

    @callback
    def entity(self, entity_id: str) -> Entity | None:
        """Return one exposed thing as it is now, or None."""
        faces = self._load() if self._faces is None else self._faces
        if face := faces.get(entity_id):
            return self._entity(entity_id, face)
        return next((each for each in self._others() if each.id == entity_id), None)

    def _sun(self, attribute: str) -> str | None:
        sun = self._hass.states.get("sun.sun")
        at = sun.attributes.get(attribute) if sun else None
        return None if at is None else str(at)

    def _load(self) -> Mapping[str, _Face]:
        self._faces = faces = self._read_faces()
        self._places = self._read_places()
        self._seen.clear()
        return faces

    @callback
    def _forget(self, _event: object = None) -> None:
        self._faces = None

    def _read_faces(self) -> dict[str, _Face]:
        entities, devices = er.async_get(self._hass), dr.async_get(self._hass)
        faces: dict[str, _Face] = {}
        for state in self._hass.states.async_all():
            if not async_should_expose(self._hass, ASSISTANT, state.entity_id):
                continue
            entry = entities.async_get(state.entity_id)
            moved = (entities.async_get(part.entity.id) for part in parts_of(self._hass, state))
            if any(each is not None and _holds_us_back(each) for each in (entry, *moved)):
                continue
            if entry is None:
                faces[state.entity_id] = _Face(names=(), area_id=None)
                continue
            area_id = entry.area_id
            if area_id is None and entry.device_id and (device := devices.async_get(entry.device_id)):
                area_id = dr.async_get_effective_area_id(self._hass, device)
            names = intent.async_get_entity_aliases(self._hass, entry, state=state)
            faces[state.entity_id] = _Face(names=tuple(dict.fromkeys(n for n in names if n)), area_id=area_id)
        return faces

    def _read_places(self) -> _Places:
        return _Places(
            areas=tuple(
                Area(id=a.id, name=a.name, aliases=tuple(sorted(a.aliases)), floor_id=a.floor_id)
                for a in sorted(ar.async_get(self._hass).async_list_areas(), key=lambda a: a.id)
            ),
            floors=tuple(
                Floor(id=f.floor_id, name=f.name, aliases=tuple(sorted(f.aliases)))
                for f in sorted(fr.async_get(self._hass).async_list_floors(), key=lambda f: f.floor_id)
            ),
        )

    def _entity(self, entity_id: str, face: _Face) -> Entity | None:
        """Return the entity, built anew only where its state object is another one."""
        state = self._hass.states.get(entity_id)
        if state is None:
            return None
        if (seen := self._seen.get(entity_id)) and seen[0] is state:
            return seen[1]
        names = face.names or (state.name,)
        entity = Entity(
            id=entity_id,
            name=names[0],
            aliases=names[1:],
            device_class=state.attributes.get(ATTR_DEVICE_CLASS),
            area_id=face.area_id,
            state=spoken_state(self._hass, state),
            changed=state.last_changed.isoformat(),
            unit=state.attributes.get(ATTR_UNIT_OF_MEASUREMENT),
            attributes=attributes_of(state),
            parts=parts_of(self._hass, state),
        )
        self._seen[entity_id] = (state, entity)
        return entity


def _counts_to_24(country: str | None) -> bool:
    """Return True where "7:00" is the morning; False where people say it of the evening too, or nobody knows."""
    return country is not None and country not in TWELVE_HOURS


@callback
def _changes_a_face(data: er.EventEntityRegistryUpdatedData) -> bool:
    return data["action"] != "update" or not REGISTRY_FIELDS.isdisjoint(data["changes"])


@callback
def area_of_device(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return the room that a satellite or screen stands in, or None."""
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    return dr.async_get_effective_area_id(hass, device) if device else None
