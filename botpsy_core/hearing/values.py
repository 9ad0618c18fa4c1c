"""Values: numbers, percent, temperatures and colours that were said, and whether they say a change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from botpsy_core.domain.heard import Value, ValueKind
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.lexicon import Lexicon, expand, lexicon_for
from botpsy_core.hearing.numbers import number_at
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.tokens import Token, span_of, words_of

A_BIT_PERCENT = 15
"""What "a bit" changes, in percent."""

WHITES: Mapping[str, int] = {
    "candlelight": 1900,
    "warm white": 2700,
    "neutral white": 4000,
    "cool white": 5000,
    "daylight": 6500,
}
"""Kinds of white light, by the names that language files give them, in kelvin."""

_UNITS = {"percent": (ValueKind.PERCENT, "%"), "kelvin": (ValueKind.COLOR_TEMPERATURE, "K")}
_DIGIT = 9
_NEAR = 24
"""Words around a value that may make a change of it."""
_EITHER = "by or to"
"""Class of a word that stands before both ("em 20", "em dois graus"): what is to go up or down goes by so much."""
_STEPS = ("by", "to", _EITHER)
_SCALES = frozenset({"degree", "celsius", "fahrenheit"})
_CHANGEABLE = frozenset({ValueKind.PERCENT, ValueKind.TEMPERATURE, ValueKind.NUMBER})

type Placed = Mapping[int, tuple[int, Value]]
"""First token -> token after the last, and the value."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The value words of a language: words -> what they say."""

    table: Mapping[tuple[str, ...], tuple[str, str]]
    longest: int

    def at(self, words: Sequence[str], start: int, *wanted: str) -> tuple[int, str, str]:
        """Return length, class and content of the longest wanted phrase at a place; length 0 where there is none."""
        for size in range(min(self.longest, len(words) - start), 0, -1):
            found = self.table.get(tuple(words[start : start + size]))
            if found and found[0] in wanted:
                return size, *found
        return 0, "", ""


@cache
def _value_words(language: str) -> _Words:
    data = lexicon_for(language).data.get("values", {})
    table: dict[tuple[str, ...], tuple[str, str]] = {}
    for name, content in data.items():
        groups = content.items() if isinstance(content, Mapping) else (("", content),)
        for key, templates in groups:
            for template in templates:
                table |= {words_of(text): (name, key) for text in expand(template)}
    for template in data.get("by", ()):
        if template in data.get("to", ()):
            table |= {words_of(text): (_EITHER, "") for text in expand(template)}
    return _Words(table, max(map(len, table), default=0))


def values_of(tokens: Sequence[Token], blocked: frozenset[int], home: Home, lexicon: Lexicon) -> Placed:
    """Return the values among tokens that are not blocked (parts of names, times)."""
    words = [t.word for t in tokens]
    found: dict[int, tuple[int, Value]] = {}
    at = 0
    while at < len(words):
        read = None if at in blocked else _read(words, tokens, at, home, lexicon)
        if read and not any(n in blocked for n in range(at, read[0])):
            found[at] = read
            at = read[0]
        else:
            at += 1
    return found


def level_at(words: Sequence[str], at: int, lexicon: Lexicon) -> int:
    """Return how many words at a place name a level ("maximum", "as low as possible"); 0 where they name none."""
    return _value_words(lexicon.language).at(words, at, "fixed_percent")[0]


def _read(
    words: Sequence[str], tokens: Sequence[Token], at: int, home: Home, lexicon: Lexicon
) -> tuple[int, Value] | None:
    table = _value_words(lexicon.language)
    if before := table.at(words, at, "percent_before")[0]:
        size, amount = (
            number_at(words, at + before, lexicon.language) or (0, 0.0) if at + before < len(words) else (0, 0.0)
        )
        stop = at + before + size
        return (stop, _value(ValueKind.PERCENT, amount, tokens[at:stop], unit="%")) if size else None
    minus = 1 if words[at] == "-" else table.at(words, at, "minus")[0]
    sign, start = (-1, at + minus) if minus and at + minus < len(words) else (1, at)
    number = _number(words, start, table, lexicon)
    if number is None or table.at(words, at, "fixed_percent")[0] >= number[0]:  # "一半" is no one and a half
        return _without_number(words, tokens, at, table, lexicon)
    end, amount = start + number[0], number[1]
    if number[1].is_integer():
        end, amount = _with_decimals(words, end, amount, table, lexicon)
    size, kind, _ = table.at(words, end, "percent", "kelvin", "degree", "celsius", "fahrenheit")
    stop = end + size
    if kind in _SCALES and (half := table.at(words, stop, "and_a_half")[0]):  # "22 grados y medio"
        stop, amount = stop + half, amount + 0.5
    amount *= sign
    if kind in _UNITS:
        return stop, _value(_UNITS[kind][0], amount, tokens[at:stop], unit=_UNITS[kind][1])
    if kind:
        scale = table.at(words, stop, "celsius", "fahrenheit") if kind == "degree" else (0, kind, "")
        unit = {"celsius": "°C", "fahrenheit": "°F"}.get(scale[1], home.temperature_unit)
        stop += scale[0]
        return stop, _value(ValueKind.TEMPERATURE, amount, tokens[at:stop], unit=unit)
    if amount == 1 and not words[start][0].isdigit() and not (at and table.at(words, at - 1, "to", _EITHER)[0]):
        return _without_number(words, tokens, at, table, lexicon)  # an article, "that one", or "一点"
    return end, _value(ValueKind.NUMBER, amount, tokens[at:end])


