"""Tell what another integration's tool has read, as it named it; capped, since somebody else may have written it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from botpsy_core.domain.values import JsonObject, JsonValue

MOST = 8
"""Facts that one answer tells."""
LONGEST = 160
"""Characters of one of them."""
_JOINT = re.compile(r"[_\-\s]+|(?<=[a-z])(?=[A-Z])")
_WRAPPERS = frozenset({"result", "results", "response", "data", "value", "status", "success"})
"""Keys that say nothing of what they hold."""


def read_out(data: JsonObject) -> str:
    """Return the facts of a result in one line, or an empty text where it holds none."""
    told = list(dict.fromkeys(_facts(data, "")))
    more = [f"(+{len(told) - MOST})"] if len(told) > MOST else []
    return ", ".join([*told[:MOST], *more])


def _facts(value: JsonValue, name: str) -> Iterator[str]:
    match value:
        case str() if value[:1] in {"{", "["} and (inner := _parsed(value)) is not None:
            yield from _facts(inner, name)
        case str() | int() | float():  # a flag too
            text = " ".join(str(value).lower().split() if isinstance(value, bool) else str(value).split())
            if text:
                shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
                yield f"{name}: {shown}" if name else shown
        case Mapping():
            for key, inner in value.items():
                said = " ".join(w.lower() for w in _JOINT.split(key) if w)
                yield from _facts(inner, "" if said in _WRAPPERS else said)
        case Sequence():
            for inner in value:
                yield from _facts(inner, name)


def _parsed(text: str) -> JsonValue:
    try:
        parsed: JsonValue = json.loads(text)
    except ValueError:
        return None
    return parsed
