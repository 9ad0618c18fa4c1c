"""Say what a call does, from its tool's direction, its targets and its values."""

from collections.abc import Sequence
from datetime import datetime

from botpsy_core.agent.moments import say_duration, say_moment
from botpsy_core.agent.phrases import Phrases
from botpsy_core.catalog import only_schema
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import Argument, Direction, Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue

_MOST_NAMES = 4
_OF_THE_WHOLE = frozenset({Direction.LOCK, Direction.UNLOCK})
"""What is done to a device as a whole; it may open, close or start a part of itself."""


def say_names(phrases: Phrases, ids: Sequence[str], home: Home) -> str:
    """Return the names of some things; their number where they are many."""
    if len(ids) > _MOST_NAMES:
        return phrases.say("many", count=len(ids))
    return phrases.listed([e.name if (e := home.entity(i)) is not None else i for i in ids])


def say_act(phrases: Phrases, form: str, call: ToolCall, *, spec: ToolSpec, home: Home, now: datetime) -> str:
    """Return a call in words: `do` ("turn on X"), `done` ("Turned on X.") or `so` ("X is already on.").

    A tool that does more than go a way has sentences of its own, under its name.
    """
    ids = spec.targets_of(call)
    names = say_names(phrases, ids, home)
    text = _texts(call, spec)
    values = phrases.listed([say_value(phrases, a, call.args[a.name], now) for a in _valued(spec, call)])
    key = _key(spec, names=names, text=text, values=values)
    tool = spec.description.rstrip(".")
    tool = tool[:1].lower() + tool[1:]
    if phrases.find("acts", key, form) is None:
        key = _described(spec, names)
    said = {"names": names, "text": text, "values": values, "named": say_named(text), "tool": tool}
    own = not only_schema(spec) and phrases.find("tools", spec.name, form) is not None
    path = ("tools", spec.name) if own else ("acts", key)
    return phrases.say(*path, form, count=max(1, len(ids)), **said)


def _texts(call: ToolCall, spec: ToolSpec) -> str:
    """Return the texts of a call in a row; what stands above a message stands before it."""
    texts = [str(call.args[a.name]) for a in spec.arguments_of(Role.TEXT) if a.name in call.args]
    return ": ".join(reversed(texts)) if spec.direction is Direction.SEND else ", ".join(texts)


def say_named(text: str) -> str:
    """Return what something is for, as it stands behind its kind."""
    return f" \u201c{text}\u201d" if text else ""


def _key(spec: ToolSpec, *, names: str, text: str, values: str) -> str:
    """Return which of the sentences for the tool's direction has a place for everything that the call says."""
    if spec.direction is None or (spec.target is not None and spec.direction not in _OF_THE_WHOLE):
        return _described(spec, names)
    key = spec.direction.value
    if text:
        key += "_to" if names else ""
        return f"{key}_for" if values and key.startswith("add") else key
    if not names:
        return "other"
    return f"{key}_to" if values and key == "set" else key


def _described(spec: ToolSpec, names: str) -> str:
    """Return the sentence around a tool's own description, which names the thing where the tool has only one."""
    return "other_to" if names and spec.target is None else "other"


def _valued(spec: ToolSpec, call: ToolCall) -> list[Argument]:
    roles = {Role.NUMBER, Role.OPTION, Role.TIME, Role.DURATION}
    return [a for a in spec.arguments if a.role in roles and a.name in call.args]


def say_value(phrases: Phrases, argument: Argument, value: JsonValue, now: datetime) -> str:
    """Return one argument's value in words."""
    match argument.role:
        case Role.TIME:
            return say_moment(phrases, str(value), now)
        case Role.DURATION if isinstance(value, int | float):
            return say_duration(phrases, value)
        case Role.NUMBER if isinstance(value, int | float):
            return say_number(phrases, value, str(argument.schema.get("x-unit") or ""))
        case Role.OPTION if argument.schema.get("x-values") == "color":
            return str(phrases.find("colors", str(value)) or value)
        case _:
            return str(value).replace("_", " ")


_SIGNS = {"kelvin": "K"}
"""Units whose sign is another than their name in a schema, where it would be read as a change of degrees."""


def say_number(phrases: Phrases, value: float, unit: str = "") -> str:
    """Return a number with its unit and the language's decimal mark."""
    digits = f"{round(value, 2):g}".replace(".", str(phrases.find("number", "decimal")))
    return f"{digits}{'' if unit in {'', '%'} else ' '}{_SIGNS.get(unit, unit)}"
