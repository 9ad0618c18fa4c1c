"""From what the model wrote to a call whose arguments are final."""

import re
from collections.abc import Mapping

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Argument, Role, ToolCall
from botpsy_core.domain.values import JsonValue
from botpsy_core.errors import BadArguments, UnknownTool


def resolve(raw: RawCall, *, offer: Offer, call_id: str) -> ToolCall:
    """Return the call with labels turned into values; raise UnknownTool or BadArguments.

    An argument that is required and was not written stays out, and a heard number that is out of range stays in: the
    gate asks about both.
    """
    offered = offer.tool(raw.name)
    if offered is None:
        known = ", ".join(t.tool.name for t in offer.tools) or "none"
        raise UnknownTool(f"{raw.name!r} was not offered; offered are: {known}")
    args = {name: _value(offered, name, value) for name, value in raw.args.items()}
    return ToolCall(id=call_id, name=raw.name, args=args)


def check_value(argument: Argument, value: JsonValue) -> None:
    """Raise BadArguments if the final value breaks the argument's schema."""
    _check(argument.schema, value, argument.name)


def _value(offered: OfferedTool, name: str, raw: JsonValue) -> JsonValue:
    slot = next((s for s in offered.slots if s.argument.name == name), None)
    if slot is None:
        raise BadArguments(name, f"{offered.tool.name!r} was not offered with it")
    if slot.choices:
        value = _chosen(slot, raw)
        if slot.argument.role is not Role.NUMBER:
            check_value(slot.argument, value)
        return value
    value = [_written(slot, item) for item in raw] if isinstance(raw, (list, tuple)) else _written(slot, raw)
    check_value(slot.argument, value)
    return value


def _chosen(slot: Slot, raw: JsonValue) -> JsonValue:
    """Return the value behind a label, or behind a list of labels as one list."""
    if isinstance(raw, list):
        values = [_choice(slot, item) for item in raw]
        return [v for value in values for v in (value if isinstance(value, (list, tuple)) else [value])]
    value = _choice(slot, raw)
    return list(value) if isinstance(value, tuple) else value


def _choice(slot: Slot, raw: JsonValue) -> JsonValue:
    found: Choice | None = next((c for c in slot.choices if raw in (c.label, c.value)), None)
    if found is None and isinstance(raw, (int, float)) and not isinstance(raw, bool):
        found = next((c for c in slot.choices if c.label == f"{raw:g}"), None)
    if found is None:
        labels = ", ".join(repr(c.label) for c in slot.choices[:8])
        raise BadArguments(slot.argument.name, f"{raw!r} is none of {labels}")
    return found.value


def _written(slot: Slot, raw: JsonValue) -> JsonValue:
    if not slot.words or not isinstance(raw, str):
        return raw
    text = " ".join(raw.split())
    words = " ".join(slot.words.split())
    if not re.search(rf"(?<![^\W_]){re.escape(text)}(?![^\W_])", words, re.IGNORECASE) and not _unspaced_part(
        text, words
    ):
        raise BadArguments(slot.argument.name, f"{raw!r} was not said")
    return text


def _unspaced_part(text: str, words: str) -> bool:
    return not text.isascii() and text in words


def _check(schema: Mapping[str, JsonValue], value: JsonValue, path: str) -> None:
    problem = best_match(Draft202012Validator(dict(schema)).iter_errors(value))
    if problem is not None:
        place = problem.json_path.removeprefix("$")
        raise BadArguments(f"{path}{place}", problem.message)
