"""Spelling: words of the language that were misspelt or misheard, put right where nothing of the home is nearer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from botpsy_core.hearing.compounds import Halves, split_compound
from botpsy_core.hearing.index import HomeIndex
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.likeness import FEW_ENDINGS, SHORT_SURE, SOUNDS_ALIKE, is_form_of_known, near_misses
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.slips import ALIKE, MORE, SWAPPED, TWICE, allowed, cost
from botpsy_core.hearing.tokens import Token, is_unspaced, words_of
from botpsy_core.hearing.vocabulary import Vocabulary, followers, stems_of

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
_ACTS = frozenset({Sense.DIRECTION, Sense.PARTICLE_VERB, Sense.VERB, Sense.CONDITION})
_WIDENING = frozenset({Sense.ALL, Sense.EVERYTHING})
_WEIGHTY = _THINGS | _ACTS | _WIDENING | {Sense.EXCEPT, Sense.EXCEPT_AFTER, Sense.NEGATION, Sense.VERB_KIND}
"""Senses whose words are put right."""
_LIGHT = frozenset({Sense.POLITE, Sense.FILLER, Sense.ASK})
"""Senses whose words are put right where the slip is small."""
_BEFORE_THINGS = frozenset({Sense.ARTICLE, Sense.LINK})
_AFTER_ACTS = frozenset({Sense.ARTICLE, Sense.ALL, Sense.EVERYTHING, Sense.PARTICLE, Sense.REFERENCE})
"""What a verb of command stands before, where a sentence begins with it."""
_SHORT_SURE = 0.7
"""Likeness of a short verb with one letter wrong, enough where only a verb can stand."""
_BESIDE_PRICE = 1.0
"""What a slip may cost in a word whose neighbour makes it a phrase or a name ("living rom")."""


@dataclass(frozen=True, slots=True)
class _Around:
    """The words on both sides of one, and what they tell of it."""

    before: str
    after: str
    after_article: bool
    names: bool
    """True after a verb or "the", where a thing is named."""
    framed: bool
    """True where only a verb can stand: first and before "the", or before "do" where verbs come last."""


def put_right(tokens: Sequence[Token], index: HomeIndex, lexicon: Lexicon) -> tuple[Token, ...]:
    """Return the tokens with slips of the language's own words put right and marked."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1].word if at + 1 < len(tokens) else ""
        found.append(_put_right(token, index, lexicon, _around(found, after, lexicon)))
    return tuple(found)


def _around(before: Sequence[Token], after: str, lexicon: Lexicon) -> _Around:
    senses = {m.sense for m in lexicon.phrases.get((before[-1].word,), ())} if before else set[Sense]()
    follow = {m.sense for m in lexicon.phrases.get((after,), ())}
    return _Around(
        before=before[-1].word if before else "",
        after=after,
        after_article=bool(senses & _BEFORE_THINGS),
        names=bool(senses & {Sense.DIRECTION, Sense.PARTICLE, Sense.ARTICLE, Sense.ALL}),
        framed=(not before and bool(follow & _AFTER_ACTS)) or (bool(before) and Sense.VERB in follow),
    )


def _put_right(token: Token, index: HomeIndex, lexicon: Lexicon, around: _Around) -> Token:
    word = token.word
    if is_unspaced(word):
        meant = _sounding(word, index, lexicon, around)
        return replace(token, word=meant, slip=True) if meant else token
    if _is_word(word, index, lexicon) or is_form_of_known(word, lexicon):
        return token
    if beside := _beside(word, index, lexicon, around) or _short_thing(word, index, lexicon, around):
        return replace(token, word=beside, slip=True)
    near = near_misses(word, _correctable(lexicon), lexicon)
    if not near:
        return token
    of_home = near_misses(word, index.vocabulary, lexicon)
    prices = {
        w: min(cost(word, w, lexicon.keys), ALIKE) if q == SOUNDS_ALIKE else cost(word, w, lexicon.keys)
        for w, q in near.items()
    }
    fitting = [w for w, q in near.items() if _may_be(w, word, q, lexicon, around)]
    fitting = [w for w in fitting if all(near[w] > q for own, q in of_home.items() if own != w)]
    if not fitting:
        return token
    best = min(fitting, key=lambda w: (prices[w], w))
    rivals = [w for w in near if prices[w] < prices[best] + _CLEAR and _meant(w, lexicon) != _meant(best, lexicon)]
    return token if rivals else replace(token, word=best, slip=True)


def _is_word(word: str, index: HomeIndex, lexicon: Lexicon) -> bool:
    return word in lexicon.known or word in index.name_words or word in index.place_words


def _beside(word: str, index: HomeIndex, lexicon: Lexicon, around: _Around) -> str:
    """Return the one word that makes a phrase or a name with its neighbour, empty where there is none or several."""
    near = [w for w in _partners(index, lexicon, around) if len(w) > 2 and cost(word, w, lexicon.keys) <= _price(w)]
    near = near or [w for w in _named(index, lexicon, around) if len(w) > 2 and _is_form_of(word, w, lexicon)]
    return near[0] if len(near) == 1 and len(word) > 2 else ""


def _is_form_of(word: str, other: str, lexicon: Lexicon) -> bool:
    """Return True if a word is another form of one, with a slip in what both begin with ("вхотую" for "входная")."""
    if len(lexicon.endings) <= FEW_ENDINGS:
        return False
    stems = [(a, b) for a in _begins(word, lexicon) for b in _begins(other, lexicon)]
    return any(cost(a, b, lexicon.keys) <= (allowed(other) if len(b) >= _LONG else MORE) for a, b in stems)


