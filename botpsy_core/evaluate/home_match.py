"""Which things a Home Assistant call acts on, found as Home Assistant matches names and places."""

from collections.abc import Mapping, Sequence
from typing import Any

from botpsy_core.evaluate.cases import Record
from botpsy_core.evaluate.match import canonical, folded, listed
from botpsy_core.evaluate.prediction import Made

READING = frozenset({
    "GetLiveContext", "GetDateTime", "todo_get_items", "calendar_get_events", "HassGetState", "HassTimerStatus",
})  # fmt: skip
"""Home Assistant's own tools that change nothing."""

_COVERS = ("cover", "valve")
_PLAYERS = ("media_player",)
_DOMAINS: Mapping[str, tuple[str, ...]] = {
    "HassLightSet": ("light",),
    "HassSetPosition": _COVERS,
    "HassStopMoving": _COVERS,
    "HassClimateSetTemperature": ("climate",),
    "HassSetVolume": _PLAYERS,
    "HassSetVolumeRelative": _PLAYERS,
    "HassMediaPause": _PLAYERS,
    "HassMediaUnpause": _PLAYERS,
    "HassMediaNext": _PLAYERS,
    "HassMediaPrevious": _PLAYERS,
    "HassMediaPlayerMute": _PLAYERS,
    "HassMediaPlayerUnmute": _PLAYERS,
    "HassMediaSearchAndPlay": _PLAYERS,
    "HassVacuumStart": ("vacuum",),
    "HassVacuumReturnToBase": ("vacuum",),
    "HassFanSetSpeed": ("fan",),
    "HassListAddItem": ("todo",),
    "HassListCompleteItem": ("todo",),
}
"""What a tool acts on where the call does not say."""

_CONTROLLED = frozenset({
    "light", "switch", "fan", "cover", "lock", "valve", "climate", "media_player", "vacuum", "scene", "script",
    "input_boolean", "todo", "siren", "humidifier", "button", "group", "homeassistant", "remote", "lawn_mower",
    "water_heater",
})  # fmt: skip

_VALUES = (
    "brightness", "color", "temperature", "position", "volume_level", "percentage", "item", "search_query",
    "volume_step", "is_volume_muted",
)  # fmt: skip
"""Arguments that say what to do, not to what."""


def acts_of(calls: Sequence[Made], home: Record) -> tuple[Any, ...]:
    """Return what the calls do: each act on each thing once, in one order; reading is no act."""
    acts: set[Any] = set()
    for call in calls:
        if call.name in READING:
            continue
        values = tuple(sorted((key, canonical(call.args[key])) for key in _VALUES if key in call.args))
        targets = targets_of(call, home)
        acts |= {(call.name, target, values) for target in targets}
        if not targets:
            rest = {key: value for key, value in call.args.items() if key not in {"domain", "device_class"}}
            acts.add((call.name, canonical(rest)))
    return tuple(sorted(acts, key=repr))


def targets_of(call: Made, home: Record) -> frozenset[str]:
    """Return the entity ids that a call acts on."""
    args = call.args
    areas = _areas(args, home)
    if areas is not None and not areas:
        return frozenset()
    domains = [folded(d) for d in listed(args.get("domain"))] or _DOMAINS.get(call.name, ())
    classes = [folded(c) for c in listed(args.get("device_class"))]
    return frozenset(
        e["id"]
        for e in home["entities"]
        if (domain := e["id"].split(".")[0]) in _CONTROLLED
        and (not domains or domain in domains)
        and (not classes or folded(e.get("device_class") or "") in classes)
        and (areas is None or e.get("area") in areas)
        and (not args.get("name") or _is_called(e, args["name"]))
    )


def _areas(args: Mapping[str, Any], home: Record) -> frozenset[str] | None:
    """Return the ids of the areas that a call names, None where it names no place, none where it is unknown."""
    area, floor = args.get("area"), args.get("floor")
    named: frozenset[str] | None = None
    if area:
        named = frozenset(a["id"] for a in home.get("areas", ()) if _is_called(a, area))
        if not named:
            return named
    if floor:
        on_floor = frozenset(a["id"] for a in home.get("areas", ()) if folded(a.get("floor", "")) == folded(floor))
        named = on_floor if named is None else named & on_floor
    return named


def _is_called(thing: Record, name: object) -> bool:
    return folded(name) in [folded(n) for n in (*thing.get("aliases", [thing["name"]]), thing["id"])]
