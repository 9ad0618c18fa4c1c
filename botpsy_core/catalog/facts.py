"""What results of earlier calls hold, leaf by leaf, with the record that each leaf stands in."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from botpsy_core.domain.messages import Message, ResultMessage
from botpsy_core.domain.tools import Outcome
from botpsy_core.domain.values import JsonValue

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
"""A word of a name in any dress: `route_id`, `shopLocation`, `ID`."""
MOST_FACTS = 400
"""Leaves that are looked at, the newest results first."""
LONGEST = 200
"""Characters of a leaf that may become a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One leaf of one result."""

    key: str
    """The name that it has in its record, or that its list has."""
    value: JsonValue
    """A text or a number."""
    record: str
    """Everything that stands beside it, as text."""
    source: str
    """The name of the tool that told it."""
    result: int
    """Which result it is from, 0 for the newest."""


def facts_of(messages: Sequence[Message]) -> tuple[Fact, ...]:
    """Return the leaves of all results of a talk that told something, newest result first."""
    results = [m for m in messages if isinstance(m, ResultMessage) and m.result.outcome is not Outcome.FAILED]
    found: list[Fact] = []
    for age, message in enumerate(reversed(results)):
        for key, value, record in _leaves(dict(message.result.data), "", ""):
            found.append(Fact(key=key, value=value, record=record, source=message.call.name, result=age))
        if len(found) >= MOST_FACTS:
            break
    return tuple(found[:MOST_FACTS])


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name, lower case and in the singular."""
    return frozenset(_singular(word.lower()) for word in WORD.findall(name))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word


def _leaves(value: JsonValue, key: str, record: str) -> Iterator[tuple[str, JsonValue, str]]:
    match value:
        case str() if (parsed := _parsed(value)) is not None:
            yield from _leaves(parsed, key, record)
        case bool() | None:
            return
        case str() | int() | float():
            if value != "" and len(str(value)) <= LONGEST:
                yield key, value, record
        case Mapping():
            own = " ".join(_plain(v, k) for k, v in value.items())
            for name, inner in value.items():
                yield from _leaves(inner, name, own or record)
        case Sequence():
            for inner in value:
                yield from _leaves(inner, key, record)


def _parsed(text: str) -> JsonValue:
    """Return the object or list that a text is, or None."""
    if text[:1] not in "{[":
        return None
    try:
        parsed: JsonValue = json.loads(text)
    except ValueError:
        return None
    return parsed


def _plain(value: JsonValue, key: str) -> str:
    """Return a member of a record as text; a flag that is off says nothing, one that is on says its name."""
    match value:
        case bool():
            return key.replace("_", " ") if value else ""
        case Mapping() | None:
            return ""
        case str() | int() | float():
            return str(value)
        case _:
            return " ".join(str(v) for v in value if isinstance(v, str | int | float))
