"""A home a language: the same walls and things everywhere, called what people of that language call them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml
from homeassistant.components.calendar import CalendarEvent
from homeassistant.components.climate import HVACMode
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player import MediaPlayerState
from homeassistant.components.todo import TodoItem, TodoItemStatus
from homeassistant.components.vacuum import VacuumActivity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from tests.e2e.tongues import things as of
from tests.e2e.tongues.in_memory import AREAS, FLOORS

HERE = Path(__file__).parent


def read(language: str) -> Mapping[str, Any]:
    """Return a language's home and what is said in it."""
    told: Mapping[str, Any] = yaml.safe_load((HERE / f"{language}.yaml").read_text("utf-8"))
    return told


def _light(percent: int, *, on: bool) -> dict[str, Any]:
    return {"is_on": on, "brightness": round(percent * 2.55), "hs_color": (30.0, 20.0)}


def _things(told: Mapping[str, Any], now: datetime) -> dict[str, tuple[type[of.Thing], dict[str, Any]]]:
    """Return each thing's kind and how it is at first."""
    start = dt_util.start_of_local_day(now) + timedelta(days=1, hours=9)
    visit = CalendarEvent(start=start, end=start + timedelta(hours=1), summary=told["event"], uid="visit")
    items = [TodoItem(summary=each, uid=each, status=TodoItemStatus.NEEDS_ACTION) for each in told["shopping"]]
    kinds: dict[str, type[of.Thing]] = {"blind": of.Blind, "shutter": of.Curtain} | {
        thing: getattr(of, name) for thing, name in told.get("kinds", {}).items()
    }
    return {
        "ceiling": (of.Light, _light(100, on=False)),
        "lamp": (of.Light, _light(60, on=True)),
        "kitchen": (of.Light, _light(50, on=True)),
        "hall": (of.Light, _light(100, on=True)),
        "bedroom": (of.Light, _light(100, on=False)),
        "bedside": (of.Light, _light(40, on=True)),
        "kids": (of.Light, _light(100, on=True)),
        "bath": (of.Light, _light(100, on=False)),
        "blind": (kinds["blind"], {"current_cover_position": 100}),
        "shutter": (kinds["shutter"], {"current_cover_position": 0}),
        "garage": (of.GarageDoor, {"current_cover_position": 0}),
        "door": (of.Lock, {"is_locked": False}),
        "back": (of.Lock, {"is_locked": True}),
        "heating": (
            of.Climate,
            {"hvac_mode": HVACMode.HEAT, "target_temperature": 21.0, "current_temperature": 20.5},
        ),
        "bedheat": (
            of.Climate,
            {"hvac_mode": HVACMode.HEAT, "target_temperature": 18.0, "current_temperature": 17.5},
        ),
        "tv": (of.Television, _player(MediaPlayerState.PLAYING, 0.5)),
        "radio": (of.Speaker, _player(MediaPlayerState.PAUSED, 0.3)),
        "fan": (of.Fan, {"percentage": 0}),
        "vacuum": (of.Vacuum, {"activity": VacuumActivity.DOCKED}),
        "coffee": (of.Switch, {"is_on": False}),
        "plug": (of.Switch, {"is_on": True}),
        "outside": (of.Thermometer, {"native_value": 7}),
        "damp": (of.Hygrometer, {"native_value": 63}),
        "window": (of.Contact, {"is_on": True}),
        "shopping": (of.TodoList, {"todo_items": items}),
        "tasks": (of.TodoList, {"todo_items": []}),
        "calendar": (of.Calendar, {"events": [visit]}),
        "phone": (of.Phone, {"messages": []}),
    }


def _player(state: MediaPlayerState, volume: float) -> dict[str, Any]:
    return {"state": state, "volume_level": volume, "is_volume_muted": False, "media_title": "first"}


async def build(hass: HomeAssistant, told: Mapping[str, Any]) -> Mapping[str, of.Thing]:
    """Put a language's home up, all of it exposed; return its things."""
    made = {
        key: kind(told["things"][key][0], key, **first) for key, (kind, first) in _things(told, dt_util.now()).items()
    }
    for domain in sorted({each.domain for each in made.values()}):
        assert await async_setup_component(hass, domain, {})
        await hass.data[domain].async_add_entities([each for each in made.values() if each.domain == domain])
    await hass.async_block_till_done()
    areas, floors, registry = ar.async_get(hass), fr.async_get(hass), er.async_get(hass)
    on = {key: floors.async_create(names[0], aliases=set(names[1:])) for key, names in told["floors"].items()}
    rooms = {
        key: areas.async_create(
            names[0], aliases=set(names[1:]), floor_id=on[FLOORS[key]].floor_id if key in FLOORS else None
        )
        for key, names in told["areas"].items()
    }
    for key, thing in made.items():
        room = rooms.get(AREAS.get(key, ""))
        aliases = [er.COMPUTED_NAME, *told["things"][key][1:]]
        registry.async_update_entity(thing.entity_id, area_id=room.id if room else None, aliases=aliases)
        async_expose_entity(hass, "conversation", thing.entity_id, should_expose=True)
    await hass.async_block_till_done()
    return made
