"""Likeness: which words of the home a said word may stand for, and how surely."""

from rapidfuzz import process
from rapidfuzz.distance import OSA

from botpsy_core.hearing.index import HomeIndex
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.tokens import is_unspaced
from botpsy_core.hearing.vocabulary import Vocabulary, stems_of

INFLECTED = 0.96
_SOUNDS_ALIKE = 0.9
_MISS = 0.88
"""Quality of a word with one letter wrong."""
_TWO_MISSES = 0.78
_SHORT_MISS = 0.7
"""Quality of a word of four letters with one wrong, too little to act on unasked."""
_SHORT = 4
_LONG = 6
_VERY_LONG = 8

type Alike = dict[str, float]
"""Words of the home -> how surely they were meant, 0 to 1."""


def allowed_misses(word: str) -> int:
    """Return how many letters of a word may be wrong: none in a very short one."""
    if len(word) < _SHORT or any(letter.isdigit() for letter in word):
        return 0
    return 1 if len(word) < _LONG else 2


def alike(word: str, index: HomeIndex, lexicon: Lexicon) -> Alike:
    """Return the home's words that this word may be; a near miss only where nothing better is known."""
    if is_unspaced(word):
        return {word: 1.0}
    found: Alike = {}
    for stem in stems_of(word, lexicon.endings):
        for other in index.stems.get(stem, ()):
            found[other] = 1.0 if other == word else max(found.get(other, 0.0), INFLECTED)
    if word in index.name_words or word in index.place_words:
        found[word] = 1.0
    if found or word in lexicon.known:
        return found
    return near_misses(word, index.vocabulary, lexicon)


def near_misses(word: str, vocabulary: Vocabulary, lexicon: Lexicon) -> Alike:
    """Return the words of a vocabulary that sound like a word or are a letter or two away."""
    misses = allowed_misses(word)
    if not misses:
        return {}
    found = dict.fromkeys(vocabulary.sounds.get(lexicon.sound(word), ()), _SOUNDS_ALIKE)
    hits = process.extract(word, vocabulary.words, scorer=OSA.distance, score_cutoff=misses, limit=4)
    for other, distance, _ in hits:
        if distance and allowed_misses(other) >= distance:
            quality = _quality(word, other, int(distance))
            found[other] = max(found.get(other, 0.0), quality)
    return {other: quality for other, quality in found.items() if quality and other != word}


def _quality(word: str, other: str, distance: int) -> float:
    if distance > 1:
        unsure = min(len(word), len(other)) < _VERY_LONG
        return (_SHORT_MISS if word[0] == other[0] else 0.0) if unsure else _TWO_MISSES
    if min(len(word), len(other)) > _SHORT or sorted(word) == sorted(other):
        return _MISS
    return _SHORT_MISS if word[0] == other[0] else 0.0
