"""Targets: what the words of a clause may mean among the things of this home; never more than was said."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from botpsy_core.domain.heard import How, Span, Target
from botpsy_core.hearing.fitting import Fit, Group, count_of
from botpsy_core.hearing.index import Bits, HomeIndex, Name
from botpsy_core.hearing.labels import group_label, label_of
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.likeness import INFLECTED
from botpsy_core.hearing.reading import Reading
from botpsy_core.hearing.senses import Count, Meaning, Sense
from botpsy_core.hearing.texts import HOLDERS

_MOST = 64
"""Targets of one phrase that are kept, best first."""
_KIND_WORD = 0.6
"""Weight of a kind word in a name; any other word weighs 1."""
_CALLED = 0.9
"""Score of the one list or calendar that has the word for its kind in its name ("my task list")."""
_WHOLE = 0.93
"""Scores from here on mean that a whole name was said."""


@dataclass(frozen=True, slots=True)
class Implied:
    """A kind that is not said but meant: by the verb ("dim", "vacuum"), a neighbour or the talk so far."""

    bits: Bits
    concept: str
    """The lexicon's word for it; empty where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words that name something together, and everything that bears on their meaning."""

    fits: tuple[Fit, ...] = ()
    """The thing and the places that restrict it; every one must hold."""
    span: Span | None = None
    everything: bool = False
    implied: Implied | None = None
    excluded: tuple[tuple[str, Bits], ...] = ()
    """What was excepted, by name."""
    room: Bits = 0
    """Entities of the room where it was said."""

    @property
    def plural(self) -> bool:
        """Return True if several things were spoken of."""
        said = [g for f in self.fits for g in f.groups if g.concepts]
        return self.everything or any(count_of(g.concepts) is Count.MANY for g in said)


@dataclass(slots=True)
class _Found:
    """Targets gathered so far; of the same set only the surest stays."""

    index: HomeIndex
    phrase: Phrase
    by_bits: dict[Bits, Target] = field(default_factory=dict)

    def add(self, bits: Bits, label: str, score: float, how: How) -> None:
        """Keep a target, less what was excepted, unless the same set is kept with a better score."""
        for _, excepted in self.phrase.excluded:
            bits &= ~excepted
        old = self.by_bits.get(bits)
        if not bits or (old is not None and old.score >= score):
            return
        label = old.label if old is not None and _is_one(bits) else label
        ids = self.index.ids(bits)
        self.by_bits[bits] = Target(label=label, entities=ids, score=round(score, 3), how=how, span=self.phrase.span)


def resolve(phrase: Phrase, reading: Reading) -> tuple[Target, ...]:
    """Return the targets that a phrase may mean, best first; none where a word of it fits nothing here."""
    index = reading.index
    found = _Found(index, phrase)
    singles = index.everything
    for part in phrase.fits:
        singles &= part.singles
    groups = _groups(phrase.fits, index)
    if phrase.implied is not None and singles & phrase.implied.bits and any(not g.concepts for g in groups):
        groups = tuple(g if g.concepts else _of_kind(g, phrase.implied) for g in groups)
        singles &= phrase.implied.bits
    groups = tuple(g for g in groups if g.bits)
    for group in groups:
        _add_group(found, group, reading.lexicon)
    if not groups and phrase.plural and not _is_one(singles):
        found.add(singles, label_of(singles, index), 0.9, How.KIND_IN_PLACE)
    if not (phrase.everything and found.by_bits):
        _add_singles(found, singles, groups, reading.lexicon)
    ranked = sorted(found.by_bits.values(), key=lambda t: (-t.score, len(t.entities), t.label, t.entities))
    return tuple(ranked[:_MOST])


def _is_one(bits: Bits) -> bool:
    return not bits & (bits - 1)


def _groups(fits: Sequence[Fit], index: HomeIndex) -> tuple[Group, ...]:
    """Return the readings of a phrase as kinds and places alone."""
    groups: tuple[Group, ...] = (Group(index.everything),)
    for part in fits:
        groups = tuple(a.narrowed(b) for a in groups for b in part.groups)
    return groups


def _of_kind(group: Group, implied: Implied) -> Group:
    concepts = (Meaning(Sense.KIND, implied.concept, Count.ANY),) if implied.concept and group.places else ()
    return replace(group, bits=group.bits & implied.bits, concepts=concepts)


