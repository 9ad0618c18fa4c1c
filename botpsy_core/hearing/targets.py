"""Targets: what the words of a clause may mean among the things of this home; never more than was said."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from botpsy_core.domain.heard import How, Span, Target
from botpsy_core.domain.home import Home
from botpsy_core.hearing.chunks import Chunk, Fit, Group, count_of
from botpsy_core.hearing.index import Bits, HomeIndex, Name
from botpsy_core.hearing.lexicon import Count, Lexicon, Sense
from botpsy_core.hearing.likeness import INFLECTED
from botpsy_core.hearing.reading import Reading

_MOST = 64
"""Targets of one phrase that are kept, best first."""
_KIND_WORD = 0.6
"""Weight of a kind word in a name; any other word weighs 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One phrase of a clause and everything that bears on its meaning."""

    fits: tuple[Fit, ...]
    """The phrase and the places that restrict it; every one must hold."""
    span: Span
    everything: bool = False
    implied: Bits | None = None
    """What a verb alone says of the kind ("dim", "vacuum"); None where it says nothing."""
    excluded: Bits = 0
    excluded_names: tuple[str, ...] = ()
    room: Bits = 0
    """Entities of the room where it was said."""


@dataclass(slots=True)
class _Found:
    """Targets gathered so far; of the same set only the surest stays."""

    index: HomeIndex
    ask: Ask
    by_bits: dict[Bits, Target] = field(default_factory=dict)

    def add(self, bits: Bits, label: str, score: float, how: How) -> None:
        bits &= ~self.ask.excluded
        old = self.by_bits.get(bits)
        if bits and (old is None or old.score < score):
            target = Target(
                label=label, entities=self.index.ids(bits), score=round(score, 3), how=how, span=self.ask.span
            )
            self.by_bits[bits] = target if old is None or bits & (bits - 1) else replace(target, label=old.label)


def resolve(ask: Ask, reading: Reading) -> tuple[Target, ...]:
    """Return the targets that a phrase may mean, best first; none where a word of it fits nothing here."""
    index = reading.index
    found = _Found(index, ask)
    singles = index.everything
    for part in ask.fits:
        singles &= part.singles
    groups = _groups(ask.fits, index)
    if ask.implied is not None and any(not g.concepts for g in groups) and ask.implied & singles:
        groups = tuple(g if g.concepts else replace(g, bits=g.bits & ask.implied) for g in groups)
        singles &= ask.implied
    _add_singles(found, singles, groups, reading)
    for group in groups:
        _add_group(found, group, reading)
    if not groups and _plural(ask) and singles & (singles - 1):
        found.add(singles, _label_all(index, singles), 0.9, How.KIND_IN_PLACE)
    ranked = sorted(found.by_bits.values(), key=lambda t: (-t.score, len(t.entities), t.label, t.entities))
    return tuple(ranked[:_MOST])


def _groups(fits: Sequence[Fit], index: HomeIndex) -> tuple[Group, ...]:
    groups: tuple[Group, ...] = (Group(index.everything),)
    for part in fits:
        groups = tuple(
            Group(a.bits & b.bits, a.concepts + b.concepts, a.places + b.places, min(a.quality, b.quality))
            for a in groups
            for b in part.groups
        )
    return tuple(g for g in groups if g.bits)


def _plural(ask: Ask) -> bool:
    kinds = [g for part in ask.fits for g in part.groups if g.concepts]
    return ask.everything or any(count_of(g.concepts) is Count.MANY for g in kinds)


def _add_singles(found: _Found, singles: Bits, groups: Sequence[Group], reading: Reading) -> None:
    ask, index = found.ask, found.index
    words = [pair for part in ask.fits for pair in part.words]
    alone = bool(singles) and not singles & (singles - 1)
    for n in index.members(singles):
        entity = index.entities[n]
        score, how = max(
            ((*_name_score(name, words, reading.lexicon), name.alias) for name in index.names[n]),
            key=lambda rated: rated[0],
        )[:2]
        if alone and 0 < score < 0.93:
            score = min(0.9, score + 0.15)
        bit = 1 << n
        best = max((g for g in groups if g.bits & bit), key=lambda g: g.quality, default=None)
        if best is not None:
            grouped, group_how = _member_score(best, ask, bit=bit)
            if grouped > score:
                score, how = grouped, group_how
        found.add(bit, entity.name, score, how)


def _member_score(group: Group, ask: Ask, *, bit: Bits) -> tuple[float, How]:
    """Return how surely one entity was meant by a kind or a place alone."""
    several = bool(group.bits & (group.bits - 1))
    if group.concepts and group.places:
        return (0.7 if several else 0.92) * group.quality, How.KIND_IN_PLACE
    if group.places:
        return (0.5 if several else 0.8) * group.quality, How.PLACE
    if not several:
        return 0.9 * group.quality, How.KIND
    in_room = group.bits & ask.room
    if bit & in_room:
        return (0.7 if in_room & (in_room - 1) else 0.86) * group.quality, How.ROOM
    return (0.45 if in_room else 0.6) * group.quality, How.KIND


def _add_group(found: _Found, group: Group, reading: Reading) -> None:
    ask, count = found.ask, count_of(group.concepts)
    several = bool(group.bits & (group.bits - 1))
    if not several and not ask.excluded:
        return
    union = ask.everything or count is not Count.ONE
    if group.concepts and group.places:
        score, how = (0.95 if union else 0.66), How.KIND_IN_PLACE
    elif group.places:
        score, how = (0.9 if ask.everything else 0.8), How.PLACE
    elif ask.everything:
        score, how = 0.95, How.ALL
    elif group.bits & ask.room:
        group = replace(group, bits=group.bits & ask.room)
        score, how = (0.86 if union else 0.66), How.ROOM
    else:
        return
    label = group_label(group, reading, everything=ask.everything and not group.places)
    if ask.excluded_names:
        names = ", ".join(ask.excluded_names)
        label = reading.lexicon.data["labels"]["except"].format(what=label, names=names)
    found.add(group.bits, label, score * group.quality, how)


def group_label(group: Group, reading: Reading, *, everything: bool) -> str:
    """Return how to speak of a group, in the user's language."""
    labels = reading.lexicon.data["labels"]
    place = ", ".join(p.label for p in group.places)
    if not group.concepts:
        return str(labels["place"].format(place=place) if group.places else labels["everything"])
    kind = kind_word(group.concepts[-1].value, reading.lexicon)
    template = labels["kind_in_place"] if group.places else labels["all"] if everything else "{kind}"
    return str(template.format(kind=kind, place=place))


