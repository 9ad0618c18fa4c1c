"""Tools in short form, as the model reads them."""

from collections.abc import Sequence
from typing import Any

from botpsy_core.dialect.families import Family
from botpsy_core.dialect.schema import grammar_schema
from botpsy_core.dialect.write import to_json, write_calls
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, Argument, Role, ToolSpec

RESERVED = (
    ToolSpec(
        name=NO_SUITABLE_TOOL,
        description="Use this when no other function does what is asked, or the thing or place named does not exist.",
    ),
    ToolSpec(
        name=ASK_USER,
        description="Use this when it is unclear which thing or value is meant.",
    ),
)
"""The two branches that every grammar has; listed last, so that the model knows of them."""


def list_tools(family: Family, tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return what a chat template takes as `tools`: sorted by name, then the two branches that always exist."""
    if not tools:
        return []
    functions = [_function(tool) for tool in (*sorted(tools, key=lambda tool: tool.name), *RESERVED)]
    return [{"type": "function", "function": f} for f in functions] if family.wraps_tools else functions


def describe_tools(family: Family, tools: Sequence[ToolSpec]) -> str:
    """Return the same as plain text, for a template that cannot list tools."""
    lines = "\n".join(to_json(function) for function in list_tools(family, tools))
    form = write_calls(family, [RawCall(name="function_name", args={"argument_name": "value"})])
    return (
        f"# Tools\n\nThese are the functions, one a line:\n{lines}\n\nAnswer with one call, written like this:\n{form}"
    )


def _function(tool: ToolSpec) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": {
            "type": "object",
            "properties": {argument.name: _property(argument) for argument in tool.arguments},
            "required": [argument.name for argument in tool.arguments if argument.required],
        },
    }


def _property(argument: Argument) -> dict[str, Any]:
    """Return what the model writes, which for a thing, a time or a text is words."""
    match argument.role:
        case Role.NUMBER | Role.OPTION | Role.FREE:
            shown = grammar_schema(argument.schema)
            shown.pop("maxLength", None)
        case Role.TARGET | Role.TIME | Role.DURATION | Role.TEXT:
            shown = {"type": "string"}
    return {**shown, "description": argument.description} if argument.description else dict(shown)
