"""Find a value that was said for an argument which cannot take it: out of its range, format or options."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from botpsy_core.domain.heard import Heard
from botpsy_core.domain.tools import Argument, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.safety.saying import leaves_of
from botpsy_core.safety.validity import valid
from botpsy_core.safety.words import folded

_QUOTED = re.compile(r"(?<!\w)(?:'([^']{1,60})'|\"([^\"]{1,60})\"|`([^`]{1,60})`|[“„«]([^”“»]{1,60})[”“»])(?!\w)")
_RUN = re.compile(r"\S+")
_EDGES = ".,;:!?()[]{}'\"`“”„«»"
_LOOKS_LIKE_DATA = re.compile(r"\d|[@#_]|\w\.\w")
_SHAPES = frozenset({"pattern", "format", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_NUMERIC = frozenset({"integer", "number"})
_NAME_WORD = re.compile(r"[a-z]{2,}")
_STEM = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Offence:
    """An argument and the words that were said for it."""

    argument: Argument
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    text: str
    start: int


def offence_in(spec: ToolSpec, call: ToolCall, heard: Heard) -> Offence | None:
    """Return the value that a bounded argument was given in words and cannot take, or None.

    A token that any argument can take, or that already stands in the call, was said for that one.
    """
    shaped = [a for a in spec.arguments if _is_shaped(a.schema)]
    used = {folded(str(leaf)) for value in call.args.values() for leaf in leaves_of(value)}
    tokens = [t for t in tokens_of(heard.text) if not _is_used(t.text, used)] if shaped else []
    left = [t for t in tokens if not any(_takes(a, t.text) for a in shaped)]
    numeric = [a for a in shaped if _is_numeric(a)]
    texts = [t for t in tokens if not any(_takes(a, t.text) for a in numeric)]
    wanting = [a for a in shaped if not _is_filled(a, call, tokens if _is_numeric(a) else texts)]
    pairs = [(_distance(a, t, heard.text), a, t) for t in left for a in wanting if _kin(a, t.text)]
    meant = [(d, a, t) for d, a, t in pairs if a.required or (d < len(heard.text) and "enum" not in a.schema)]
    if not meant:
        return None
    _, argument, token = min(meant, key=lambda m: (not _is_numeric(m[1]), m[0]))
    return Offence(argument=argument, said=token.text)


def tokens_of(text: str) -> Iterator[_Token]:
    """Yield the runs of a text that look like data: quoted, or with digits or signs in them."""
    quoted = []
    for found in _QUOTED.finditer(text):
        inner = next(g for g in found.groups() if g is not None)
        quoted.append(found.span())
        yield _Token(text=inner.strip(), start=found.start())
    for found in _RUN.finditer(text):
        run = found[0].strip(_EDGES)
        inside = any(start <= found.start() < end for start, end in quoted)
        if not inside and _LOOKS_LIKE_DATA.search(run):
            yield _Token(text=run, start=found.start())


def _is_shaped(schema: JsonObject) -> bool:
    """Return True if the schema says more of a value than that it is a text."""
    return not _SHAPES.isdisjoint(schema) or schema.get("type") in _NUMERIC


def _is_numeric(argument: Argument) -> bool:
    return argument.schema.get("type") in _NUMERIC


def _is_used(text: str, used: set[str]) -> bool:
    run = folded(text)
    return run in used or any(run in value.split() for value in used)


def _takes(argument: Argument, text: str) -> bool:
    return any(valid(argument, reading) for reading in _readings(argument.schema, text))


def _readings(schema: JsonObject, text: str) -> Iterator[JsonValue]:
    yield text
    number = _number(text)
    if number is not None and schema.get("type") in _NUMERIC:  # "20 km" and "$20" are numbers as well
        yield int(number) if number.is_integer() else number


def _number(text: str) -> float | None:
    plain = re.sub(r"^[^\w-]+|[^\d]+$", "", text.replace(",", ""))
    try:
        return float(plain)
    except ValueError:
        return None


def _is_filled(argument: Argument, call: ToolCall, tokens: Sequence[_Token]) -> bool:
    """Return True if the argument has a valid value already, in the call or among what was said."""
    value = call.args.get(argument.name)
    given = value is not None and valid(argument, value)
    return any(_takes(argument, t.text) for t in tokens) if value is None else given


def _kin(argument: Argument, text: str) -> bool:
    """Return True if a token could have been meant for the argument: a number for a number, a text for a text."""
    return _number(text) is not None if _is_numeric(argument) else argument.schema.get("type", "string") == "string"


def _distance(argument: Argument, token: _Token, text: str) -> int:
    """Return how far the argument's own name stands from the token; the text's length where it was not said."""
    lowered = text.lower()
    stems = {w[:_STEM] for w in _NAME_WORD.findall(_spaced(argument.name))}
    places = [m.start() for m in _NAME_WORD.finditer(lowered) if m[0][:_STEM] in stems]
    return min((abs(place - token.start) for place in places), default=len(text))


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()
