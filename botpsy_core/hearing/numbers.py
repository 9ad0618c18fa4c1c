"""Numbers: digits and number words, any inflection, from the Unicode rules of each language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from unicode_rbnf import FormatPurpose, RbnfEngine

from botpsy_core.hearing.tokens import number_in, words_of

_HIGHEST = 200
_ROUND = (300, 400, 500, 600, 700, 800, 900, 1000)


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The number words of a language."""

    cardinals: Mapping[tuple[str, ...], int]
    ordinals: Mapping[tuple[str, ...], int]
    longest: int


@cache
def number_words(language: str) -> NumberWords:
    """Return the words for 0 to 200 and the hundreds, in every gender and case."""
    engine = RbnfEngine.for_language(language)
    cardinals = _spelt(engine, FormatPurpose.CARDINAL)
    return NumberWords(cardinals, _spelt(engine, FormatPurpose.ORDINAL), max(map(len, cardinals)))


def _spelt(engine: RbnfEngine, purpose: FormatPurpose) -> Mapping[tuple[str, ...], int]:
    table: dict[tuple[str, ...], int] = {}
    for number in (*range(_HIGHEST + 1), *_ROUND):
        try:
            spelt = engine.format_number(number, purpose=purpose)
        except ValueError:  # this language has no rules for ordinals
            return {}
        for text in spelt.text_by_ruleset.values():
            key = words_of(text)
            if key and not any(c.isdigit() for word in key for c in word):
                table.setdefault(key, number)
    return table


def number_at(words: Sequence[str], at: int, language: str) -> tuple[int, float] | None:
    """Return how many words the number at a place takes, and the number; None where there is none."""
    word = words[at]
    if word[0].isdigit():
        written = number_in(word)
        return None if written is None else (1, written)
    table = number_words(language)
    for size in range(min(table.longest, len(words) - at), 0, -1):
        found = table.cardinals.get(tuple(words[at : at + size]))
        if found is not None:
            return size, float(found)
    return None
