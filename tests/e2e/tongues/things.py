"""What stands in a home of these measurements: plain entities that do what they are told, and can be put back."""

import copy
from datetime import datetime
from typing import Any

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity
from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature, CalendarEvent
from homeassistant.components.climate import ClimateEntity, ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverDeviceClass, CoverEntity, CoverEntityFeature
from homeassistant.components.fan import FanEntity, FanEntityFeature
from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.components.lock import LockEntity
from homeassistant.components.media_player import (
    MediaPlayerDeviceClass,
    MediaPlayerEntity,
    MediaPlayerEntityFeature,
    MediaPlayerState,
)
from homeassistant.components.notify import NotifyEntity
from homeassistant.components.sensor import SensorDeviceClass, SensorEntity
from homeassistant.components.switch import SwitchEntity
from homeassistant.components.todo import TodoItem, TodoItemStatus, TodoListEntity, TodoListEntityFeature
from homeassistant.components.vacuum import StateVacuumEntity, VacuumActivity, VacuumEntityFeature
from homeassistant.const import PERCENTAGE, UnitOfTemperature
from homeassistant.helpers.entity import Entity


class Thing(Entity):
    """Any entity of this home; `first` is how it is before each line."""

    _attr_should_poll = False
    domain: str

    def __init__(self, name: str, unique_id: str, **first: Any) -> None:
        self._attr_name = name
        self._attr_unique_id = unique_id
        self.first = first
        self._take(first)

    def put_back(self) -> None:
        """Be as at first."""
        self._take(self.first)
        self.async_write_ha_state()

    def turn_round(self) -> None:
        """Be the other way round than at first, where a thing has another way."""
        self.become(**self._other_way())

    def _other_way(self) -> dict[str, Any]:
        return {}

    def _take(self, values: dict[str, Any]) -> None:
        for key, value in values.items():
            setattr(self, f"_attr_{key}", copy.copy(value))

    def become(self, **values: Any) -> None:
        """Change, and say so."""
        self._take(values)
        self.async_write_ha_state()


class Light(Thing, LightEntity):
    domain = "light"
    _attr_supported_color_modes = {ColorMode.HS}
    _attr_color_mode = ColorMode.HS

    def _other_way(self) -> dict[str, Any]:
        return {"is_on": not self.first["is_on"]}

    async def async_turn_on(self, **kwargs: Any) -> None:
        known = {key: kwargs[key] for key in ("brightness", "hs_color") if key in kwargs}
        self.become(is_on=True, **known)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)


class Cover(Thing, CoverEntity):
    domain = "cover"
    _attr_supported_features = (
        CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.SET_POSITION | CoverEntityFeature.STOP
    )

    def _other_way(self) -> dict[str, Any]:
        return {"current_cover_position": 100 - self.first["current_cover_position"]}

    @property
    def is_closed(self) -> bool:
        return self._attr_current_cover_position == 0

    async def async_open_cover(self, **kwargs: Any) -> None:
        self.become(current_cover_position=100)

    async def async_close_cover(self, **kwargs: Any) -> None:
        self.become(current_cover_position=0)

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self.become(current_cover_position=kwargs["position"])

    async def async_stop_cover(self, **kwargs: Any) -> None:
        pass


class GarageDoor(Cover):
    _attr_device_class = CoverDeviceClass.GARAGE


class Shutter(Cover):
    _attr_device_class = CoverDeviceClass.SHUTTER


class Curtain(Cover):
    _attr_device_class = CoverDeviceClass.CURTAIN


class Blind(Cover):
    _attr_device_class = CoverDeviceClass.BLIND


class Lock(Thing, LockEntity):
    domain = "lock"

    def _other_way(self) -> dict[str, Any]:
        return {"is_locked": not self.first["is_locked"]}

    async def async_lock(self, **kwargs: Any) -> None:
        self.become(is_locked=True)

    async def async_unlock(self, **kwargs: Any) -> None:
        self.become(is_locked=False)


class Climate(Thing, ClimateEntity):
    domain = "climate"
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE | ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
    )
    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.OFF]
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_target_temperature_step = 0.5
    _attr_min_temp = 5
    _attr_max_temp = 30

    def _other_way(self) -> dict[str, Any]:
        return {"hvac_mode": HVACMode.OFF}

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.become(target_temperature=kwargs["temperature"])

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.become(hvac_mode=hvac_mode)


class Player(Thing, MediaPlayerEntity):
    domain = "media_player"
    _attr_supported_features = (
        MediaPlayerEntityFeature.PLAY
        | MediaPlayerEntityFeature.PAUSE
        | MediaPlayerEntityFeature.TURN_ON
        | MediaPlayerEntityFeature.TURN_OFF
        | MediaPlayerEntityFeature.VOLUME_SET
        | MediaPlayerEntityFeature.VOLUME_STEP
        | MediaPlayerEntityFeature.VOLUME_MUTE
        | MediaPlayerEntityFeature.NEXT_TRACK
        | MediaPlayerEntityFeature.PREVIOUS_TRACK
    )

    def _other_way(self) -> dict[str, Any]:
        playing = self.first["state"] is MediaPlayerState.PLAYING
        return {"state": MediaPlayerState.PAUSED if playing else MediaPlayerState.PLAYING, "is_volume_muted": True}

    async def async_media_play(self) -> None:
        self.become(state=MediaPlayerState.PLAYING)

    async def async_media_pause(self) -> None:
        self.become(state=MediaPlayerState.PAUSED)

    async def async_turn_on(self) -> None:
        self.become(state=MediaPlayerState.PLAYING)

    async def async_turn_off(self) -> None:
        self.become(state=MediaPlayerState.OFF)

    async def async_set_volume_level(self, volume: float) -> None:
        self.become(volume_level=volume)

    async def async_mute_volume(self, mute: bool) -> None:
        self.become(is_volume_muted=mute)

    async def async_media_next_track(self) -> None:
        self.become(media_title="next")

    async def async_media_previous_track(self) -> None:
        self.become(media_title="previous")


