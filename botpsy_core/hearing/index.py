"""HomeIndex: a home's names, places and kinds as sets of entities."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from botpsy_core.domain.home import Entity
from botpsy_core.hearing.compounds import Splits
from botpsy_core.hearing.senses import Meaning
from botpsy_core.hearing.vocabulary import Vocabulary

type Bits = int
"""A set of entities: bit n is the n-th entity of the home."""


@dataclass(frozen=True, slots=True)
class Name:
    """One way to call an entity."""

    words: tuple[str, ...]
    """Without function words, compounds taken apart."""
    whole: tuple[str, ...]
    """As written."""
    alias: bool


@dataclass(frozen=True, slots=True)
class Place:
    """An area or a floor, under all its names."""

    id: str
    label: str
    names: tuple[tuple[str, ...], ...]
    bits: Bits
    groups: frozenset[str]
    """The lexicon's groups of synonyms that one of its names belongs to."""
    floor: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeIndex:
    """Where each word of a home leads."""

    entities: tuple[Entity, ...]
    everything: Bits
    names: tuple[tuple[Name, ...], ...]
    """The names of the n-th entity, its own name first."""
    exact: Mapping[tuple[str, ...], Bits]
    """Whole names (without function words) -> entities."""
    wholes: Mapping[tuple[str, ...], Bits]
    """Whole names, with and without function words -> the things that have them; places have none."""
    longest: int
    """Words in the longest of them."""
    name_words: Mapping[str, Bits]
    """Words of names -> entities; not of scripts that part no words."""
    units: Mapping[tuple[str, ...], Bits]
    """Parts of names in scripts that part no words -> entities."""
    places: tuple[Place, ...]
    place_words: Mapping[str, tuple[Place, ...]]
    concepts: Mapping[str, Bits]
    """The lexicon's kinds -> entities."""
    stems: Mapping[str, frozenset[str]]
    """Beginnings of the home's words, endings taken off -> those words."""
    vocabulary: Vocabulary
    """All words of names and places, for near misses."""
    long_stems: Vocabulary
    """What is left of the longer ones without their endings."""
    after: Mapping[str, frozenset[str]]
    """A word of a name -> the words that come next in one."""
    before: Mapping[str, frozenset[str]]
    compounds: Splits
    """What may be written as one word, and its parts."""
    wholes_as_one: Vocabulary
    """All words of `compounds`, for near misses."""
    heads: frozenset[str]
    """Words for places that may begin a compound."""
    synonyms: Mapping[Meaning, Bits]
    """The lexicon's places -> entities that have one of its words in their names ("outdoor lamp" for "outside")."""
    areas: Mapping[str, Bits]

    def members(self, bits: Bits) -> Iterator[int]:
        """Yield the numbers of the entities in a set."""
        while bits:
            low = bits & -bits
            yield low.bit_length() - 1
            bits ^= low

    def ids(self, bits: Bits) -> tuple[str, ...]:
        """Return the sorted ids of the entities in a set."""
        return tuple(sorted(self.entities[n].id for n in self.members(bits)))

    def bits_of(self, ids: Iterable[str]) -> Bits:
        """Return the set of the entities with these ids; unknown ids are left out."""
        wanted = frozenset(ids)
        return sum(1 << n for n, e in enumerate(self.entities) if e.id in wanted)
