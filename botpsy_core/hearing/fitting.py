"""Fitting: which things of the home, and which groups of them, every word of a chunk fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from botpsy_core.hearing.chunks import LONGEST_CHUNK, Chunk
from botpsy_core.hearing.index import Bits, Place
from botpsy_core.hearing.likeness import INFLECTED, Alike, alike
from botpsy_core.hearing.reading import Reading
from botpsy_core.hearing.senses import Count, Meaning, Sense
from botpsy_core.hearing.tokens import Token, is_unspaced

_SYNONYM = 0.95
_PARTIAL_PLACE = 0.85
_SLIP = 0.88
"""Quality of a word that had to be put right."""
_STATES = 24
"""Ways to read one chunk that are followed at most."""


@dataclass(frozen=True, slots=True)
class Group:
    """One reading of a chunk as kinds and places alone."""

    bits: Bits
    concepts: tuple[Meaning, ...] = ()
    places: tuple[Place, ...] = ()
    quality: float = 1.0
    partial: bool = False
    """True where several places share the word that was said ("bedroom" of "Bedroom 1" and "Bedroom 2")."""

    def narrowed(self, by: Group) -> Group:
        """Return what fits both."""
        return Group(
            self.bits & by.bits,
            self.concepts + by.concepts,
            self.places + by.places,
            min(self.quality, by.quality),
            self.partial or by.partial,
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """What a chunk may mean."""

    singles: Bits
    """Entities that every word of the chunk fits, by name, place or kind."""
    groups: tuple[Group, ...]
    words: tuple[tuple[str, Alike], ...]

    @classmethod
    def anything(cls, everything: Bits) -> Fit:
        """Return the fit of no words at all."""
        return cls(everything, (Group(everything),), ())

    @property
    def place_only(self) -> Group | None:
        """Return the reading as a bare place, or None."""
        return next((g for g in self.groups if g.places and not g.concepts), None)


def fit(chunk: Chunk, reading: Reading) -> Fit:
    """Find the entities and the groups of them that every word of a chunk fits."""
    index = reading.index
    if chunk.last - chunk.first > LONGEST_CHUNK:
        return Fit(0, (), ())
    tokens = reading.tokens[chunk.first : chunk.last]
    words = [t.word for t in tokens]
    near = [_alike(token, reading) for token in tokens]
    singles: list[Bits] = [index.everything, *(0 for _ in words)]
    groups: list[list[Group]] = [[Group(index.everything)], *([] for _ in words)]
    for at in range(len(words)):
        for word in near[at]:
            singles[at + 1] |= singles[at] & index.name_words.get(word, 0)
        for size in range(2, min(index.longest, len(words) - at) + 1):
            singles[at + size] |= singles[at] & index.wholes.get(tuple(words[at : at + size]), 0)
        for size in range(1, min(index.longest, len(words) - at) + 1) if is_unspaced(words[at]) else ():
            singles[at + size] |= singles[at] & index.units.get(tuple(words[at : at + size]), 0)
        for size, bits in _synonyms_at(words, at, reading):
            singles[at + size] |= singles[at] & bits
        for size, step in _steps(tokens, near, at, reading):
            singles[at + size] |= singles[at] & step.bits
            groups[at + size] += [g.narrowed(step) for g in groups[at]]
            groups[at + size] = sorted(groups[at + size], key=lambda g: -g.quality)[:_STATES]
    return Fit(singles[-1], tuple(groups[-1]), tuple(zip(words, near, strict=True)))


def within(chunk: Chunk, bits: Bits, reading: Reading) -> Chunk | None:
    """Return the longest part of a chunk that names something among these things and nothing else, or None."""
    size = chunk.last - chunk.first
    if size > LONGEST_CHUNK:
        return None
    parts = ((at, at + n) for n in range(size - 1, 0, -1) for at in range(chunk.first, chunk.last - n + 1))
    found = (replace(chunk, first=first, last=last, known=True) for first, last in parts)
    return next((part for part in found if (named := fit(part, reading).singles) and not named & ~bits), None)


def _steps(tokens: Sequence[Token], near: Sequence[Alike], at: int, reading: Reading) -> Iterator[tuple[int, Group]]:
    """Yield the kinds and places that begin at a word, with how many words they take."""
    index, lexicon = reading.index, reading.lexicon
    words = [t.word for t in tokens]
    for size in range(1, min(lexicon.longest, len(words) - at) + 1):
        quality = _SLIP if any(t.slip for t in tokens[at : at + size]) else 1.0
        for meaning in lexicon.phrases.get(tuple(words[at : at + size]), ()):
            if meaning.sense is Sense.KIND:
                yield size, Group(index.concepts.get(meaning.value, 0), concepts=(meaning,), quality=quality)
            elif meaning.sense in {Sense.PLACE, Sense.FLOOR} and not _said_in_full(words, near, at, size, reading):
                floor = meaning.sense is Sense.FLOOR
                for place in index.places:
                    if place.floor is floor and meaning.value in place.groups:
                        yield size, Group(place.bits, places=(place,), quality=min(quality, _SYNONYM))
    yield from _places_at(words, near, at, reading)


def _alike(token: Token, reading: Reading) -> Alike:
    found = alike(token.word, reading.index, reading.lexicon)
    return {word: round(quality * _SLIP, 3) for word, quality in found.items()} if token.slip else found


def _synonyms_at(words: Sequence[str], at: int, reading: Reading) -> Iterator[tuple[int, Bits]]:
    """Yield the entities with another word for the same place in their names."""
    for size in range(1, min(reading.lexicon.longest, len(words) - at) + 1):
        for meaning in reading.lexicon.phrases.get(tuple(words[at : at + size]), ()):
            if bits := reading.index.synonyms.get(meaning, 0):
                yield size, bits


def _said_in_full(words: Sequence[str], near: Sequence[Alike], at: int, size: int, reading: Reading) -> bool:
    return any(step.quality > _PARTIAL_PLACE and taken >= size for taken, step in _places_at(words, near, at, reading))


def _places_at(words: Sequence[str], near: Sequence[Alike], at: int, reading: Reading) -> Iterator[tuple[int, Group]]:
    places = {p.id: p for word in near[at] for p in reading.index.place_words.get(word, ())}
    full = False
    for place in places.values():
        for name in place.names:
            quality = _said(name, near[at:])
            if quality:
                full = True
                yield len(name), Group(place.bits, places=(place,), quality=quality)
    if full or is_unspaced(words[at]) or _is_generic(words[at], reading):
        return
    sure = {p.id for word, q in near[at].items() if q >= INFLECTED for p in reading.index.place_words.get(word, ())}
    partial = tuple(p for p in places.values() if not p.floor and p.id in sure)
    for place in partial:
        yield 1, Group(place.bits, places=(place,), quality=_PARTIAL_PLACE)
    if len(partial) > 1:
        bits = 0
        for place in partial:
            bits |= place.bits
        yield 1, Group(bits, places=partial, quality=_PARTIAL_PLACE, partial=True)


def _is_generic(word: str, reading: Reading) -> bool:
    return any(m.sense in {Sense.FILLER, Sense.NOUN} for m in reading.lexicon.phrases.get((word,), ()))


def _said(name: Sequence[str], near: Sequence[Alike]) -> float:
    """Return how surely a name was said, word by word; 0 if it was not."""
    if len(name) > len(near):
        return 0.0
    return min(said.get(word, 0.0) for word, said in zip(name, near, strict=False))


def count_of(concepts: Sequence[Meaning]) -> Count:
    """Return how many things the kind words speak of; the last one decides."""
    return concepts[-1].count if concepts else Count.ANY
