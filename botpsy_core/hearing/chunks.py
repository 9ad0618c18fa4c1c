"""Chunk: words next to each other that together name what is acted on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from botpsy_core.domain.heard import ValueKind
from botpsy_core.hearing.index import Bits, Place
from botpsy_core.hearing.likeness import INFLECTED, Alike, alike
from botpsy_core.hearing.reading import Reading, Segment, is_particle, is_verb
from botpsy_core.hearing.senses import Count, Meaning, Sense
from botpsy_core.hearing.tokens import Token, is_unspaced

_SYNONYM = 0.9
_PARTIAL_PLACE = 0.85
_SLIP = 0.88
"""Quality of a word that had to be put right."""
_LONGEST = 32
"""Words of the longest chunk that can name a thing."""
_STATES = 24
"""Ways to read one chunk that are followed at most."""


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
    if here.value and here.value.kind is not ValueKind.COLOR:
        return _is_numeral_of_name(segments, at, reading, switching=switching)
    if here.has(Sense.EXCEPT, Sense.EVERYTHING) or is_particle(segments, at):
        return False
    if here.may_name:
        return not is_verb(segments, at)
    if _is_modifier(segments, at, reading):
        return True
    return here.only({Sense.COLOR, Sense.VERB_KIND, Sense.NOUN}) and reading.words(here) in reading.index.exact


def _is_modifier(segments: Sequence[Segment], at: int, reading: Reading) -> bool:
    """Return True for a word in the midst of a name ("the cool light", "the red lamp"), which narrows it."""
    here = segments[at]
    before = segments[at - 1] if at and segments[at - 1].last == here.first else None
    after = segments[at + 1] if at + 1 < len(segments) and segments[at + 1].first == here.last else None
    follows = before is not None and before.may_name and not is_verb(segments, at - 1)
    leads = after is not None and after.may_name
    if here.only({Sense.ADJECTIVE}):
        return leads or (follows and reading.words(here)[0] in reading.index.name_words)
    article = before is not None and before.has(Sense.ARTICLE)
    if here.only({Sense.FILLER}):
        return article and leads
    senses = {Sense.NOUN, Sense.COLOR, Sense.STATE} | ({Sense.DIRECTION} if reading.lexicon.bare_modifiers else set())
    if not here.only(senses | {Sense.VERB_KIND, Sense.FILLER}) or here.only({Sense.VERB_KIND, Sense.FILLER}):
        return False
    return (article or follows) and leads


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
    known = any(s.name or s.meanings for s in run) or any(_is_known(n, last, reading) for n in range(first, last))
    adverb = all(s.only({Sense.FLOOR}) for s in run)  # "is it warm upstairs"
    return Chunk(first, last, linked or adverb, joined, known)


def within(chunk: Chunk, bits: Bits, reading: Reading) -> Chunk | None:
    """Return the longest part of a chunk that names something among these things and nothing else, or None."""
    size = chunk.last - chunk.first
    if size > _LONGEST:
        return None
    parts = ((at, at + n) for n in range(size - 1, 0, -1) for at in range(chunk.first, chunk.last - n + 1))
    found = (replace(chunk, first=first, last=last, known=True) for first, last in parts)
    return next((part for part in found if (named := fit(part, reading).singles) and not named & ~bits), None)


def _is_known(at: int, last: int, reading: Reading) -> bool:
    words = [t.word for t in reading.tokens[at : min(last, at + _LONGEST)]]
    if is_unspaced(words[0]):
        most = min(reading.index.longest, len(words))
        return any(tuple(words[:size]) in reading.index.units for size in range(1, most + 1))
    return bool(alike(words[0], reading.index, reading.lexicon))


def fit(chunk: Chunk, reading: Reading) -> Fit:
    """Find the entities and the groups of them that every word of a chunk fits."""
    index = reading.index
    if chunk.last - chunk.first > _LONGEST:
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
