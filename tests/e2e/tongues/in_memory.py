"""The home of a language in memory, without Home Assistant: the same things, called the same."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from botpsy_core.domain.home import Area, Entity, Floor, Home
from botpsy_core.domain.values import JsonValue

HERE = Path(__file__).parent
_THINGS = {
    "light": "ceiling lamp kitchen hall bedroom bedside kids bath",
    "cover": "blind shutter garage",
    "lock": "door back",
    "climate": "heating bedheat",
    "media_player": "tv radio",
    "fan": "fan",
    "vacuum": "vacuum",
    "switch": "coffee plug",
    "sensor": "outside damp",
    "binary_sensor": "window",
}
_ROOMS = {
    "living": "ceiling lamp blind heating tv",
    "kitchen": "kitchen radio coffee window",
    "hall": "hall door vacuum",
    "garage": "garage",
    "bedroom": "bedroom bedside shutter bedheat fan",
    "kids": "kids",
    "bath": "bath damp",
}
AREAS = {thing: area for area, things in _ROOMS.items() for thing in things.split()}
"""By thing; the others stand nowhere."""
FLOORS = dict.fromkeys(("living", "kitchen", "hall"), "ground") | dict.fromkeys(("bedroom", "kids", "bath"), "upper")
"""By area; the garage is on none."""
_CLASSES = {"garage": "garage", "blind": "blind", "shutter": "curtain", "tv": "tv", "window": "window"}
_ON = dict.fromkeys(("lamp", "kitchen", "hall", "bedside", "kids", "plug", "window"), "on")
_STATES = _ON | {
    "blind": "open",
    "shutter": "closed",
    "garage": "closed",
    "door": "unlocked",
    "back": "locked",
    "heating": "heat",
    "bedheat": "heat",
    "tv": "playing",
    "radio": "paused",
    "vacuum": "docked",
    "outside": "7",
    "damp": "63",
}
"""How a thing is at first; the others are off."""
_ATTRIBUTES: Mapping[str, Mapping[str, JsonValue]] = {
    "lamp": {"brightness_pct": 60},
    "kitchen": {"brightness_pct": 50},
    "heating": {"temperature": 21, "current_temperature": 20.5},
    "bedheat": {"temperature": 18, "current_temperature": 17.5},
}


def home_in(language: str) -> Home:
    """Return a language's home as the core knows it."""
    told: Mapping[str, Any] = yaml.safe_load((HERE / f"{language}.yaml").read_text("utf-8"))
    kinds = told.get("kinds", {})
    return Home(
        floors=tuple(Floor(id=key, name=names[0], aliases=tuple(names[1:])) for key, names in told["floors"].items()),
        areas=tuple(
            Area(id=key, name=names[0], aliases=tuple(names[1:]), floor_id=FLOORS.get(key))
            for key, names in told["areas"].items()
        ),
        entities=tuple(
            Entity(
                id=f"{domain}.{thing}",
                name=told["things"][thing][0],
                aliases=tuple(told["things"][thing][1:]),
                device_class=kinds.get(thing, _CLASSES.get(thing, "")).lower() or None,
                area_id=AREAS.get(thing),
                state=_STATES.get(thing, "off"),
                attributes=_ATTRIBUTES.get(thing, {}),
            )
            for domain, things in _THINGS.items()
            for thing in things.split()
        ),
        language=language,
    )
