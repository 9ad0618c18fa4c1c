"""Label: how a set of things is spoken of, in the user's language, unlike any other of its clause."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from botpsy_core.domain.heard import Target
from botpsy_core.domain.home import Entity, Home
from botpsy_core.hearing.fitting import Group
from botpsy_core.hearing.index import Bits, HomeIndex
from botpsy_core.hearing.lexicon import Lexicon

_NAMED = 4
"""Things that are listed by name in one label at most."""


def label_of(bits: Bits, index: HomeIndex) -> str:
    """Return the names of a few things, and how many more there are."""
    names = [index.entities[n].name for n in index.members(bits)]
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown}, +{len(names) - _NAMED}"


def group_label(group: Group, lexicon: Lexicon, excluded: Iterable[str]) -> str:
    """Return what to call a kind in a place, a kind, a place or everything, with its exceptions."""
    labels = lexicon.data["labels"]
    place = ", ".join(p.label for p in group.places)
    kind = kind_word(group.concepts[-1].value, lexicon) if group.concepts else ""
    name = ("kind_in_place" if place else "all") if kind else "place" if place else "everything"
    label = str(labels[name].format(kind=kind, place=place))
    names = ", ".join(excluded)
    return str(labels["except"].format(what=label, names=names)) if names else label


def kind_word(concept: str, lexicon: Lexicon) -> str:
    """Return the language's first word for several things of a kind."""
    forms = lexicon.data["kinds"].get(concept, {})
    return str(next((forms[c][0] for c in ("many", "any", "one") if forms.get(c)), concept))


def distinct(targets: Iterable[Target], home: Home, lexicon: Lexicon) -> tuple[Target, ...]:
    """Return the targets with labels that differ: by room where that is enough, by kind, by both, else by id."""
    found = list(targets)
    twice = {label for label, times in Counter(t.label for t in found).items() if times > 1}
    if not twice:
        return tuple(found)
    entities = {e.id: e for e in home.entities}
    areas = {a.id: a.name for a in home.areas}
    kinds = _kind_words(lexicon)
    for label in twice:
        same = [n for n, t in enumerate(found) if t.label == label]
        spelt = _spellings([entities[found[n].entities[0]] for n in same], areas, kinds)
        for n, extra in zip(same, spelt, strict=True):
            found[n] = replace(found[n], label=f"{label} ({extra})")
    return tuple(found)


def _spellings(entities: list[Entity], areas: Mapping[str, str], kinds: Mapping[str, str]) -> list[str]:
    def area(entity: Entity) -> str:
        return areas.get(entity.area_id or "", "")

    def kind(entity: Entity) -> str:
        return kinds.get(entity.kind) or kinds.get(entity.domain) or entity.domain.replace("_", " ")

    def sort(entity: Entity) -> str:
        return kinds.get(entity.domain) or entity.domain.replace("_", " ")

    ways: tuple[Callable[[Entity], str], ...] = (area, kind, sort, lambda e: f"{sort(e)}, {area(e)}")
    for way in ways:
        spelt = [way(e) for e in entities]
        if all(spelt) and len(set(spelt)) == len(spelt):
            return spelt
    return [e.id for e in entities]


def _kind_words(lexicon: Lexicon) -> Mapping[str, str]:
    """Return a word for each kind: the one of the concept that covers least."""
    words: dict[str, str] = {}
    for concept, covered in sorted(lexicon.kinds.items(), key=lambda item: len(item[1])):
        forms = lexicon.data["kinds"].get(concept, {})
        word = next((forms[c][0] for c in ("one", "any", "many") if forms.get(c)), "")
        for kind in covered:
            if word:
                words.setdefault(kind, str(word))
    return words
