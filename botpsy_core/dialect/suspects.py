"""Text that looks like an attempt at a call, in whatever format."""

import re

from botpsy_core.dialect.families import FAMILIES

_PLAIN = frozenset({"```", "<think>"})
"""Markers that honest text may hold."""

_MARKERS = sorted(
    {m.strip() for f in FAMILIES for m in (f.opening, f.closing, f.name_open, f.arg_open, f.end)} - _PLAIN - {""}
)
_TELLING = [re.escape(marker) for marker in _MARKERS if marker[0] in "<`"]

_SUSPECT = re.compile(
    "|".join(
        (
            *_TELLING,
            r"[{\[]\s*[\"'](?:name|function|function_name|tool|tool_calls?|arguments|parameters|type)[\"']\s*:",
            r"</?tools?>",
            r"<\|[^<>|\s]{1,40}\|>",
            r"^\s*(?:```\w*\s*)?[{\[]\s*[\"'{\[]",
        )
    )
)


def looks_like_call(text: str) -> bool:
    """Return True if the text holds a marker of any family or the beginning of a JSON call."""
    return _SUSPECT.search(text) is not None
