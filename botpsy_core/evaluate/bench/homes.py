"""Homes of any size around the same few rooms, and what is said in them."""

from dataclasses import replace

from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.evaluate.demo_home import DEMO_HOME

SIZES = (10, 100, 1000)

COMMANDS = (
    "it's too dark in the living room",
    "turn on the kitchen light",
    "what about the bedroom",
    "could you make it a bit warmer",
    "put milk on the shopping list",
    "increase the living room",
    "set the thermostat to 21 degrees",
    "switch the living room off",
    "play some jazz on the speaker",
    "set the living room to 30",
)
"""A dialogue; words alone decide some of it, the model the rest."""

_SMALL = frozenset(
    {
        "calendar.family",
        "climate.thermostat",
        "light.bedroom",
        "light.ceiling",
        "light.kitchen",
        "light.reading_lamp",
        "media_player.speaker",
        "notify.phone",
        "sensor.bedroom_temperature",
        "todo.shopping_list",
    }
)
_MORE = (
    ("light", "Lamp", None, "off", None),
    ("switch", "Socket", None, "on", None),
    ("cover", "Blind", "blind", "open", None),
    ("sensor", "Temperature", "temperature", "19.5", "°C"),
    ("sensor", "Humidity", "humidity", "47", "%"),
    ("binary_sensor", "Window", "window", "off", None),
)


def home_of(size: int) -> Home:
    """Return a home with so many entities; the first ten are those that the commands speak of."""
    entities = [e for e in DEMO_HOME.entities if e.id in _SMALL]
    areas = list(DEMO_HOME.areas)
    number = 0
    while len(entities) < size:
        number += 1
        area = Area(id=f"suite_{number}", name=f"Suite {number}")
        areas.append(area)
        for domain, kind, device_class, state, unit in _MORE:
            entities.append(
                Entity(
                    id=f"{domain}.suite_{number}_{kind.lower()}",
                    name=f"Suite {number} {kind}",
                    device_class=device_class,
                    area_id=area.id,
                    state=state,
                    unit=unit,
                )
            )
    return replace(DEMO_HOME, entities=tuple(entities[:size]), areas=tuple(areas))


def later(home: Home, step: int) -> Home:
    """Return the home a moment later: every sensor has moved, as sensors do between two sentences."""
    return replace(home, entities=tuple(_moved(e, step) for e in home.entities))


def _moved(entity: Entity, step: int) -> Entity:
    if entity.unit is None or entity.state is None:
        return entity
    return replace(entity, state=f"{float(entity.state) + (0.1 if step % 2 else -0.1):.1f}")


def listing(home: Home) -> str:
    """Return every entity with its state, a line each, as an integration without a shortlist tells it to its model."""
    lines = []
    for entity in home.entities:
        area = home.area(entity.area_id)
        place = f" ({area.name})" if area else ""
        lines.append(f"{entity.id} '{entity.name}'{place} = {entity.state or 'unknown'}{entity.unit or ''}")
    return "Devices:\n" + "\n".join(lines)