def kind_word(concept: str, lexicon: Lexicon) -> str:
    """Return the language's first word for several things of a kind."""
    forms = lexicon.data["kinds"].get(concept, {})
    return str(next((forms[c][0] for c in ("many", "any", "one") if forms.get(c)), concept))


def _label_all(index: HomeIndex, bits: Bits) -> str:
    return ", ".join(index.entities[n].name for n in index.members(bits))


def _name_score(name: Name, words: Sequence[tuple[str, dict[str, float]]], lexicon: Lexicon) -> tuple[float, How]:
    """Return how much of a name was said and how surely, 0 to 1."""
    said = {w: max((near.get(w, 0.0) for _, near in words), default=0.0) for w in name.words}
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
    spoken = tuple(word for word, _ in words)
    if spoken == name.words:
        return 1.0, how
    if quality == 1:
        return 0.97 if _contains(spoken, name.words) else 0.94, how
    return 0.94 * quality, how


def _weight(word: str, lexicon: Lexicon) -> float:
    return _KIND_WORD if any(m.sense is Sense.KIND for m in lexicon.phrases.get((word,), ())) else 1.0


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(tuple(words[n : n + len(part)]) == tuple(part) for n in range(len(words) - len(part) + 1))


def distinct(targets: Iterable[Target], home: Home) -> tuple[Target, ...]:
    """Return the targets with labels that differ, by room, else by kind, else by id."""
    found = list(targets)
    for spell in (_with_area, _with_domain, _with_id):
        seen: dict[str, int] = {}
        for target in found:
            seen[target.label] = seen.get(target.label, 0) + 1
        found = [spell(t, home) if seen[t.label] > 1 else t for t in found]
    return tuple(found)


def _with_area(target: Target, home: Home) -> Target:
    entity = home.entity(target.entities[0])
    area = home.area(entity.area_id) if entity else None
    return replace(target, label=f"{target.label} ({area.name})") if area else target


def _with_domain(target: Target, home: Home) -> Target:
    entity = home.entity(target.entities[0])
    return replace(target, label=f"{target.label} ({entity.domain})") if entity else target


def _with_id(target: Target, _home: Home) -> Target:
    return replace(target, label=f"{target.label} ({target.entities[0]})")


__all__ = ["Ask", "Chunk", "distinct", "group_label", "kind_word", "resolve"]
