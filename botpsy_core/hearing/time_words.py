"""TimeWords: one language's patterns for days, times and durations, built from its data file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from botpsy_core.hearing.lexicon import Lexicon, expand, lexicon_for
from botpsy_core.hearing.numbers import number_words
from botpsy_core.hearing.patterns import Patterns, Slot, compile_patterns
from botpsy_core.hearing.tokens import number_in, words_of

UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
HIDDEN = "\0"
"""Stands for a word that is part of a name, so that no pattern sees it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """The time words of a language."""

    patterns: Patterns
    glue: frozenset[str]
    """Small words between the parts of a moment."""
    markers: Mapping[str, tuple[tuple[str, ...], ...]]
    """Words for "from", "between", "to", "and", "until"."""
    measures: frozenset[str]
    """Words after a number that make it no time of day."""
    twelve_hours: bool
    """True where a written "8:30" may mean the evening."""

    def marker(self, name: str, words: Sequence[str], start: int) -> int:
        """Return how many words a marker takes at a place, or 0."""
        return max((len(m) for m in self.markers.get(name, ()) if tuple(words[start : start + len(m)]) == m), default=0)


@cache
def time_words(language: str) -> TimeWords | None:
    """Return the time words of a language, or None where its file has none."""
    lexicon = lexicon_for(language)
    data = lexicon.data.get("time")
    if data is None:
        return None
    measures = chain(*data["units"].values(), *(lexicon.data["values"][k] for k in ("percent", "degree")))
    return TimeWords(
        patterns=compile_patterns(data["rules"], _slots(lexicon)),
        glue=frozenset(w for g in data["glue"] for w in (words_of(g) or (g,))),
        markers={
            name: tuple(words_of(text) or (text,) for template in said for text in expand(template))
            for name, said in data["markers"].items()
        },
        measures=frozenset(w for text in measures for w in (words_of(text) or (text,))),
        twelve_hours=data["clock"] == "12",
    )


def _slots(lexicon: Lexicon) -> Mapping[str, Slot]:
    data = lexicon.data["time"]
    numbers = number_words(lexicon.language)
    ones = {words_of(w): 1 for w in data.get("one", ())}
    suffixes = frozenset(data.get("ordinal_suffix", ()))
    weekdays = {words_of(w): n for n, names in enumerate(data["weekdays"]) for w in names}
    many = {words_of(w): n for n, names in enumerate(data.get("weekdays_many", ())) for w in names}
    months = {words_of(w): n + 1 for n, names in enumerate(data["months"]) for w in names}
    units = {words_of(w): n for n, unit in enumerate(UNITS) for w in data["units"].get(unit, ())}
    count = _reader({**ones, **numbers.cardinals}, digits=True)
    plain = _reader(numbers.cardinals, digits=True)
    minutes = _reader({said: n for said, n in numbers.cardinals.items() if said not in ones}, digits=True)
    listed = {
        words_of(text): int(number)
        for number, templates in data.get("ordinals", {}).items()
        for template in templates
        for text in expand(template)
    }
    ordinal = _suffixed(_reader({**numbers.ordinals, **listed}, digits=False), plain, suffixes)
    return {
        "n": count,
        "h": _bounded(plain, 0, 24),
        "h2": _bounded(plain, 2, 24),
        "h12": _bounded(plain, 1, 12),
        "ho": _bounded(ordinal, 1, 24),
        "m": _bounded(minutes, 0, 59),
        "m5": _bounded(plain, 5, 55, step=5),
        "d": _bounded(plain, 1, 31),
        "y": _bounded(plain, 1900, 2200),
        "o": _bounded(ordinal, 1, 31),
        "od": _bounded(_digits_only(ordinal), 1, 31),
        "weekday": _reader(weekdays, digits=False),
        "weekdays": _reader(many, digits=False),
        "month": _reader(months, digits=False),
        "unit": _reader(units, digits=False),
        "clock": _clock,
    }


def _reader(table: Mapping[tuple[str, ...], int], *, digits: bool) -> Slot:
    longest = max(map(len, table), default=0)

    def read(words: Sequence[str], start: int) -> tuple[int, float] | None:
        word = words[start]
        if digits and (written := number_in(word)) is not None:
            return 1, written
        for size in range(min(longest, len(words) - start), 0, -1):
            if (found := table.get(tuple(words[start : start + size]))) is not None:
                return size, float(found)
        return None

    return read


def _bounded(slot: Slot, low: int, high: int, *, step: int = 1) -> Slot:
    def read(words: Sequence[str], start: int) -> tuple[int, float] | None:
        found = slot(words, start)
        return found if found and low <= found[1] <= high and not found[1] % step else None

    return read


def _digits_only(slot: Slot) -> Slot:
    return lambda words, start: slot(words, start) if words[start][0].isdigit() else None


def _suffixed(ordinal: Slot, plain: Slot, suffixes: frozenset[str]) -> Slot:
    def read(words: Sequence[str], start: int) -> tuple[int, float] | None:
        if found := ordinal(words, start):
            return found
        number = plain(words, start) if words[start][0].isdigit() else None
        if number and start + 1 < len(words) and words[start + 1] in suffixes:
            return 2, number[1]
        return None

    return read


def _clock(words: Sequence[str], start: int) -> tuple[int, float] | None:
    """Read "14:30" as minutes since midnight; a written nought ("08:30") is kept as a fraction."""
    hour, _, minute = words[start].partition(":")
    if not (hour.isdecimal() and minute.isdecimal()) or int(hour) > 24 or int(minute) > 59:
        return None
    return 1, int(hour) * 60 + int(minute) + (0.5 if hour[0] == "0" else 0)
