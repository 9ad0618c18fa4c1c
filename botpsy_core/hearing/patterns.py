"""Pattern: a sentence part with slots, read from a language's data and matched against words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from botpsy_core.hearing.lexicon import expand
from botpsy_core.hearing.tokens import tokenize

type Slot = Callable[[Sequence[str], int], tuple[int, float] | None]
"""Reads a slot at a place: how many words it takes, and its value."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words and slots in their order, and what the data say that they mean."""

    elements: tuple[str, ...]
    """Folded words; a slot stands as `{name}`."""
    meaning: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern found at a place."""

    first: int
    last: int
    meaning: Mapping[str, str]
    slots: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Patterns:
    """All patterns of a language for one purpose."""

    by_word: Mapping[str, tuple[Pattern, ...]]
    by_slot: tuple[Pattern, ...]
    slots: Mapping[str, Slot]

    def longest_at(
        self, words: Sequence[str], at: int, *, unless: frozenset[str] = frozenset(), without: str = ""
    ) -> Match | None:
        """Return the longest match at a place, the first of equals.

        `unless` names classes (`as`) to leave out, `without` leaves out what has that key in its meaning.
        """
        best: Match | None = None
        for pattern in (*self.by_word.get(words[at], ()), *self.by_slot):
            if pattern.meaning["as"] in unless or without in pattern.meaning:
                continue
            found = self._match(pattern, words, at)
            if found and (best is None or found.last > best.last):
                best = found
        return best

    def _match(self, pattern: Pattern, words: Sequence[str], at: int) -> Match | None:
        slots: dict[str, float] = {}
        place = at
        for element in pattern.elements:
            if place >= len(words):
                return None
            if element.startswith("{"):
                read = self.slots[element[1:-1]](words, place)
                if read is None:
                    return None
                slots[element[1:-1]] = read[1]
                place += read[0]
            elif words[place] == element:
                place += 1
            else:
                return None
        return Match(at, place, pattern.meaning, slots)


def compile_patterns(rules: Sequence[Mapping[str, Any]], slots: Mapping[str, Slot]) -> Patterns:
    """Build the patterns of a data file's rules; each rule has `as`, `say` and what it means."""
    by_word: dict[str, list[Pattern]] = {}
    by_slot: list[Pattern] = []
    for pattern in _patterns(rules):
        first = pattern.elements[0]
        (by_slot if first.startswith("{") else by_word.setdefault(first, [])).append(pattern)
    return Patterns({word: tuple(found) for word, found in by_word.items()}, tuple(by_slot), slots)


def _patterns(rules: Sequence[Mapping[str, Any]]) -> Iterator[Pattern]:
    for rule in rules:
        meaning = {key: str(value) for key, value in rule.items() if key != "say"}
        for template in rule["say"]:
            for text in expand(template):
                yield Pattern(tuple(_elements(text)), meaning)


def _elements(text: str) -> Iterator[str]:
    for number, part in enumerate(text.replace("}", "{").split("{")):
        if number % 2:
            yield f"{{{part}}}"
        else:
            yield from (t.word for t in tokenize(part))
