"""Likeness: which words of the home a said word may stand for, and how surely."""

from rapidfuzz import process
from rapidfuzz.distance import OSA

from botpsy_core.hearing.index import HomeIndex, stems_of
from botpsy_core.hearing.lexicon import Lexicon

INFLECTED = 0.96
_MISS = 0.88
"""Quality of a word with one letter wrong."""
_TWO_MISSES = 0.78

type Alike = dict[str, float]
"""Words of the home -> how surely they were meant, 0 to 1."""


def allowed_misses(word: str) -> int:
    """Return how many letters of a word may be wrong: none in a short one."""
    if len(word) < 5 or not word.isalpha():
        return 0
    return 1 if len(word) < 8 else 2


def alike(word: str, index: HomeIndex, lexicon: Lexicon) -> Alike:
    """Return the home's words that this word may be; a near miss only where nothing better is known."""
    found: Alike = {}
    for stem in stems_of(word, lexicon.endings):
        for other in index.stems.get(stem, ()):
            found[other] = 1.0 if other == word else max(found.get(other, 0.0), INFLECTED)
    if word in index.name_words or word in index.place_words:
        found[word] = 1.0
    if found or word in lexicon.known:
        return found
    return near_misses(word, index.vocabulary)


def near_misses(word: str, vocabulary: tuple[str, ...] | list[str]) -> Alike:
    """Return the words of a vocabulary that are a letter or two away."""
    misses = allowed_misses(word)
    if not misses:
        return {}
    hits = process.extract(word, vocabulary, scorer=OSA.distance, score_cutoff=misses, limit=4)
    return {
        other: _MISS if distance == 1 else _TWO_MISSES
        for other, distance, _ in hits
        if distance and allowed_misses(other) >= distance
    }
