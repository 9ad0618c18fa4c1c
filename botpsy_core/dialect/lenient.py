"""Calls as untaught models write them; for measuring such models, never for acting."""

import json
import re
from collections.abc import Iterator, Mapping

from botpsy_core.dialect.suspects import looks_like_call
from botpsy_core.domain.decisions import Item, Malformed, RawCall, Said
from botpsy_core.domain.values import JsonValue

_NAMES = ("name", "function", "function_name", "tool", "tool_name", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "params", "input")
_SCAFFOLD = re.compile(r"```\w*|</?tool_calls?>|</?tools?>|</?function_calls?>")
_DECODER = json.JSONDecoder(strict=False)


def read_leniently(text: str, names: frozenset[str]) -> tuple[Item, ...]:
    """Return every JSON call that stands anywhere in the text, the speech around, and what is neither."""
    items: list[Item] = []
    spoken, at = "", 0
    for start, end, found in _values(text):
        calls = list(_calls(found))
        if not calls:
            continue
        spoken, at = spoken + text[at:start], end
        known = all(call is not None and call.name in names for call in calls)
        items += [call for call in calls if call is not None] if known else [Malformed(text=text[start:end])]
    spoken = re.sub(r"\n{2,}", "\n", _SCAFFOLD.sub("", spoken + text[at:])) if items else text
    if not spoken.strip():
        return tuple(items)
    speech: Item = Malformed(text=spoken) if looks_like_call(spoken) else Said(text=spoken.strip())
    return (*items, speech)


def _values(text: str) -> Iterator[tuple[int, int, JsonValue]]:
    """Yield every outermost JSON object and list with where it stands."""
    at = 0
    while (opening := re.search(r"[{\[]", text[at:])) is not None:
        start = at + opening.start()
        try:
            found, end = _DECODER.raw_decode(text, start)
        except ValueError, RecursionError:
            at = start + 1
            continue
        yield start, end, found
        at = end


def _calls(value: JsonValue) -> Iterator[RawCall | None]:
    """Yield the calls of one value, None for an attempt that is none."""
    if isinstance(value, list):
        for item in value:
            yield from _calls(item)
        return
    if not isinstance(value, Mapping):
        return
    inner = value.get("function")
    if isinstance(inner, Mapping) or "tool_calls" in value:
        yield from _calls(inner if isinstance(inner, Mapping) else value["tool_calls"])
        return
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    if name is None:
        return
    if "description" in value:  # an echo of a tool's own schema
        yield None
        return
    args = next((value[key] for key in _ARGUMENTS if key in value), {})
    yield _call(str(name), args)


def _call(name: str, args: JsonValue) -> RawCall | None:
    if isinstance(args, str):
        try:
            args = json.loads(args or "{}")
        except ValueError:
            return None
    return RawCall(name=name, args=args) if isinstance(args, Mapping) else None
