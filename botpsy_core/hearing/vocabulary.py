"""Vocabulary: words that may have been misspelt or misheard, and what they sound like."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

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


def followers(
    phrases: Iterable[tuple[str, ...]],
) -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Return which words come after a word in these phrases, and which come before it."""
    after: dict[str, set[str]] = defaultdict(set)
    before: dict[str, set[str]] = defaultdict(set)
    for phrase in phrases:
        for one, other in pairwise(phrase):
            after[one].add(other)
            before[other].add(one)
    return {w: frozenset(o) for w, o in after.items()}, {w: frozenset(o) for w, o in before.items()}
