"""Vocabulary: words that may have been misspelt or misheard, and what they sound like."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from botpsy_core.hearing.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words that may have been misspelt or misheard."""

    words: tuple[str, ...]
    sounds: Mapping[str, frozenset[str]]
    """How words sound -> those words."""

    @classmethod
    def of(cls, words: Iterable[str], lexicon: Lexicon) -> Vocabulary:
        """Gather words with their sounds."""
        known = tuple(sorted(set(words)))
        sounds: dict[str, set[str]] = defaultdict(set)
        for word in known:
            if sound := lexicon.sound(word):
                sounds[sound].add(word)
        return cls(known, {sound: frozenset(alike) for sound, alike in sounds.items()})


def stems_of(word: str, endings: Iterable[str]) -> Iterator[str]:
    """Yield what is left of a word without each ending that it has: three letters and half the word at least."""
    for ending in endings:
        rest = word.removesuffix(ending) if ending else word
        if (rest != word or not ending) and len(rest) >= 3 and 2 * len(rest) >= len(word):
            yield rest
