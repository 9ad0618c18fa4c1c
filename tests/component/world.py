"""A small home of real Home Assistant entities, on platforms of the test's own."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.components.climate import ClimateEntity, ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverDeviceClass, CoverEntity, CoverEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.light import ATTR_BRIGHTNESS, ColorMode, LightEntity
from homeassistant.components.lock import LockEntity
from homeassistant.components.notify import NotifyEntity
from homeassistant.components.sensor import SensorDeviceClass, SensorEntity
from homeassistant.components.switch import SwitchEntity
from homeassistant.components.todo import TodoItem, TodoListEntity, TodoListEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers.entity import Entity
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util


class Thing(Entity):
    """Any entity of this home."""

    _attr_should_poll = False

    def __init__(self, name: str, unique_id: str) -> None:
        self._attr_name = name
        self._attr_unique_id = unique_id


class Light(Thing, LightEntity):
    """A dimmable light that says what it was told."""

    _attr_supported_color_modes = {ColorMode.BRIGHTNESS}
    _attr_color_mode = ColorMode.BRIGHTNESS
    _attr_is_on = False
    _attr_brightness = None

    async def async_turn_on(self, **kwargs: Any) -> None:
        self._attr_is_on = True
        self._attr_brightness = kwargs.get(ATTR_BRIGHTNESS, self._attr_brightness or 255)
        self.async_write_ha_state()

    async def async_turn_off(self, **kwargs: Any) -> None:
        self._attr_is_on = False
        self.async_write_ha_state()


class DeafSwitch(Thing, SwitchEntity):
    """A switch that takes an order and never shows it."""

    _attr_is_on = False

    async def async_turn_on(self, **kwargs: Any) -> None:
        pass

    async def async_turn_off(self, **kwargs: Any) -> None:
        pass


class BrokenSwitch(Thing, SwitchEntity):
    """A switch whose device answers with an error."""

    _attr_is_on = False

    async def async_turn_on(self, **kwargs: Any) -> None:
        raise HomeAssistantError("the device does not answer")

    async def async_turn_off(self, **kwargs: Any) -> None:
        raise HomeAssistantError("the device does not answer")


class Lock(Thing, LockEntity):
    """A door lock."""

    _attr_is_locked = True

    async def async_lock(self, **kwargs: Any) -> None:
        self._attr_is_locked = True
        self.async_write_ha_state()

    async def async_unlock(self, **kwargs: Any) -> None:
        self._attr_is_locked = False
        self.async_write_ha_state()


class Garage(Thing, CoverEntity):
    """A garage door that takes its time."""

    _attr_device_class = CoverDeviceClass.GARAGE
    _attr_supported_features = CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE
    _attr_is_closed = True

    async def async_open_cover(self, **kwargs: Any) -> None:
        self._attr_is_opening = True
        self._attr_is_closed = False
        self.async_write_ha_state()

    async def async_close_cover(self, **kwargs: Any) -> None:
        self._attr_is_closed = True
        self.async_write_ha_state()


class Thermostat(Thing, ClimateEntity):
    """A heater with one target."""

    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE | ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
    )
    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.OFF]
    _attr_hvac_mode = HVACMode.HEAT
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_target_temperature = 19.0
    _attr_current_temperature = 18.5

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self._attr_target_temperature = kwargs["temperature"]
        self.async_write_ha_state()

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self._attr_hvac_mode = hvac_mode
        self.async_write_ha_state()


class Thermometer(Thing, SensorEntity):
    """A sensor with more digits than anybody says."""

    _attr_device_class = SensorDeviceClass.TEMPERATURE
    _attr_native_unit_of_measurement = UnitOfTemperature.CELSIUS
    _attr_native_value = 21.4567
    _attr_suggested_display_precision = 1


class ShoppingList(Thing, TodoListEntity):
    """A list in memory."""

    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )

    def __init__(self, name: str, unique_id: str) -> None:
        super().__init__(name, unique_id)
        self._attr_todo_items = []

    async def async_create_todo_item(self, item: TodoItem) -> None:
        item.uid = str(len(self._attr_todo_items or []))
        self._attr_todo_items = [*(self._attr_todo_items or []), item]
        self.async_write_ha_state()

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self._attr_todo_items = [item if each.uid == item.uid else each for each in self._attr_todo_items or []]
        self.async_write_ha_state()

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self._attr_todo_items = [each for each in self._attr_todo_items or [] if each.uid not in uids]
        self.async_write_ha_state()


class Calendar(Thing, CalendarEntity):
    """A calendar in memory."""

    _attr_supported_features = (
        CalendarEntityFeature.CREATE_EVENT | CalendarEntityFeature.DELETE_EVENT | CalendarEntityFeature.UPDATE_EVENT
    )

    def __init__(self, name: str, unique_id: str) -> None:
        super().__init__(name, unique_id)
        self.events: list[CalendarEvent] = []

    @property
    def event(self) -> CalendarEvent | None:
        return None

    async def async_get_events(self, hass: HomeAssistant, start: datetime, end: datetime) -> list[CalendarEvent]:
        return [each for each in self.events if _moment(each.start) < end and _moment(each.end) > start]

    async def async_create_event(self, **kwargs: Any) -> None:
        start, end = kwargs["dtstart"], kwargs["dtend"]
        event = CalendarEvent(
            start=start,
            end=end,
            summary=kwargs["summary"],
            location=kwargs.get("location"),
            rrule=kwargs.get("rrule"),
            uid=str(len(self.events)),
        )
        self.events.append(event)
        self.async_write_ha_state()

    async def async_delete_event(
        self, uid: str, recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        self.events = [each for each in self.events if each.uid != uid]

    async def async_update_event(
        self,
        uid: str,
        event: dict[str, Any],
        recurrence_id: str | None = None,
        recurrence_range: str | None = None,
    ) -> None:
        await self.async_delete_event(uid)
        await self.async_create_event(**event)


def _moment(when: date | datetime) -> datetime:
    return when if isinstance(when, datetime) else dt_util.start_of_local_day(when)


class Phone(Thing, NotifyEntity):
    """A phone that keeps what it was sent."""

    def __init__(self, name: str, unique_id: str) -> None:
        super().__init__(name, unique_id)
        self.messages: list[str] = []
        self.titles: list[str] = []

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        self.messages.append(message)
        self.titles += [title] if title else []


class World:
    """The home's entities by name, and its rooms."""

    def __init__(self) -> None:
        self.kitchen_light = Light("Kitchen light", "kitchen-light")
        self.bedroom_light = Light("Bedroom light", "bedroom-light")
        self.heater = DeafSwitch("Heater plug", "heater-plug")
        self.broken = BrokenSwitch("Old plug", "old-plug")
        self.front_door = Lock("Front door", "front-door")
        self.garage = Garage("Garage door", "garage-door")
        self.thermostat = Thermostat("Thermostat", "thermostat")
        self.thermometer = Thermometer("Kitchen temperature", "kitchen-temperature")
        self.shopping = ShoppingList("Shopping list", "shopping")
        self.calendar = Calendar("Family", "family")
        self.phone = Phone("Anna's phone", "annas-phone")
        self.hidden_lamp = Light("Hidden lamp", "hidden-lamp")
        self.rooms: Mapping[str, str] = {}

    def tomorrow(self, hour: int) -> datetime:
        """Return an hour of tomorrow."""
        return dt_util.start_of_local_day() + timedelta(days=1, hours=hour)

    def by_domain(self) -> Mapping[str, list[Entity]]:
        return {
            "light": [self.kitchen_light, self.bedroom_light, self.hidden_lamp],
            "switch": [self.heater, self.broken],
            "lock": [self.front_door],
            "cover": [self.garage],
            "climate": [self.thermostat],
            "sensor": [self.thermometer],
            "todo": [self.shopping],
            "calendar": [self.calendar],
            "notify": [self.phone],
        }

    async def build(self, hass: HomeAssistant) -> None:
        """Set every platform up, put things into rooms, and expose all but one."""
        assert await async_setup_component(hass, "persistent_notification", {})
        for domain, entities in self.by_domain().items():
            assert await async_setup_component(hass, domain, {})
            await hass.data[domain].async_add_entities(entities)
        await hass.async_block_till_done()
        areas, floors, registry = ar.async_get(hass), fr.async_get(hass), er.async_get(hass)
        ground = floors.async_create("Ground floor")
        self.rooms = {
            name: areas.async_create(name, floor_id=ground.floor_id).id for name in ("Kitchen", "Bedroom", "Hall")
        }
        for entity, room in (
            (self.kitchen_light, "Kitchen"),
            (self.thermometer, "Kitchen"),
            (self.bedroom_light, "Bedroom"),
            (self.front_door, "Hall"),
        ):
            registry.async_update_entity(entity.entity_id, area_id=self.rooms[room])
        for entities in self.by_domain().values():
            for entity in entities:
                async_expose_entity(hass, "conversation", entity.entity_id, entity is not self.hidden_lamp)
        await hass.async_block_till_done()
