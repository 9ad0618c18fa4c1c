"""Make a foreign tool that acts on the home speak our words: its ways, its kinds, its units, and our cues for its like.

Tool texts are English; what is read here is what they say of themselves, never what a tool is called.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from botpsy_core.catalog.amounts import KELVIN
from botpsy_core.catalog.facts import name_words
from botpsy_core.catalog.likeness import Likeness
from botpsy_core.catalog.loader import load_tools
from botpsy_core.domain.tools import OPPOSITES, Argument, Direction, Role, ToolSpec
from botpsy_core.domain.values import JsonObject

WAYS: Mapping[Direction, str] = {
    Direction.ON: r"(?:turn|switch)(?:e?s|ing)? on|activat\w+|enabl\w+",
    Direction.OFF: r"(?:turn|switch)(?:e?s|ing)? off|deactivat\w+|disabl\w+",
    Direction.OPEN: r"open(?:s|ing)?",
    Direction.CLOSE: r"clos(?:e|es|ing)|shuts?",
    Direction.LOCK: r"lock(?:ing)?",
    Direction.UNLOCK: r"unlock(?:s|ing)?",
    Direction.UP: r"increas\w+|rais\w+|up",
    Direction.DOWN: r"decreas\w+|lower(?:s|ing)?|reduc\w+|down",
    Direction.START: r"start(?:s|ing)?|begins?|resum\w+|plays?|runs?",
    Direction.STOP: r"stop(?:s|ping)?|paus\w+|ends?",
    Direction.ADD: r"add(?:s|ing)?|creat\w+",
    Direction.REMOVE: r"remov\w+|delet\w+|complet\w+",
    Direction.SET: r"set(?:s|ting)?|adjusts?|chang\w+",
    Direction.SEND: r"send(?:s|ing)?|notif\w+|announc\w+|broadcast\w*",
}
"""English words of a tool's text, by the way that they go."""
ENDING = re.compile(r"\breturns?\b[^.]*\b(?:base|dock|charger|station)\b")
"""What ends a cleaner's work without saying so: who wants a vacuum stopped wants it home."""
KINDS: Mapping[str, str] = {
    "light": "light",
    "climate": "climate",
    "fan": "fan",
    "vacuum": "vacuum",
    "media player": "media_player",
    "cover": "cover",
    "valve": "valve",
    "humidifier": "humidifier",
    "scene": "scene",
    "script": "script",
    "lawn mower": "lawn_mower",
    "todo list": "todo",
    "to-do list": "todo",
    "calendar": "calendar",
}
"""Words of a tool's text for what it acts on."""
CLASS_DOMAINS: Mapping[str, str] = {
    **dict.fromkeys(
        ("awning", "blind", "curtain", "damper", "door", "garage", "gate", "shade", "shutter", "window"), "cover"
    ),
    **dict.fromkeys(("water", "gas"), "valve"),
    **dict.fromkeys(("tv", "speaker", "receiver"), "media_player"),
    **dict.fromkeys(("outlet", "switch"), "switch"),
    **dict.fromkeys(("identify", "restart", "update"), "button"),
}
"""Home Assistant's device classes, by the domain that has them."""
DOMAINS = frozenset({
    *KINDS.values(), *CLASS_DOMAINS.values(), "alarm_control_panel", "automation", "binary_sensor", "button", "camera",
    "counter", "date", "datetime", "device_tracker", "event", "group", "image", "input_boolean", "input_button",
    "input_datetime", "input_number", "input_select", "input_text", "lock", "notify", "number", "person", "remote",
    "select", "sensor", "siren", "sun", "switch", "text", "time", "timer", "update", "water_heater", "weather", "zone",
})  # fmt: skip
"""Home Assistant's domains of things."""
FEW_DOMAINS = 2
"""A tool for classes of more domains than this takes anything."""
SAME: Mapping[Direction, Direction] = {Direction.START: Direction.ON, Direction.STOP: Direction.OFF}
"""Ways that a switch does not tell apart: cruise control is started or turned on."""
LIKE = 0.3
"""The likeness from which a foreign tool is one of ours by another name."""


