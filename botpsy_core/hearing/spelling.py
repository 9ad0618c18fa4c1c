"""Spelling: words of the language that were misspelt or misheard, put right where nothing of the home is nearer."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from botpsy_core.hearing.compounds import Halves, split_compound
from botpsy_core.hearing.index import HomeIndex
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.likeness import near_misses
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.tokens import Token
from botpsy_core.hearing.vocabulary import Vocabulary

_LONG = 7
"""Letters from which a word may be a misspelt compound."""
_SURE = 0.85
"""Likeness from which a misspelt word is taken for a word of the language."""
_WEIGHTY = frozenset(
    {Sense.DIRECTION, Sense.PARTICLE_VERB, Sense.KIND, Sense.PLACE, Sense.FLOOR, Sense.ALL, Sense.EXCEPT, Sense.COLOR}
)
"""Senses whose words are put right."""


def put_right(tokens: Sequence[Token], index: HomeIndex, lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with slips of the language's own words put right and marked."""
    return tuple(_put_right(token, index, lexicon) for token in tokens)


def _put_right(token: Token, index: HomeIndex, lexicon: Lexicon) -> Token:
    word = token.word
    if word in lexicon.known or word in index.name_words or word in index.place_words:
        return token
    hits = near_misses(word, _correctable(lexicon), lexicon)
    if not hits:
        return token
    of_home = max(near_misses(word, index.vocabulary, lexicon).values(), default=0.0)
    hits = {w: q for w, q in hits.items() if q > of_home and q >= _SURE and not _derived(word, w)}
    best = [w for w, q in hits.items() if q == max(hits.values())]
    if not best or len({lexicon.phrases.get((w,)) for w in best}) > 1:
        return token
    return replace(token, word=best[0], slip=True)


def halves_of(word: str, index: HomeIndex, lexicon: Lexicon) -> Halves | None:
    """Return the parts of a word that is a compound of this home or language, or nearly one, else None."""
    if word in lexicon.known or word in index.name_words or word in index.place_words:
        return None
    pair = index.compounds.get(word) or split_compound(word, index.heads, lexicon)
    if pair:
        return Halves(*pair)
    if len(word) < _LONG:
        return None
    near = near_misses(word, index.wholes_as_one, lexicon)
    best = [w for w, q in near.items() if q == max(near.values())]
    nearer = max(near_misses(word, index.vocabulary, lexicon).values(), default=0.0)
    if len({index.compounds[w] for w in best}) != 1 or near[best[0]] <= nearer:
        return None
    return Halves(*index.compounds[best[0]], slip=True)


def _derived(word: str, other: str) -> bool:
    """Return True if one word is the other with an ending ("remover"), which is another word and no slip."""
    return word.startswith(other) or other.startswith(word)


@cache
def _correctable(lexicon: Lexicon) -> Vocabulary:
    single = ((key[0], found) for key, found in lexicon.phrases.items() if len(key) == 1)
    return Vocabulary.of((word for word, found in single if any(m.sense in _WEIGHTY for m in found)), lexicon)
