"""Tools as one line each, for the few that one decision is about when a full list of all would be too long to read."""

import re
from collections.abc import Mapping, Sequence

from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import Argument
from botpsy_core.domain.values import JsonObject, JsonValue

_LONGEST_TEXT = 110
"""Characters of a tool's own text."""
_LONGEST_HINT = 60
"""Characters of an argument's."""
_END = re.compile(r"(?<=[.!?;])\s|\s\(")


def signatures(offered: Sequence[OfferedTool]) -> str:
    """Return one line a tool: name, what each argument may be, and the first sentence of its description."""
    return "\n".join(_line(tool) for tool in offered)


def _line(offered: OfferedTool) -> str:
    tool = offered.tool
    shown = [_argument(s.argument) for s in offered.slots]
    return f"{tool.name}({', '.join(shown)}): {_first(tool.description, _LONGEST_TEXT)}"


def _argument(argument: Argument) -> str:
    kind = _kind(argument.schema)
    hint = "" if "|" in kind or not argument.description else f" ({_first(argument.description, _LONGEST_HINT)})"
    return f"{argument.name}: {kind}{hint}" if argument.required else f"[{argument.name}: {kind}{hint}]"


def _kind(schema: JsonObject) -> str:
    """Return what a value may be, in a few words."""
    options = schema.get("enum")
    if isinstance(options, Sequence) and not isinstance(options, str):
        return "|".join(str(o) for o in options)
    match schema.get("type"):
        case "boolean":
            return "true|false"
        case "array":
            items = schema.get("items")
            return f"list of {_kind(items) if isinstance(items, Mapping) else 'values'}"
        case "number" | "integer":
            return _range(schema.get("minimum"), schema.get("maximum"))
        case kind:
            return str(kind or "text").replace("string", "text")


def _range(low: JsonValue, high: JsonValue) -> str:
    if low is None and high is None:
        return "number"
    return (
        f"{low} to {high}" if low is not None and high is not None else f"from {low}" if high is None else f"to {high}"
    )


def _first(text: str, most: int) -> str:
    sentence = _END.split(text.strip(), maxsplit=1)[0].rstrip(".;")
    return sentence if len(sentence) <= most else sentence[:most].rsplit(" ", 1)[0]
