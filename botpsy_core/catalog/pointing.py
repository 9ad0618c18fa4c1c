"""Which arguments of a foreign tool point at things of the home, told by what their schemas say of themselves."""

import re
from collections.abc import Mapping
from enum import StrEnum

from botpsy_core.catalog.adopt import CLASS_DOMAINS, DOMAINS
from botpsy_core.domain.values import JsonObject, texts_of


class Point(StrEnum):
    """What an argument says of a thing."""

    NAME = "name"
    AREA = "area"
    FLOOR = "floor"
    DOMAIN = "domain"
    DEVICE_CLASS = "device_class"


_OF_A_THING = r"(?: (?:of|for) (?:the|a|an) (?:device|entity|thing|target)| (?:it|they) (?:is|are) in)?"
_SAYING: Mapping[Point, str] = {
    Point.NAME: rf"(?:(?:device|entity|thing|friendly)(?:'s)? )?names?{_OF_A_THING}",
    Point.AREA: rf"areas?(?:'s)?(?: names?)?{_OF_A_THING}",
    Point.FLOOR: rf"floors?(?:'s)?(?: names?)?{_OF_A_THING}",
    Point.DOMAIN: rf"(?:(?:device|entity) )?domains?{_OF_A_THING}",
    Point.DEVICE_CLASS: rf"device class(?:es)?{_OF_A_THING}",
}
"""What stands alone in an argument's name, title or description where it points; more words mean something else."""
_CLOSED: Mapping[Point, frozenset[str]] = {
    Point.DOMAIN: DOMAINS,
    Point.DEVICE_CLASS: frozenset(CLASS_DOMAINS),
}
"""Closed sets of values that tell by themselves."""


def points_of(properties: Mapping[str, JsonObject]) -> Mapping[Point, str]:
    """Return which argument says what of a thing, the first of each."""
    found: dict[Point, str] = {}
    for key, schema in properties.items():
        point = _point(key, schema)
        if point is not None:
            found.setdefault(point, key)
    return {point: found[point] for point in Point if point in found}


def values_of(schema: JsonObject) -> frozenset[str]:
    """Return the closed set of texts that an argument, or each item of it, is one of; empty where it is open."""
    items = schema.get("items")
    values = items.get("enum") if isinstance(items, Mapping) else schema.get("enum")
    return frozenset(texts_of(values))


def _point(key: str, schema: JsonObject) -> Point | None:
    """Return what the argument says of a thing: its values tell before its words."""
    values = values_of(schema)
    if values:
        return next((point for point, known in _CLOSED.items() if values <= known), None)
    if schema.get("type", "string") not in {"string", "array"}:
        return None
    said = [_plain(text) for text in (key, schema.get("title"), schema.get("description")) if isinstance(text, str)]
    return next((point for point, words in _SAYING.items() if any(re.fullmatch(words, text) for text in said)), None)


def _plain(text: str) -> str:
    words = text.replace("_", " ").lower().strip().rstrip(".")
    return re.sub(r"^(?:the|a|an) ", "", words)
