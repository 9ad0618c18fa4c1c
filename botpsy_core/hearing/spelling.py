"""Spelling: words of the language that were misspelt or misheard, put right where nothing of the home is nearer."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from botpsy_core.hearing.compounds import Halves, split_compound
from botpsy_core.hearing.index import HomeIndex
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.likeness import SHORT_SURE, SOUNDS_ALIKE, near_misses
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.slips import ALIKE, MORE, SWAPPED, TWICE, cost
from botpsy_core.hearing.tokens import Token, is_unspaced, words_of
from botpsy_core.hearing.vocabulary import Vocabulary

_LONG = 5
"""Letters from which a word may be another with its end cut off."""
_COMPOUND = 7
"""Letters from which a word may be a misspelt compound."""
_SHORT = 4
"""Letters of a word with which too little is left once one of them is wrong."""
_SURE = 0.75
"""Likeness from which a misspelt word is taken for a word of the language."""
_CLEAR = 0.4
"""How much more every word that means something else must cost."""
_ACT_PRICE = 1.15
"""What a slip in a verb may cost at most; the language has more verbs than the file knows."""
_THINGS = frozenset({Sense.KIND, Sense.PLACE, Sense.FLOOR, Sense.COLOR})
_ACTS = frozenset({Sense.DIRECTION, Sense.PARTICLE_VERB, Sense.VERB})
_WIDENING = frozenset({Sense.ALL, Sense.EVERYTHING})
_WEIGHTY = _THINGS | _ACTS | {Sense.ALL, Sense.EVERYTHING, Sense.EXCEPT, Sense.NEGATION}
"""Senses whose words are put right."""
_LIGHT = frozenset({Sense.POLITE, Sense.FILLER, Sense.ASK})
"""Senses whose words are put right where the slip is small."""
_BEFORE_THINGS = frozenset({Sense.ARTICLE, Sense.LINK})


def put_right(tokens: Sequence[Token], index: HomeIndex, lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with slips of the language's own words put right and marked."""
    found: list[Token] = []
    for token in tokens:
        before = lexicon.phrases.get((found[-1].word,), ()) if found else ()
        found.append(_put_right(token, index, lexicon, after_article=any(m.sense in _BEFORE_THINGS for m in before)))
    return tuple(found)


def _put_right(token: Token, index: HomeIndex, lexicon: Lexicon, *, after_article: bool) -> Token:
    word = token.word
    if word in lexicon.known or word in index.name_words or word in index.place_words:
        return token
    near = near_misses(word, _correctable(lexicon), lexicon)
    if not near:
        return token
    of_home = near_misses(word, index.vocabulary, lexicon)
    prices = {
        w: min(cost(word, w, lexicon.keys), ALIKE) if q == SOUNDS_ALIKE else cost(word, w, lexicon.keys)
        for w, q in near.items()
    }
    fitting = [w for w, q in near.items() if _may_be(w, word, q, lexicon, after_article=after_article)]
    fitting = [w for w in fitting if all(near[w] > q for own, q in of_home.items() if own != w)]
    if not fitting:
        return token
    best = min(fitting, key=lambda w: (prices[w], w))
    rivals = [w for w in near if prices[w] < prices[best] + _CLEAR and _meant(w, lexicon) != _meant(best, lexicon)]
    return token if rivals else replace(token, word=best, slip=True)


def _may_be(meant: str, said: str, quality: float, lexicon: Lexicon, *, after_article: bool) -> bool:
    """Return True if a word may be put right to this one: a thing more easily than an act, small words hardly."""
    if quality < _SURE or _derived(said, meant, lexicon):
        return False
    senses = {m.sense for m in lexicon.phrases.get((meant,), ())}
    if senses & _THINGS:
        return True
    if len(meant) <= _SHORT and quality < SHORT_SURE:
        return False
    price = cost(said, meant, lexicon.keys)
    if senses & _WIDENING and price > SWAPPED:
        return False  # "entered" is not "entire"
    if senses & _ACTS:
        return not after_article and price <= _ACT_PRICE
    return not senses or bool(senses & _WEIGHTY) or price <= MORE


def _meant(word: str, lexicon: Lexicon) -> object:
    """Return what a word means by itself; the word where it only stands in phrases."""
    return lexicon.phrases.get((word,), word)


def halves_of(word: str, index: HomeIndex, lexicon: Lexicon) -> Halves | None:
    """Return the parts of a word that is a compound of this home or language, or nearly one, else None."""
    if word in lexicon.known or word in index.name_words or word in index.place_words:
        return None
    pair = index.compounds.get(word) or split_compound(word, index.heads, lexicon)
    if pair:
        return Halves(*pair)
    if len(word) < _COMPOUND:
        return None
    near = near_misses(word, index.wholes_as_one, lexicon)
    best = [w for w, q in near.items() if q == max(near.values())]
    nearer = max(near_misses(word, index.vocabulary, lexicon).values(), default=0.0)
    if len({index.compounds[w] for w in best}) != 1 or near[best[0]] <= nearer:
        return None
    return Halves(*index.compounds[best[0]], slip=True)


def _derived(word: str, other: str, lexicon: Lexicon) -> bool:
    """Return True if one word is the other with an ending ("remover"), which is another word and no slip."""
    if word.startswith(other):
        return cost(word, other, lexicon.keys) > TWICE
    return other.startswith(word) and len(word) < _LONG


@cache
def _correctable(lexicon: Lexicon) -> Vocabulary:
    """Return the words of phrases that decide what a clause means; some stand in longer phrases only."""
    said = (key for key, found in lexicon.phrases.items() if any(m.sense in _WEIGHTY | _LIGHT for m in found))
    parted = (key for head, tails in lexicon.parted.items() for key in (head, *tails))
    values = (words_of(text) for text in lexicon.value_texts)
    return Vocabulary.of((word for key in (*said, *parted, *values) for word in key if not is_unspaced(word)), lexicon)
