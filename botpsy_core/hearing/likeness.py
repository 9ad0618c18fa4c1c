"""Likeness: which words of the home a said word may stand for, and how surely."""

from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from botpsy_core.hearing.index import HomeIndex
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.slips import ALIKE, MORE, SWAPPED, allowed, cost
from botpsy_core.hearing.tokens import is_unspaced
from botpsy_core.hearing.vocabulary import Vocabulary, stems_of

INFLECTED = 0.96
SOUNDS_ALIKE = 0.9
SHORT_SURE = 0.88
"""Quality of a short word with two letters swapped, or one doubled."""
_SURE = 0.92
"""Quality of the slightest slip."""
_LOSS = 0.9
"""Quality that is lost where a slip costs as much as the word is long."""
FEW_ENDINGS = 6
"""Endings of a language whose words change little."""
_LONG_STEM = 5
_MOST = 12
"""Near words that are weighed."""
_SHORT_MISS = 0.7
"""Quality of a word of four letters with one wrong, too little to act on unasked."""
_SHORT_ALIKE = 0.8
"""Quality of one whose wrong letter sounds like the right one."""
_SHORT = 4
_LONG = 6

_THINGS = frozenset({Sense.KIND, Sense.PLACE, Sense.FLOOR})

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
    if found or word in lexicon.known or is_form_of_known(word, lexicon):
        return found
    return (
        near_misses(word, index.vocabulary, lexicon)
        or _near_stems(word, index, lexicon)
        or _near_endings(word, index, lexicon)
    )


def is_form_of_known(word: str, lexicon: Lexicon) -> bool:
    """Return True for a form of a place or kind that the language knows and this home lacks ("saunie" for "sauna")."""
    stems = stems_of(word, lexicon.endings) if len(lexicon.endings) > FEW_ENDINGS else ()
    return any(len(stem) >= _SHORT and stem in _stems_of_things(lexicon) for stem in stems)


@cache
def _stems_of_things(lexicon: Lexicon) -> frozenset[str]:
    things = (
        key[0] for key, said in lexicon.phrases.items() if len(key) == 1 and any(m.sense in _THINGS for m in said)
    )
    return frozenset(stem for word in things for stem in stems_of(word, lexicon.endings))


def _near_endings(word: str, index: HomeIndex, lexicon: Lexicon) -> Alike:
    """Return the home's words whose ending alone has a slip in it ("входнуж")."""
    found: Alike = {}
    for size in (1, 2, 3) if len(lexicon.endings) > FEW_ENDINGS else ():
        stem, tail = word[:-size], word[-size:]
        ends = any(0 < cost(tail, ending, lexicon.keys) <= MORE for ending in lexicon.endings if ending)
        if ends and len(stem) >= _LONG_STEM:
            found |= dict.fromkeys(index.stems.get(stem, ()), SHORT_SURE)
    return found


def _near_stems(word: str, index: HomeIndex, lexicon: Lexicon) -> Alike:
    """Return the home's words of which this may be another form with a slip in it ("входнюу" for "входная")."""
    found: Alike = {}
    for stem in stems_of(word, lexicon.endings) if len(lexicon.endings) > FEW_ENDINGS else ():
        if len(stem) < _LONG_STEM:
            continue
        for near, quality in near_misses(stem, index.long_stems, lexicon).items():
            for other in index.stems[near]:
                found[other] = max(found.get(other, 0.0), round(quality * INFLECTED, 3))
    return found


def near_misses(word: str, vocabulary: Vocabulary, lexicon: Lexicon) -> Alike:
    """Return the words of a vocabulary that sound like a word or are a slip or two away."""
    misses = allowed_misses(word)
    if not misses:
        return {}
    sounding = (other for other in vocabulary.sounds.get(lexicon.sound(word), ()) if len(other) >= _SHORT)
    found = dict.fromkeys(sounding, SOUNDS_ALIKE)
    hits = process.extract(word, vocabulary.words, scorer=OSA.distance, score_cutoff=misses, limit=_MOST)
    for other, distance, _ in hits:
        if distance and (quality := _quality(word, other, lexicon)):
            found[other] = max(found.get(other, 0.0), quality)
    return {other: quality for other, quality in found.items() if other != word}


def _quality(word: str, other: str, lexicon: Lexicon) -> float:
    """Return how surely a word is another with slips in it; 0 where nobody slips like that."""
    price = cost(word, other, lexicon.keys)
    if price > allowed(other):
        return 0.0
    if len(other) <= _SHORT:
        same = price <= SWAPPED and sorted(set(word)) == sorted(set(other))
        return SHORT_SURE if same else _SHORT_ALIKE if price <= ALIKE else _SHORT_MISS
    return round(max(_SHORT_MISS, min(_SURE, 1 - _LOSS * price / len(other))), 3)
