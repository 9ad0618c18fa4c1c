"""Made of: what else moves when a group, a scene or a script is acted on."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_ENTITY_ID, CONF_ACTION, CONF_DOMAIN, CONF_TARGET, CONF_TYPE
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er

from botpsy_core.domain.home import Entity, Part
from botpsy_core.domain.tools import Direction

_SCENES: Final = "homeassistant_scene"
"""Where Home Assistant keeps the platform of its own scenes."""
_LIGHTS_ALONE: Final = frozenset({"deconz", "elgato", "hue", "lifx", "nanoleaf", "wled"})
"""Platforms whose scenes set lights and nothing else."""
_TELLING: Final = frozenset(
    {
        *{"calendar", "conversation", "counter", "input_datetime", "input_number", "input_text", "light", "logbook"},
        *{"media_player", "notify", "persistent_notification", "system_log", "timer", "todo", "tts", "weather"},
    }
)
"""Domains of actions that can do no harm, whatever they are meant for."""
_UNKNOWN: Final = "unknown"
"""The domain of what may be anything; the policy treats it as what opens the home."""
_ANY: Final[frozenset[Direction]] = frozenset()
_WANTED: Final[Mapping[str, Direction]] = {
    "on": Direction.ON,
    "off": Direction.OFF,
    "open": Direction.OPEN,
    "closed": Direction.CLOSE,
    "locked": Direction.LOCK,
    "unlocked": Direction.UNLOCK,
    "disarmed": Direction.OFF,
}
"""A state that a scene sets, and the way that leads to it."""
_GOING: Final[Mapping[str, Direction]] = {
    "turn_on": Direction.ON,
    "turn_off": Direction.OFF,
    "open": Direction.OPEN,
    "close": Direction.CLOSE,
    "lock": Direction.LOCK,
    "unlock": Direction.UNLOCK,
    "alarm_disarm": Direction.OFF,
    "alarm_arm": Direction.ON,
    "arm": Direction.ON,
    "disarm": Direction.OFF,
    "start": Direction.START,
    "stop": Direction.STOP,
}
"""How an action's name begins, and its way; any other may go anywhere."""


@callback
def parts_of(hass: HomeAssistant, state: State) -> tuple[Part, ...]:
    """Return what a thing moves besides itself, through everything that is made of others in turn."""
    return tuple(_inside(hass, state, {state.entity_id}))


def _inside(hass: HomeAssistant, state: State, seen: set[str]) -> Iterator[Part]:
    for entity_id, ways in _moved(hass, state):
        if entity_id in seen:
            continue
        inner = hass.states.get(entity_id)
        entity = Entity(id=entity_id, name=entity_id) if inner is None else _entity(inner)
        yield Part(entity=entity, ways=ways)
        if inner is not None:
            for part in _inside(hass, inner, {*seen, entity_id}):
                yield Part(entity=part.entity, ways=ways if part.ways is None else part.ways)


def _entity(state: State) -> Entity:
    return Entity(id=state.entity_id, name=state.name, device_class=state.attributes.get(ATTR_DEVICE_CLASS))


def _moved(hass: HomeAssistant, state: State) -> Iterator[tuple[str, frozenset[Direction] | None]]:
    """Yield what a thing moves by itself, and which way."""
    match state.domain:
        case "scene":
            yield from _of_scene(hass, state)
        case "script" | "automation":
            yield from _of_script(hass, state)
        case _:
            yield from ((each, None) for each in _listed(state.attributes.get(ATTR_ENTITY_ID)))


def _of_scene(hass: HomeAssistant, state: State) -> Iterator[tuple[str, frozenset[Direction]]]:
    platform = hass.data.get(_SCENES)
    scene = platform.entities.get(state.entity_id) if platform is not None else None
    wanted: Mapping[str, State] = scene.scene_config.states if scene is not None else {}
    entry = er.async_get(hass).async_get(state.entity_id)
    listed = dict.fromkeys((*wanted, *_listed(state.attributes.get(ATTR_ENTITY_ID))))
    if not listed and (entry is None or entry.platform not in _LIGHTS_ALONE):
        yield f"{_UNKNOWN}.scene", _ANY
    for entity_id in listed:
        to = wanted[entity_id].state if entity_id in wanted else ""
        way = Direction.ON if to.startswith("armed") else _WANTED.get(to, Direction.SET if to else None)
        yield entity_id, _ANY if way is None else frozenset({way})


def _of_script(hass: HomeAssistant, state: State) -> Iterator[tuple[str, frozenset[Direction]]]:
    component = hass.data.get(state.domain)
    script = component.get_entity(state.entity_id) if component is not None else None
    registry, steps = er.async_get(hass), _steps_of(script)
    if steps is None:
        yield f"{_UNKNOWN}.{state.domain}", _ANY
    for action, target in _actions(steps):
        domain, _, name = action.partition(".")
        ways = [way for start, way in _GOING.items() if name.startswith(start)]
        if domain == "script" and hass.states.get(action) is not None:
            yield action, _ANY
            continue
        ids = [er.async_resolve_entity_id(registry, each) or each for each in target]
        # What is named by room, device or template may be anything of its domain; what is no such action, anything.
        for entity_id in ids or ([f"{domain}.unnamed"] if domain not in {"script", "automation"} else []):
            yield entity_id, frozenset(ways)
        if not ids and domain not in _TELLING:
            yield f"{_UNKNOWN}.{domain}", _ANY


def _steps_of(script: object) -> object:
    """Return what a script or an automation does, a blueprint filled in; None where it cannot be told."""
    written = getattr(script, "raw_config", None)
    if isinstance(written, Mapping) and "use_blueprint" not in written:
        return written
    made = getattr(script, "script", None) or getattr(script, "action_script", None)
    return getattr(made, "sequence", None)


def _actions(config: object) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every action that a script's own text names, with the things that it names for it."""
    if isinstance(config, list | tuple):
        for each in config:
            yield from _actions(each)
    if not isinstance(config, Mapping):
        return
    yield from _named_in(config)
    for key, value in config.items():
        if key not in (CONF_TARGET, "data"):
            yield from _actions(value)


def _named_in(step: Mapping[Any, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the action of one step; of one that is computed or fires an event nobody can tell what it does."""
    action: Any = step.get(CONF_ACTION, step.get("service"))
    if isinstance(step.get("scene"), str):
        yield "scene.turn_on", (step["scene"],)
    elif isinstance(step.get(CONF_DOMAIN), str) and isinstance(step.get(CONF_TYPE), str):
        yield f"{step[CONF_DOMAIN]}.{step[CONF_TYPE]}", _listed(step.get(ATTR_ENTITY_ID))
    elif "event" in step or (action is not None and not (isinstance(action, str) and "{" not in action)):
        yield f"{_UNKNOWN}.step", ()
    elif isinstance(action, str) and "." in action:
        holders = (step, step.get(CONF_TARGET), step.get("data"))
        yield action, tuple(i for h in holders if isinstance(h, Mapping) for i in _listed(h.get(ATTR_ENTITY_ID)))


def _listed(ids: object) -> tuple[str, ...]:
    """Return entity ids, however they are written; templates name nothing."""
    found = ids.split(",") if isinstance(ids, str) else ids if isinstance(ids, list | tuple | set) else ()
    return tuple(each.strip() for each in found if isinstance(each, str) and "{" not in each)