class Television(Player):
    _attr_device_class = MediaPlayerDeviceClass.TV


class Speaker(Player):
    _attr_device_class = MediaPlayerDeviceClass.SPEAKER


class Fan(Thing, FanEntity):
    domain = "fan"
    _attr_supported_features = FanEntityFeature.SET_SPEED | FanEntityFeature.TURN_ON | FanEntityFeature.TURN_OFF

    def _other_way(self) -> dict[str, Any]:
        return {"percentage": 0 if self.first["percentage"] else 50}

    @property
    def is_on(self) -> bool:
        return bool(self._attr_percentage)

    async def async_set_percentage(self, percentage: int) -> None:
        self.become(percentage=percentage)

    async def async_turn_on(self, percentage: int | None = None, preset_mode: str | None = None, **_: Any) -> None:
        self.become(percentage=percentage or 50)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(percentage=0)


class Vacuum(Thing, StateVacuumEntity):
    domain = "vacuum"
    _attr_supported_features = (
        VacuumEntityFeature.START
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.RETURN_HOME
        | VacuumEntityFeature.STATE
    )

    def _other_way(self) -> dict[str, Any]:
        return {"activity": VacuumActivity.CLEANING}

    async def async_start(self) -> None:
        self.become(activity=VacuumActivity.CLEANING)

    async def async_pause(self) -> None:
        self.become(activity=VacuumActivity.PAUSED)

    async def async_stop(self, **kwargs: Any) -> None:
        self.become(activity=VacuumActivity.IDLE)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.become(activity=VacuumActivity.RETURNING)


class Switch(Thing, SwitchEntity):
    domain = "switch"

    def _other_way(self) -> dict[str, Any]:
        return {"is_on": not self.first["is_on"]}

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.become(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)


class Thermometer(Thing, SensorEntity):
    domain = "sensor"
    _attr_device_class = SensorDeviceClass.TEMPERATURE
    _attr_native_unit_of_measurement = UnitOfTemperature.CELSIUS


class Hygrometer(Thing, SensorEntity):
    domain = "sensor"
    _attr_device_class = SensorDeviceClass.HUMIDITY
    _attr_native_unit_of_measurement = PERCENTAGE


class Contact(Thing, BinarySensorEntity):
    domain = "binary_sensor"
    _attr_device_class = BinarySensorDeviceClass.WINDOW


class TodoList(Thing, TodoListEntity):
    domain = "todo"
    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )

    def open_items(self) -> list[str]:
        """Return what is still to be done."""
        items = self._attr_todo_items or []
        return [str(each.summary) for each in items if each.status is not TodoItemStatus.COMPLETED]

    async def async_create_todo_item(self, item: TodoItem) -> None:
        items = self._attr_todo_items or []
        new = TodoItem(summary=item.summary, uid=f"new{len(items)}", status=TodoItemStatus.NEEDS_ACTION)
        self.become(todo_items=[*items, new])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self.become(todo_items=[item if each.uid == item.uid else each for each in self._attr_todo_items or []])

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self.become(todo_items=[each for each in self._attr_todo_items or [] if each.uid not in uids])


class Calendar(Thing, CalendarEntity):
    domain = "calendar"
    _attr_supported_features = (
        CalendarEntityFeature.CREATE_EVENT | CalendarEntityFeature.DELETE_EVENT | CalendarEntityFeature.UPDATE_EVENT
    )
    _attr_events: list[CalendarEvent]

    @property
    def events(self) -> list[CalendarEvent]:
        """Return all events."""
        return self._attr_events

    @property
    def event(self) -> CalendarEvent | None:
        return None

    async def async_get_events(self, hass: Any, start: datetime, end: datetime) -> list[CalendarEvent]:
        return [each for each in self.events if each.start_datetime_local < end and each.end_datetime_local > start]

    async def async_create_event(self, **kwargs: Any) -> None:
        event = CalendarEvent(
            start=kwargs["dtstart"], end=kwargs["dtend"], summary=kwargs["summary"], uid=str(len(self.events))
        )
        self.become(events=[*self.events, event])

    async def async_delete_event(
        self, uid: str, recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        self.become(events=[each for each in self.events if each.uid != uid])

    async def async_update_event(
        self, uid: str, event: dict[str, Any], recurrence_id: str | None = None, recurrence_range: str | None = None
    ) -> None:
        await self.async_delete_event(uid)
        await self.async_create_event(**event)


class Phone(Thing, NotifyEntity):
    domain = "notify"
    _attr_messages: list[str]

    @property
    def messages(self) -> list[str]:
        """Return what it was sent."""
        return self._attr_messages

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        self.become(messages=[*self.messages, message])