def _begins(word: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield what is left of a word without each of its endings, two letters at least."""
    for ending in lexicon.endings:
        if ending and word.endswith(ending) and len(word) - len(ending) > 1:
            yield word.removesuffix(ending)


def _partners(index: HomeIndex, lexicon: Lexicon, around: _Around) -> set[str]:
    """Return the words that make a phrase or a name with the word before or after."""
    after, before = _pairs(lexicon)
    return _named(index, lexicon, around) | {*after.get(around.before, ()), *before.get(around.after, ())}


def _named(index: HomeIndex, lexicon: Lexicon, around: _Around) -> set[str]:
    """Return the words that make a name of the home with the word before or after."""
    after = {w for form in _forms(around.before, index, lexicon) for w in index.after.get(form, ())}
    return after | {w for form in _forms(around.after, index, lexicon) for w in index.before.get(form, ())}


def _forms(word: str, index: HomeIndex, lexicon: Lexicon) -> set[str]:
    """Return a word and the words of the home that it is another form of."""
    return {word, *(w for stem in stems_of(word, lexicon.endings) for w in index.stems.get(stem, ()))}


def _sounding(word: str, index: HomeIndex, lexicon: Lexicon, around: _Around) -> str:
    """Return the one sign that sounds like this one and fits where this one does not, empty where there is none.

    A sign that makes a word with a neighbour, or decides by itself ("not"), stays as it is; at the end of what was said
    a thing may stand alone.
    """
    partners = _partners(index, lexicon, around)
    if word in partners or any(m.sense in _WEIGHTY for m in lexicon.phrases.get((word,), ())):
        return ""
    last = {w for w in _lone_kinds(lexicon) if not around.after}
    near = [w for w in partners | last if (word, w) in lexicon.keys.alike]
    return near[0] if len(near) == 1 else ""


@cache
def _lone_kinds(lexicon: Lexicon) -> frozenset[str]:
    kinds = (key for key, found in lexicon.phrases.items() if any(m.sense is Sense.KIND for m in found))
    return frozenset(key[0] for key in kinds if len(key) == 1 and is_unspaced(key[0]))


def _short_thing(word: str, index: HomeIndex, lexicon: Lexicon, around: _Around) -> str:
    """Return the one short word for a kind that lacks a letter here, where what is acted on must stand ("the lmp")."""
    if not around.names or len(word) != _SHORT - 1 or near_misses(word, index.vocabulary, lexicon):
        return ""
    near = [w for w in _short_kinds(lexicon) if cost(word, w, lexicon.keys) <= MORE]
    return near[0] if len({_meant(w, lexicon) for w in near}) == 1 else ""


@cache
def _short_kinds(lexicon: Lexicon) -> tuple[str, ...]:
    kinds = (
        key[0] for key, found in lexicon.phrases.items() if len(key) == 1 and any(m.sense is Sense.KIND for m in found)
    )
    return tuple(word for word in kinds if len(word) == _SHORT and not is_unspaced(word))


def _price(word: str) -> float:
    return MORE if len(word) <= _SHORT else _BESIDE_PRICE


def _may_be(meant: str, said: str, quality: float, lexicon: Lexicon, around: _Around) -> bool:
    """Return True if a word may be put right to this one: a thing more easily than an act, small words hardly."""
    senses = {m.sense for m in lexicon.phrases.get((meant,), ())}
    framed = around.framed and bool(senses & _ACTS) and len(meant) <= _SHORT
    if quality < (_SHORT_SURE if framed else _SURE) or _derived(said, meant, lexicon):
        return False
    if framed or senses & _THINGS:
        return True
    if len(meant) <= _SHORT and quality < SHORT_SURE:
        return False
    price = cost(said, meant, lexicon.keys)
    if senses & _WIDENING and price > SWAPPED:
        return False  # "entered" is not "entire"
    if senses & _ACTS:
        return not around.after_article and price <= _ACT_PRICE
    return not senses or bool(senses & _WEIGHTY) or price <= MORE


def _meant(word: str, lexicon: Lexicon) -> object:
    """Return what a word means by itself; the word where it only stands in phrases."""
    return lexicon.phrases.get((word,), word)


def halves_of(word: str, index: HomeIndex, lexicon: Lexicon) -> Halves | None:
    """Return the parts of a word that is a compound of this home or language, or nearly one, else None."""
    if _is_word(word, index, lexicon):
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
def _pairs(lexicon: Lexicon) -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Return which words follow a word in phrases that decide, and which come before it."""
    return followers(key for key, found in lexicon.phrases.items() if any(m.sense in _WEIGHTY for m in found))


@cache
def _correctable(lexicon: Lexicon) -> Vocabulary:
    """Return the words of phrases that decide what a clause means; some stand in longer phrases only."""
    said = (key for key, found in lexicon.phrases.items() if any(m.sense in _WEIGHTY | _LIGHT for m in found))
    parted = (key for head, tails in lexicon.parted.items() for key in (head, *tails))
    values = (words_of(text) for text in lexicon.value_texts)
    return Vocabulary.of((word for key in (*said, *parted, *values) for word in key if not is_unspaced(word)), lexicon)
