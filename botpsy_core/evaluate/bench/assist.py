"""What Home Assistant 2026.10's own integration for llama-server tells the model: Assist's tools and its prompt.

Names, arguments and length are those of a home with such things as the bench's homes have; the wording is ours.
"""

from botpsy_core.domain.home import Home
from botpsy_core.domain.values import JsonObject

INSTRUCTIONS = """\
You are a voice assistant for Home Assistant. Answer questions about the world truthfully. Answer in plain text. \
Keep it simple and to the point.
You can answer questions about the home's present state by asking for its live context, one of your main tasks.
A question about what there is (as "do I have lights in the bedroom") is answered from the static context below.
A question about a present state, value or mode (as "is the lock locked", "is the fan on", "what is the thermostat's \
mode", "what is the temperature outside") needs live data: 1. see that it does, 2. use the tool that gets the live \
context, 3. answer from what the tool returned, for example "It is 12 degrees outside".
General questions that are not about the home are answered from what you know."""

RULES = """\
When controlling Home Assistant always call the intent tools. Use HassTurnOn to lock and HassTurnOff to unlock a lock. \
When controlling a device, prefer passing just name and domain. When controlling an area, prefer passing just area \
name and domain.
When a user asks to turn on all devices of a kind, ask for an area unless there is only one of that kind.
This device is not able to start timers."""

_TEXT: JsonObject = {"type": "string"}
_PLACE: dict[str, JsonObject] = {"name": _TEXT, "area": _TEXT, "floor": _TEXT}
_COVERS = (
    "awning",
    "blind",
    "curtain",
    "damper",
    "door",
    "garage",
    "gate",
    "shade",
    "shutter",
    "window",
    "water",
    "gas",
)
_PLAYERS = ("tv", "speaker", "receiver", "projector")
_EVERY = ("identify", "restart", "update", *_COVERS[:-2], *_PLAYERS, "outlet", "switch", *_COVERS[-2:])


def _number(kind: str, **bounds: int) -> JsonObject:
    return {"type": kind, **bounds}


def _kinds(domain: str | None, classes: tuple[str, ...]) -> dict[str, JsonObject]:
    """Return the two arguments that narrow what is meant."""
    kind: JsonObject = {**_TEXT, "enum": [domain]} if domain else dict(_TEXT)
    found: dict[str, JsonObject] = {"domain": {"type": "array", "items": kind}}
    if classes:
        found["device_class"] = {"type": "array", "items": {**_TEXT, "enum": [*classes]}}
    return found


_PERCENT = _number("integer", minimum=0, maximum=100)
_COVER = _PLACE | _kinds(None, _COVERS)
_PLAYER = _PLACE | _kinds("media_player", _PLAYERS)
_ANYTHING = _PLACE | _kinds(None, _EVERY)
_ITEM: dict[str, JsonObject] = {"item": _TEXT, "name": _TEXT}
_LIGHT: dict[str, JsonObject] = {"color": _TEXT, "temperature": _number("integer", minimum=0), "brightness": _PERCENT}
_STEP: JsonObject = {"anyOf": [{**_TEXT, "enum": ["down", "up"]}, _number("integer", minimum=-100, maximum=100)]}

_LIVE_CONTEXT = (
    "Provides real-time information about the current state, value or mode of devices, sensors, entities or areas. "
    "Use it for questions about current conditions and as a first step of conditional ones."
)
_STATUS: JsonObject = {**_TEXT, "enum": ["needs_action", "completed", "all"]}

_TOOLS: tuple[tuple[str, str, dict[str, JsonObject], tuple[str, ...]], ...] = (
    ("calendar__get_events", "Get events from a calendar for a day or a week.",
     {"calendar": {**_TEXT, "enum": ["Family"]}, "range": {**_TEXT, "enum": ["today", "week"]}}, ("calendar", "range")),
    ("climate__HassClimateSetTemperature", "Sets the target temperature of a climate device or area.",
     {"temperature": _number("number"), **_PLACE}, ("temperature",)),
    ("homeassistant__GetLiveContext", _LIVE_CONTEXT,
     {"name": _TEXT, "domain": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}, "area": _TEXT}, ()),
    ("intent__HassTurnOn", "Turns on, opens or presses a device or entity. For locks, this performs a lock action.",
     _ANYTHING, ()),
    ("intent__HassTurnOff", "Turns off or closes a device or entity. For locks, this performs an unlock action.",
     _ANYTHING, ()),
    ("intent__HassSetPosition", "Sets the position of a device or entity.", {**_COVER, "position": _PERCENT},
     ("position",)),
    ("intent__HassStopMoving", "Stops a moving device or entity.", _COVER, ()),
    ("intent__HassCancelAllTimers", "Cancels all timers.", {"area": _TEXT}, ()),
    ("light__HassLightSet", "Sets the brightness percentage or color of a light.",
     {**_PLACE, **_kinds("light", ()), **_LIGHT}, ()),
    ("llm__GetDateTime", "Provides the current date and time.", {}, ()),
    ("media_player__HassMediaUnpause", "Resumes a media player.", _PLAYER, ()),
    ("media_player__HassMediaPause", "Pauses a media player.", _PLAYER, ()),
    ("media_player__HassMediaNext", "Skips a media player to the next item.", _PLAYER, ()),
    ("media_player__HassMediaPrevious", "Replays the previous item of a media player.", _PLAYER, ()),
    ("media_player__HassSetVolume", "Sets the volume percentage of a media player.",
     {**_PLAYER, "volume_level": _PERCENT}, ("volume_level",)),
    ("media_player__HassSetVolumeRelative", "Increases or decreases the volume of a media player.",
     {"volume_step": _STEP, **_PLACE}, ("volume_step",)),
    ("media_player__HassMediaPlayerMute", "Mutes a media player.", _PLAYER, ()),
    ("media_player__HassMediaPlayerUnmute", "Unmutes a media player.", _PLAYER, ()),
    ("todo__get_items", "Query a to-do list to find out what items are on it.",
     {"todo_list": {**_TEXT, "enum": ["Shopping list"]}, "status": _STATUS},
     ("todo_list",)),
    ("todo__HassListAddItem", "Add an item to a to-do list.", _ITEM, ("item", "name")),
    ("todo__HassListCompleteItem", "Complete an item on a to-do list.", _ITEM, ("item", "name")),
    ("todo__HassListRemoveItem", "Remove an item from a to-do list.", _ITEM, ("item", "name")),
)  # fmt: skip


def functions() -> list[JsonObject]:
    """Return the tools as an OpenAI server takes them."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": {
                    "type": "object",
                    "properties": dict(properties),
                    "required": list(required),
                    "additionalProperties": False,
                },
            },
        }
        for name, description, properties, required in _TOOLS
    ]


def system_of(home: Home) -> str:
    """Return the system text: names, kinds and areas of all that is exposed, without their states."""
    blocks = []
    for entity in home.entities:
        area = home.area(entity.area_id)
        block = f"- names: {entity.name}\n  domain: {entity.domain}"
        blocks.append(f"{block}\n  areas: {area.name}" if area else block)
    overview = "\n".join(("Static Context: An overview of the areas and the devices in this smart home:", *blocks))
    return f"{INSTRUCTIONS}\n\n{overview}\n\n{RULES}"


def result_of(name: str) -> JsonObject:
    """Return what a tool answers where all went well."""
    if name.endswith("GetLiveContext"):
        return {"data": {"result": "Live Context: nothing of that name is exposed."}, "error": False}
    done: JsonObject = {"speech": {}, "response_type": "action_done", "data": {"success": [], "failed": []}}
    return {"data": done, "error": False}
