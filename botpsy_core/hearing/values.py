"""Values: numbers, percent, temperatures, durations and colours that were said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from botpsy_core.domain.heard import Value, ValueKind
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.lexicon import Lexicon, Sense, expand, lexicon_for
from botpsy_core.hearing.numbers import number_at
from botpsy_core.hearing.tokens import Token, span_of, words_of

SECONDS: Mapping[str, int] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
A_BIT_PERCENT = 15
"""What "a bit" changes, in percent."""

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


def _read(
    words: Sequence[str], tokens: Sequence[Token], at: int, home: Home, lexicon: Lexicon
) -> tuple[int, Value] | None:
    table = _value_words(lexicon.language)
    sign, start = (-1, at + 1) if words[at] == "-" and at + 1 < len(words) else (1, at)
    number = number_at(words, start, lexicon.language)
    if number is None:
        return _without_number(words, tokens, at, table, lexicon)
    end, amount = start + number[0], sign * number[1]
    size, kind, key = table.at(words, end, "percent", "degree", "celsius", "fahrenheit", "units")
    stop = end + size
    if kind == "units":
        while (more := _and_unit(words, stop, table, lexicon)) is not None:
            stop, extra = more
            amount += extra / SECONDS[key]
        return stop, _value(ValueKind.DURATION, amount * SECONDS[key], tokens[at:stop])
    if kind == "percent":
        return stop, _value(ValueKind.PERCENT, amount, tokens[at:stop], unit="%")
    if kind:
        scale = table.at(words, stop, "celsius", "fahrenheit") if kind == "degree" else (0, kind, "")
        unit = {"celsius": "°C", "fahrenheit": "°F"}.get(scale[1] or kind, home.temperature_unit)
        stop += scale[0]
        return stop, _value(ValueKind.TEMPERATURE, amount, tokens[at:stop], unit=unit)
    return end, _value(ValueKind.NUMBER, amount, tokens[at:end])


def _and_unit(words: Sequence[str], at: int, table: _Words, lexicon: Lexicon) -> tuple[int, float] | None:
    """Read "and thirty seconds" after a duration."""
    length, meanings = lexicon.longest_at(words, at, len(words))
    start = at + length if any(m.sense is Sense.AND for m in meanings) else at
    if start >= len(words) or (number := number_at(words, start, lexicon.language)) is None:
        return None
    size, _, key = table.at(words, start + number[0], "units")
    return (start + number[0] + size, number[1] * SECONDS[key]) if size else None


def _without_number(
    words: Sequence[str], tokens: Sequence[Token], at: int, table: _Words, lexicon: Lexicon
) -> tuple[int, Value] | None:
    size, _, key = table.at(words, at, "fixed_percent")
    if size:
        return at + size, _value(ValueKind.PERCENT, float(key), tokens[at : at + size])
    length, meanings = lexicon.longest_at(words, at, len(words))
    color = next((m.value for m in meanings if m.sense is Sense.COLOR), None)
    if color:
        return at + length, _value(ValueKind.COLOR, color, tokens[at : at + length])
    return None


def _value(kind: ValueKind, value: float | str, tokens: Sequence[Token], *, unit: str | None = None) -> Value:
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    return Value(kind=kind, value=plain, span=span_of(tokens), unit=unit)


def relative_values(values: Sequence[Value], directions: Sequence[Direction], words: Sequence[str]) -> Iterator[Value]:
    """Yield the values, those that say a change signed and marked."""
    del directions, words
    yield from values
