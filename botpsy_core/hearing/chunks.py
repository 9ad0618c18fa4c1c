"""Chunk: words next to each other that together name what is acted on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from botpsy_core.domain.heard import ValueKind
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.index import Bits, Place
from botpsy_core.hearing.lexicon import Count, Meaning, Sense
from botpsy_core.hearing.likeness import Alike, alike
from botpsy_core.hearing.reading import Reading, Segment, is_particle, is_verb

_SYNONYM = 0.9
_PARTIAL_PLACE = 0.85
_STATES = 24
"""Ways to read one chunk that are followed at most."""

SWITCHING = frozenset({Direction.ON, Direction.OFF, Direction.OPEN, Direction.CLOSE, Direction.LOCK, Direction.UNLOCK})


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbouring segments that name something, and how they hang on what went before."""

    first: int
    """Number of its first token."""
    last: int
    linked: bool
    """True after a word such as "in" or "of"."""
    joined: bool
    """True if that word follows another chunk."""
    known: bool
    """True if language or home know at least one of its words."""


@dataclass(frozen=True, slots=True)
class Group:
    """One reading of a chunk as kinds and places alone."""

    bits: Bits
    concepts: tuple[Meaning, ...] = ()
    places: tuple[Place, ...] = ()
    quality: float = 1.0


@dataclass(frozen=True, slots=True)
class Fit:
    """What a chunk may mean."""

    singles: Bits
    """Entities that every word of the chunk fits, by name, place or kind."""
    groups: tuple[Group, ...]
    words: tuple[tuple[str, Alike], ...]

    @property
    def place_only(self) -> Group | None:
        """Return the reading as a bare place, or None."""
        return next((g for g in self.groups if g.places and not g.concepts), None)


def chunks_of(segments: Sequence[Segment], reading: Reading, *, switching: bool) -> tuple[Chunk, ...]:
    """Gather the segments that may name things into chunks."""
    found: list[Chunk] = []
    run: list[Segment] = []
    linked = joined = False
    for at, here in enumerate(segments):
        if names_something(segments, at, reading, switching=switching):
            run.append(here)
            continue
        if run:
            found.append(_chunk(run, reading, linked=linked, joined=joined))
            run, linked, joined = [], False, False
        if here.has(Sense.LINK) and not is_particle(segments, at):
            linked, joined = True, bool(found) and _follows(segments[:at], found[-1])
        elif not (here.is_transparent or here.has(Sense.ARTICLE, Sense.ALL)):
            linked = joined = False
    if run:
        found.append(_chunk(run, reading, linked=linked, joined=joined))
    return tuple(found)


def names_something(segments: Sequence[Segment], at: int, reading: Reading, *, switching: bool) -> bool:
    """Return True if a segment is part of the name of a thing or place here."""
    here = segments[at]
    if here.value:
        return _is_numeral_of_name(segments, at, reading, switching=switching)
    if here.has(Sense.EXCEPT, Sense.EVERYTHING) or is_particle(segments, at):
        return False
    if here.may_name:
        return not is_verb(segments, at)
    words = reading.words(here)
    return words in reading.index.exact and not here.has(Sense.ALL) and here.only({Sense.COLOR, Sense.VERB_KIND})


def _is_numeral_of_name(segments: Sequence[Segment], at: int, reading: Reading, *, switching: bool) -> bool:
    here = segments[at]
    bare = (
        here.value and here.value.kind is ValueKind.NUMBER and here.last - here.first == 1 and not here.value.relative
    )
    if not bare or not at or not segments[at - 1].may_name or is_verb(segments, at - 1):
        return False
    followed = at + 1 < len(segments) and segments[at + 1].may_name
    return followed or switching or reading.tokens[here.first].word in reading.index.name_words


def _follows(segments: Sequence[Segment], chunk: Chunk) -> bool:
    """Return True if nothing but small words stands between a chunk and the end of the segments."""
    between = [s for s in segments if s.first >= chunk.last]
    return all(s.is_transparent or s.has(Sense.PARTICLE, Sense.ARTICLE) for s in between)


