"""Effect: what an act does to light, warmth, sound and air, whatever the tool is called."""

from collections.abc import Iterable, Mapping

from botpsy_core.domain.heard import Complaint, Quality
from botpsy_core.domain.tools import OPPOSITES, Direction

_MORE = frozenset({Direction.ON, Direction.UP, Direction.START, Direction.OPEN})
_UP_ONLY = frozenset({Direction.UP})

_RAISING: Mapping[Quality, Mapping[str, frozenset[Direction]]] = {
    Quality.LIGHT: {"light": _MORE, "cover": _MORE},
    Quality.HEAT: {"climate": _UP_ONLY, "water_heater": _UP_ONLY},
    Quality.SOUND: {"media_player": _MORE, "vacuum": _MORE, "lawn_mower": _MORE, "siren": _MORE},
    Quality.AIR: {"fan": _MORE, "cover": _MORE},
    Quality.HUMIDITY: {"humidifier": _UP_ONLY},
}
"""By quality and domain: ways that bring more of it; their opposites bring less.

A climate device that is switched on may heat or cool, so that only warmer and cooler tell.
"""
_LOWERING: Mapping[Quality, Mapping[str, frozenset[Direction]]] = {Quality.HEAT: {"fan": _MORE}}
"""The same for ways that bring less of it."""


def effects(quality: Quality, domains: Iterable[str], ways: Iterable[Direction]) -> frozenset[Direction]:
    """Return whether acts that go these ways on such things bring more (UP) or less (DOWN) of a quality, or both."""
    found = (_effect(quality, domain, way) for domain in domains for way in ways)
    return frozenset(effect for effect in found if effect is not None)


def relief(complaint: Complaint) -> Direction:
    """Return which effect answers a complaint."""
    return OPPOSITES[complaint.excess]


def _effect(quality: Quality, domain: str, way: Direction) -> Direction | None:
    for table, more in ((_RAISING, Direction.UP), (_LOWERING, Direction.DOWN)):
        ways = table[quality].get(domain, frozenset()) if quality in table else frozenset()
        if way in ways:
            return more
        if OPPOSITES.get(way) in ways:
            return OPPOSITES[more]
    return None