def _with_decimals(words: Sequence[str], end: int, amount: float, table: _Words, lexicon: Lexicon) -> tuple[int, float]:
    """Return a number with what was said behind its point, digit by digit ("one point two five") or as one number."""
    place = end + table.at(words, end, "point")[0]
    digits = ""
    while end < place < len(words) and (read := number_at(words, place, lexicon.language)) and read[1].is_integer():
        if digits and (len(digits) > 1 or read[1] > _DIGIT):
            break
        place, digits = place + read[0], f"{digits}{read[1]:g}"
    return (place, float(f"{amount:g}.{digits}")) if digits.isdigit() else (end, amount)


def _number(words: Sequence[str], at: int, table: _Words, lexicon: Lexicon) -> tuple[int, float] | None:
    """Return how many words a number takes, and the number, with the half that may stand around it."""
    before = table.at(words, at, "half_before")[0]
    if at + before == len(words):
        return None
    size, _, key = table.at(words, at + before, "numbers")
    number = (size, float(key)) if size else number_at(words, at + before, lexicon.language)
    if number is None:
        return None
    after = 0 if before else table.at(words, at + number[0], "and_a_half")[0]
    return before + number[0] + after, number[1] + (0.5 if before or after else 0.0)


def _without_number(
    words: Sequence[str], tokens: Sequence[Token], at: int, table: _Words, lexicon: Lexicon
) -> tuple[int, Value] | None:
    size, kind, key = table.at(words, at, "fixed_percent", "a_bit")
    if kind == "a_bit":
        return at + size, replace(_value(ValueKind.PERCENT, A_BIT_PERCENT, tokens[at : at + size]), relative=True)
    if size:
        return at + size, _value(ValueKind.PERCENT, float(key), tokens[at : at + size])
    length, meanings = lexicon.longest_at(words, at, len(words))
    color = next((m.value for m in meanings if m.sense is Sense.COLOR), None)
    if color and color in WHITES:
        white = float(WHITES[color])
        return at + length, _value(ValueKind.COLOR_TEMPERATURE, white, tokens[at : at + length], unit="K")
    if color:
        return at + length, _value(ValueKind.COLOR, color, tokens[at : at + length])
    return None


def _value(kind: ValueKind, value: float | str, tokens: Sequence[Token], *, unit: str | None = None) -> Value:
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    return Value(kind=kind, value=plain, span=span_of(tokens), unit=unit)


def as_change(
    value: Value, before: Sequence[str], after: Sequence[str], directions: Sequence[Direction], lexicon: Lexicon
) -> Value:
    """Return the value, signed and marked as relative where the words around it say a change."""
    amount = value.value
    if value.kind not in _CHANGEABLE or isinstance(amount, bool) or not isinstance(amount, int | float):
        return value
    table = _value_words(lexicon.language)
    before, after = before[-_NEAR:], after[:_NEAR]
    said = {
        name
        for n in (1, 2)
        if n <= len(before)
        for size, name, _ in [table.at(before, len(before) - n, *_STEPS)]
        if size == n
    }
    moved = bool({Direction.UP, Direction.DOWN} & set(directions))
    by, to = "by" in said or (_EITHER in said and moved), "to" in said or (_EITHER in said and not moved)
    if value.kind is ValueKind.PERCENT and value.unit is None and not (value.relative or by):
        return value  # "down halfway" is a place to stop at
    compared = bool(after) and table.at(after, 0, "more", "less")[0] > 0
    changes = [
        k for words in (before, after) for n in range(len(words)) if (k := table.at(words, n, "more", "less")[1])
    ]
    if not (value.relative or by or compared or (changes and not to)):
        return value
    down = Direction.DOWN in directions or ("less" in changes and "more" not in changes)
    return replace(value, value=-abs(amount) if down else abs(amount), relative=True)