def _chunk(run: Sequence[Segment], reading: Reading, *, linked: bool, joined: bool) -> Chunk:
    first, last = run[0].first, run[-1].last
    known = any(s.name or s.meanings for s in run) or any(
        alike(reading.tokens[n].word, reading.index, reading.lexicon) for n in range(first, last)
    )
    return Chunk(first, last, linked, joined, known)


def fit(chunk: Chunk, reading: Reading) -> Fit:
    """Find the entities and the groups of them that every word of a chunk fits."""
    index, lexicon = reading.index, reading.lexicon
    words = [t.word for t in reading.tokens[chunk.first : chunk.last]]
    near = [alike(word, index, lexicon) for word in words]
    singles: list[Bits] = [index.everything, *(0 for _ in words)]
    groups: list[list[Group]] = [[Group(index.everything)], *([] for _ in words)]
    for at in range(len(words)):
        for word in near[at]:
            singles[at + 1] |= singles[at] & index.name_words.get(word, 0)
        for size, step in _steps(words, near, at, reading, chunk):
            singles[at + size] |= singles[at] & step.bits
            groups[at + size] += [_narrowed(g, step) for g in groups[at]]
            groups[at + size] = sorted(groups[at + size], key=lambda g: -g.quality)[:_STATES]
    return Fit(singles[-1], tuple(groups[-1]), tuple(zip(words, near, strict=True)))


def _narrowed(group: Group, step: Group) -> Group:
    return Group(
        group.bits & step.bits,
        group.concepts + step.concepts,
        group.places + step.places,
        min(group.quality, step.quality),
    )


def _steps(
    words: Sequence[str], near: Sequence[Alike], at: int, reading: Reading, chunk: Chunk
) -> Iterator[tuple[int, Group]]:
    """Yield the kinds and places that begin at a word, with how many words they take."""
    index, lexicon = reading.index, reading.lexicon
    for size in range(1, min(lexicon.longest, len(words) - at) + 1):
        for meaning in _meanings(words, at, size, reading, chunk):
            if meaning.sense is Sense.KIND:
                yield size, Group(index.concepts.get(meaning.value, 0), concepts=(meaning,))
            elif meaning.sense in {Sense.PLACE, Sense.FLOOR} and not _said_in_full(words, near, at, size, reading):
                floor = meaning.sense is Sense.FLOOR
                for place in index.places:
                    if place.floor is floor and meaning.value in place.groups:
                        yield size, Group(place.bits, places=(place,), quality=_SYNONYM)
    yield from _places_at(words, near, at, reading)


def _meanings(words: Sequence[str], at: int, size: int, reading: Reading, chunk: Chunk) -> tuple[Meaning, ...]:
    found = reading.lexicon.phrases.get(tuple(words[at : at + size]), ())
    if found or size > 1:
        return found
    return next((s.meanings for s in reading.segments if s.first == chunk.first + at and s.last == s.first + 1), ())


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
    if not full:
        for place in places.values():
            if not place.floor and words[at] not in _generic(reading):
                yield 1, Group(place.bits, places=(place,), quality=_PARTIAL_PLACE)


def _generic(reading: Reading) -> frozenset[str]:
    return frozenset(w for w in reading.index.place_words if _is_generic(w, reading))


def _is_generic(word: str, reading: Reading) -> bool:
    return any(m.sense is Sense.FILLER for m in reading.lexicon.phrases.get((word,), ()))


def _said(name: Sequence[str], near: Sequence[Alike]) -> float:
    """Return how surely a name was said, word by word; 0 if it was not."""
    if len(name) > len(near):
        return 0.0
    return min(said.get(word, 0.0) for word, said in zip(name, near, strict=False))


def count_of(concepts: Sequence[Meaning]) -> Count:
    """Return how many things the kind words speak of; the last one decides."""
    return concepts[-1].count if concepts else Count.ANY