def _add_singles(found: _Found, singles: Bits, groups: Sequence[Group], lexicon: Lexicon) -> None:
    index = found.index
    named = {
        n: max((_name_score(name, found.phrase.fits, lexicon) for name in index.names[n]), key=lambda pair: pair[0])
        for n in index.members(singles)
    }
    called = [n for n, (score, _) in named.items() if score > 0]
    for n, said in named.items():
        score, how = said
        if _is_one(singles) and 0 < score < _WHOLE and how is not How.FUZZY:
            score = min(0.9, score + 0.15)
        bit = 1 << n
        best = max((g for g in groups if g.bits & bit), key=lambda g: g.quality, default=None)
        if best is not None:
            score, how = max((score, how), _member_score(best, found.phrase, bit), key=lambda pair: pair[0])
            if called == [n] and best.concepts and index.entities[n].domain in HOLDERS:
                score, how = max((score, how), (_CALLED, How.KIND), key=lambda pair: pair[0])
        found.add(bit, index.entities[n].name, score, how)


def _member_score(group: Group, phrase: Phrase, bit: Bits) -> tuple[float, How]:
    """Return how surely one entity was meant by a kind or a place alone."""
    one, in_room = _is_one(group.bits), group.bits & phrase.room
    if group.concepts and group.places:
        score, how = (0.92 if one else 0.7), How.KIND_IN_PLACE
    elif group.places:
        score, how = (0.8 if one else 0.5), How.PLACE
    elif bit & in_room and not one:
        score, how = (0.93 if _is_one(in_room) else 0.7), How.ROOM
    else:
        score, how = (0.9 if one else 0.45 if in_room else 0.6), How.KIND
    return score * group.quality, how


def _add_group(found: _Found, group: Group, lexicon: Lexicon) -> None:
    """Add several things as one target, where that is what was said."""
    phrase = found.phrase
    union = phrase.everything or (group.concepts and count_of(group.concepts) is not Count.ONE)
    if (_is_one(group.bits) and not phrase.excluded) or (group.partial and not union):
        return
    if group.concepts and group.places:
        score, how = (0.95 if union else 0.66), How.KIND_IN_PLACE
    elif group.places:
        score, how = (0.9 if union else 0.8), How.PLACE
    elif phrase.everything:
        score, how = 0.95, How.ALL
    elif group.bits & phrase.room:
        room = tuple(p for p in found.index.places if p.bits == phrase.room and not p.floor)[:1]
        group = replace(group, bits=group.bits & phrase.room, places=room)
        if _is_one(group.bits) and not union:
            return
        score, how = (0.95, How.KIND_IN_PLACE) if union and room else (0.66, How.ROOM)
    else:
        return
    label = group_label(group, lexicon, (name for name, _ in phrase.excluded))
    found.add(group.bits, label, score * group.quality, how)


def _name_score(name: Name, fits: Sequence[Fit], lexicon: Lexicon) -> tuple[float, How]:
    """Return how much of a name was said and how surely, 0 to 1."""
    near = [said for part in fits for _, said in part.words]
    said = {w: max((n.get(w, 0.0) for n in near), default=0.0) for w in name.words}
    weights = {w: _weight(w, lexicon) for w in said}
    covered = sum(weights[w] for w, q in said.items() if q) / sum(weights.values())
    how = How.ALIAS if name.alias else How.NAME
    if not covered:
        return 0.0, how
    quality = min(q for q in said.values() if q)
    if quality < INFLECTED:
        how = How.FUZZY
    if covered < 1:
        return (0.4 + 0.4 * covered) * quality, how
    if quality < 1:
        return (0.97 if any(all(any(w in n for _, n in p.words) for w in said) for p in fits) else 0.94) * quality, how
    runs = [tuple(word for word, _ in part.words) for part in fits]
    if len(runs) == 1 and runs[0] in {name.words, name.whole}:
        return 1.0, how
    in_one = any(_contains(run, form) for run in runs for form in (name.words, name.whole))
    return (0.97 if in_one else 0.94), how


def _weight(word: str, lexicon: Lexicon) -> float:
    return _KIND_WORD if any(m.sense is Sense.KIND for m in lexicon.phrases.get((word,), ())) else 1.0


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(tuple(words[n : n + len(part)]) == tuple(part) for n in range(len(words) - len(part) + 1))
