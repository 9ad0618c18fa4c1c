"""Read options that a foreign argument's description lists, where its schema does not."""

import json
import re
from collections.abc import Sequence

from botpsy_core.domain.tools import Argument
from botpsy_core.domain.values import JsonObject, JsonValue, mapping_of

_JSON = re.compile(r"\benum\b\W{0,3}(\[[^\[\]]*\])", re.IGNORECASE)
"""`[Enum]: ["on", "off"]`"""
_QUOTED = r"['\"\u2018\u201c`]([^'\"\u2018\u2019\u201c\u201d`]{1,40})['\"\u2019\u201d`]"
_CUE = r"(?:one of|either|options(?: are)?|(?:allowed|possible|valid|supported|available) (?:values|options)(?: are)?)"
_LISTED = re.compile(rf"\b{_CUE}\W{{0,3}}({_QUOTED}(?:\s*(?:,|/|\||or|and|, or|, and)\s*{_QUOTED})+)", re.IGNORECASE)
"""`one of 'on', 'off'`"""
_MARK = re.compile(r"\b(?:start|begin)s?\s+with\s+(?:an?\s+|the\s+)?['\"`]?([#@$~&])(?!\w)", re.IGNORECASE)
"""`should start with #`"""
_DEFAULT = re.compile(
    r"\bdefaults?(?:\s+value)?(?:\s*(?:is|are|to|as|of|:|=))*\s*(?:approximately\s+)?"
    rf"(?:{_QUOTED}|(?P<number>-?\d+(?:\.\d+)?)(?![\w.]*\w)|(?P<truth>true|false)\b)",
    re.IGNORECASE,
)
"""`Default is 52.`, `defaults to 'metric'`"""
_CODE = re.compile(
    r"(?<![\w.])['\"`]?(\d{1,4})['\"`]?\s*(?::|=|for|to|is|means|represents|corresponds to)\s+"
    r"(?:an?\s+|the\s+)?([^\W\d_][^,.;()'\"`\d]*)"
)
"""`'1' for cleaning, '2' for ironing`"""
FEWEST = 2
"""Options, or numbers with a meaning, that make a list."""
_NOTED = re.compile(r"(?<![\w.])(-?\d{1,4})\s*\(([^()\d]{3,40})\)")
"""`between 0 (not pressed) and 1 (fully pressed)`"""
_DENIES = ("not ", "no ")


def with_options(schema: JsonObject, description: str) -> JsonObject:
    """Return the schema with the options that its description lists; for a list, as what it may hold."""
    if "enum" in schema or schema.get("type") not in {"string", "array"}:
        return schema
    options = _options(description)
    if len(options) < FEWEST:
        return schema
    if schema.get("type") == "string":
        return {**schema, "enum": options}
    held = mapping_of(schema.get("items"))
    if held.get("type", "string") != "string" or "enum" in held:
        return schema
    return {**schema, "items": {**held, "type": "string", "enum": options}}


def told_default(schema: JsonObject, description: str) -> JsonValue:
    """Return the default that a description tells, of the schema's type, or None."""
    found = _DEFAULT.search(description)
    kind = schema.get("type")
    if found is None:
        return None
    if found["number"] is not None and kind in {"number", "integer"}:
        number = float(found["number"])
        return int(number) if number.is_integer() else number
    if found["truth"] is not None and kind == "boolean":
        return found["truth"].lower() == "true"
    return found[1] if found[1] is not None and kind == "string" else None


def told_codes(description: str) -> Sequence[tuple[str, str]]:
    """Return the numbers that a description gives meanings to, each with its words; none where it is only one."""
    found = [(m[1], m[2].strip()) for m in _CODE.finditer(description)]
    return found if len(found) >= FEWEST else []


def told_opposites(description: str) -> tuple[str, str] | None:
    """Return the number and the words of what a description calls so, where it calls the other end just not so.

    `between 0 (not pressed) and 1 (fully pressed)`: 1, fully pressed.
    """
    found = {m[1]: m[2].strip() for m in _NOTED.finditer(description)}
    denied = [code for code, words in found.items() if words.lower().startswith(_DENIES)]
    if len(found) != FEWEST or len(denied) != 1:
        return None
    return next((code, words) for code, words in found.items() if code not in denied)


def mark_of(argument: Argument) -> str:
    """Return the sign that each item of a list of texts begins with, as its description says; empty for none."""
    found = _MARK.search(argument.description) if argument.schema.get("type") == "array" else None
    return "" if found is None else found[1]


def _options(description: str) -> Sequence[str]:
    if found := _JSON.search(description):
        try:
            listed = json.loads(found[1])
        except ValueError:
            return []
        return listed if all(isinstance(option, str) for option in listed) else []
    if found := _LISTED.search(description):
        return list(dict.fromkeys(re.findall(_QUOTED, found[1])))
    return []
