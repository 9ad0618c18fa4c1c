"""Compound: words written as one or apart ("Küchenlicht", "livingroom", "bed room"), brought to one spelling."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from botpsy_core.domain.home import Area, Entity, Floor, Home
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.tokens import Token, words_of

_SHORTEST = 3
"""Letters that each part of a compound has at least."""
_PARTS = frozenset({Sense.KIND, Sense.PLACE, Sense.FLOOR})


@dataclass(frozen=True, slots=True)
class Halves:
    """The two words of a compound."""

    head: str
    tail: str
    slip: bool = False
    """True if the compound was misspelt."""


type Splits = Mapping[str, tuple[str, str]]
"""Words written as one -> the two words that they are."""


def known_pairs(home: Home, lexicon: Lexicon) -> Splits:
    """Return neighbouring words of names, places and kinds, by how they look when written as one."""
    things: tuple[Entity | Area | Floor, ...] = (*home.entities, *home.areas, *home.floors)
    phrases = (key for key, found in lexicon.phrases.items() if any(m.sense in _PARTS for m in found))
    rows: Iterable[Sequence[str]] = (*map(words_of, _spoken(things)), *phrases)
    pairs = {a + b: (a, b) for row in rows for a, b in pairwise(row) if a.isalpha() and b.isalpha()}
    return {whole: pair for whole, pair in pairs.items() if whole not in lexicon.known}


def _spoken(things: Iterable[Entity | Area | Floor]) -> Iterator[str]:
    for thing in things:
        yield from (thing.name, *thing.aliases)


def place_heads(home: Home, lexicon: Lexicon) -> frozenset[str]:
    """Return the words for places that may begin a compound."""
    known = (w for key, found in lexicon.phrases.items() for w in key if any(m.sense in _PARTS for m in found))
    named = (w for text in _spoken((*home.areas, *home.floors)) for w in words_of(text))
    return frozenset(w for w in (*known, *named) if len(w) >= _SHORTEST)


def split_compound(word: str, heads: frozenset[str], lexicon: Lexicon) -> tuple[str, str] | None:
    """Return a place and a kind that are written as one word ("kuchenlicht"), or None."""
    if not lexicon.linkers or word in lexicon.known:
        return None
    for at in range(len(word) - _SHORTEST, _SHORTEST - 1, -1):
        head, tail = word[:at], word[at:]
        if not any(m.sense is Sense.KIND for m in lexicon.phrases.get((tail,), ())):
            continue
        for linker in lexicon.linkers:
            stem = head.removesuffix(linker)
            if head.endswith(linker) and (stem in heads or f"{stem}e" in heads):
                return (stem if stem in heads else f"{stem}e"), tail
    return None


def compounds_of(home: Home, pairs: Splits, heads: frozenset[str], lexicon: Lexicon) -> Splits:
    """Return everything of this home that may be written as one word, with its two parts."""
    found = dict(pairs)
    for text in _spoken((*home.entities, *home.areas, *home.floors)):
        for word in words_of(text):
            if pair := split_compound(word, heads, lexicon):
                found[word] = pair
    return found


def mend(
    tokens: Sequence[Token], halves: Callable[[str], Halves | None], heads: frozenset[str], known: frozenset[str]
) -> tuple[Token, ...]:
    """Return tokens with compounds taken apart and words that were torn apart put together."""
    apart: list[Token] = []
    for token in tokens:
        found = halves(token.word)
        apart += _halves(token, found) if found else (token,)
    return tuple(_joined(apart, heads, known))


def _halves(token: Token, found: Halves) -> tuple[Token, Token]:
    cut = max(token.start + 1, token.end - len(found.tail))
    return Token(found.head, token.start, cut, found.slip), Token(found.tail, cut, token.end, found.slip)


def _joined(tokens: Sequence[Token], heads: frozenset[str], known: frozenset[str]) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        before = found[-1] if found else None
        torn = before is not None and token.start > before.end and before.word + token.word in heads
        if before is not None and torn and {before.word, token.word} - known:
            found[-1] = Token(before.word + token.word, before.start, token.end)
        else:
            found.append(token)
    return found