def ways_of(text: str) -> tuple[Direction, ...]:
    """Return the ways that a tool's text names, in the order of its words."""
    found = [(m.start(), way) for way, words in WAYS.items() for m in re.finditer(rf"\b(?:{words})\b", text.lower())]
    return tuple(dict.fromkeys(way for _, way in sorted(found)))


def way_of_yes(name: str, description: str) -> Direction | None:
    """Return the way that a yes or no goes with a yes, as its name or its description says; None where neither does."""
    words = name_words(name)
    for word in (Direction.ON, Direction.OFF):
        if words == {word.value}:
            return word
    told = description.lower().partition("false")[0]
    ways = {SAME.get(w, w) for w in (ways_of(" ".join(sorted(words))) or ways_of(told)) if w in OPPOSITES}
    return ways.pop() if len(ways) == 1 else None


def kinds_of(text: str, domains: Sequence[str], classes: Sequence[str]) -> frozenset[str]:
    """Return what a tool acts on, by its schema's domains and classes, else by its text; empty for anything."""
    if domains:
        return frozenset(domains)
    of_classes = {CLASS_DOMAINS[c] for c in classes if c in CLASS_DOMAINS}
    if of_classes:
        return frozenset(of_classes) if len(of_classes) <= FEW_DOMAINS else frozenset()
    return frozenset(kind for word, kind in KINDS.items() if re.search(rf"\b{word}s?\b", text.lower()))


def adopted(tool: ToolSpec, text: str) -> ToolSpec:
    """Return a foreign tool of the home with directions, units, and the cues of the tool of ours that is like it."""
    ways = () if tool.read_only else ways_of(text)
    spec = replace(
        tool,
        direction=ways[0] if ways else None,
        also=frozenset(ways[1:]) | ({Direction.STOP} if not tool.read_only and ENDING.search(text.lower()) else set()),
        arguments=tuple(_measured(argument, tool) for argument in tool.arguments),
    )
    own = _like(spec, text)
    return replace(spec, cues=own.cues) if own else spec


def _like(tool: ToolSpec, text: str) -> ToolSpec | None:
    """Return the tool of ours whose text is most like this one's, if their kinds and ways can be the same."""
    scores = _own_texts().of(text)
    score, own = max(zip(scores, load_tools(), strict=True), key=lambda pair: pair[0])
    kinds = frozenset(kind for a in tool.arguments_of(Role.TARGET) for kind in a.kinds)
    own_kinds = frozenset(kind for a in own.arguments_of(Role.TARGET) for kind in a.kinds)
    same = not kinds or bool(kinds & own_kinds)
    return own if score >= LIKE and same and own.read_only == tool.read_only else None


@cache
def _own_texts() -> Likeness:
    return Likeness([f"{t.name.replace('_', ' ')} {t.description} {' '.join(t.examples)}" for t in load_tools()])


def _measured(argument: Argument, tool: ToolSpec) -> Argument:
    """Return the argument with the unit that its bounds or its words mean."""
    words = f"{argument.name} {argument.description}".lower().replace("_", " ")
    schema: JsonObject = argument.schema
    if "color" in words or "colour" in words:
        return replace(argument, role=Role.OPTION, schema={**schema, "x-values": "color"})
    if argument.role is not Role.NUMBER:
        return argument
    heats = any(kind in {"climate", "water_heater"} for a in tool.arguments_of(Role.TARGET) for kind in a.kinds)
    if heats and "temperature" in words:
        return replace(argument, schema={**schema, "x-unit": "°C"})
    if "kelvin" in words or "color temperature" in words:
        return replace(argument, schema={**schema, "x-unit": KELVIN})
    if schema.get("maximum") == 100:
        return replace(argument, schema={**schema, "x-unit": "%"})
    return argument
