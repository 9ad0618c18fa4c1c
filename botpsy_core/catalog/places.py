"""What of the home a tool's target may be, out of what was heard."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.cues import listed_words, names_asker, word_hits
from botpsy_core.domain.heard import Clause, Span, Target
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.tools import Argument

MOST_IMPLIED = 12
"""Things of a kind that are offered where none was named."""
SAID = 0.8
"""The score from which a thing was named and not just its kind."""
NEAR = 0.1
"""How far behind the best a thing may be to be read as well."""
FEW = 3
"""Things that a label still lists by name."""
ONLY_READ = frozenset({
    "sensor", "binary_sensor", "weather", "person", "device_tracker", "sun", "zone", "event", "image", "air_quality",
})  # fmt: skip
"""Domains of things that nobody can act on."""
BUSY_STATES = frozenset({"playing", "cleaning", "mowing"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """The home's entities that this turn may touch, by id."""

    by_id: Mapping[str, Entity]
    home: Home
    area_id: str | None
    person_id: str | None = None
    """The asker's own `person.*`, where it is one of the entities."""
    tags: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Domain and kind of the things that were asked for so far."""

    def of_kinds(self, ids: Iterable[str], kinds: frozenset[str], *, reading: bool) -> list[str]:
        """Return those of the ids that this turn may touch and that are of one of the kinds.

        No kinds: of any, but for acting none that can only be read.
        """
        kept = []
        for entity_id in ids:
            tags = self.tags.get(entity_id)
            if tags is None:
                entity = self.by_id.get(entity_id)
                if entity is None:
                    continue
                tags = self.tags[entity_id] = (entity.domain, entity.kind)
            if tags[0] in kinds or tags[1] in kinds or (not kinds and (reading or tags[0] not in ONLY_READ)):
                kept.append(entity_id)
        return kept

    @classmethod
    def of(cls, home: Home, context: TurnContext) -> Things:
        """Index the home once a clause."""
        allowed = context.entities
        by_id = {e.id: e for e in home.entities if allowed is None or e.id in allowed}
        own = context.person_id if context.person_id in by_id else None
        return cls(by_id=by_id, home=home, area_id=context.area_id, person_id=own)


def target_choices(argument: Argument, clause: Clause, things: Things, *, reading: bool) -> tuple[Choice, ...]:
    """Return what was named and the tool may act on, best first.

    Several that were named side by side are one more choice, the first; so are, for reading, all that are equally near.
    """
    choices = [c for target in clause.targets if (c := _choice(argument, target, things, reading=reading))]
    together = _together(choices) or (_all_near(choices) if reading else None)
    found = [together, *choices] if together else choices
    unique = {tuple(_ids(choice)): choice for choice in reversed(found)}
    return tuple(choice for choice in found if unique[tuple(_ids(choice))] is choice)


def own_choices(argument: Argument, clause: Clause, things: Things, language: str) -> tuple[Choice, ...]:
    """Return the asker where a word for them was said ("tell me") and the argument may be a person."""
    own = things.by_id.get(things.person_id or "")
    if own is None or own.domain not in argument.kinds or not names_asker(argument.schema, clause.text, language):
        return ()
    return (Choice(label=own.name, value=[own.id], score=1.0),)


def everyone(argument: Argument, clause: Clause, things: Things, language: str) -> tuple[Choice, ...]:
    """Return all things of the argument's kinds where a word for that was said ("tell everyone")."""
    hits = word_hits(listed_words(argument.schema, "x-everyone", language), clause.text)
    ids = things.of_kinds(things.by_id, argument.kinds, reading=False) if hits else []
    at = clause.span.start
    spans = [Span(start=hit.start + at, end=hit.end + at) for hit in hits]
    return (Choice(label="all", value=sorted(ids), score=1.0, span=spans[0]),) if ids else ()


def implied_choices(argument: Argument, things: Things, *, reading: bool) -> tuple[Choice, ...]:
    """Return the things of the argument's kinds that the tool itself speaks of, where none was named."""
    fitting = [things.by_id[i] for i in things.of_kinds(things.by_id, argument.implied_kinds, reading=reading)]
    fitting.sort(key=lambda e: (e.state not in BUSY_STATES, e.area_id != things.area_id, e.name, e.id))
    names = [e.name for e in fitting]
    labels = [e.name if names.count(e.name) == 1 else f"{e.name} ({e.id})" for e in fitting]
    each = [Choice(label=n, value=[e.id], score=0.5) for n, e in zip(labels, fitting, strict=True)]
    if reading and len(each) > 1:
        return (Choice(label="all", value=sorted(e.id for e in fitting), score=0.6), *each[:MOST_IMPLIED])
    return tuple(replace(c, score=1.0) for c in each) if len(each) == 1 else tuple(each[:MOST_IMPLIED])


def _choice(argument: Argument, target: Target, things: Things, *, reading: bool) -> Choice | None:
    ids = things.of_kinds(target.entities, argument.kinds, reading=reading)
    return Choice(label=target.label, value=ids, score=target.score, span=target.span) if ids else None


def _together(choices: Sequence[Choice]) -> Choice | None:
    """Return one choice for things that were named side by side ("the lamp and the fan"), if there are such."""
    groups: list[list[Choice]] = []
    for choice in choices:
        if choice.span is None:
            return None
        near = next((g for g in groups if any(c.span and c.span.overlaps(choice.span) for c in g)), None)
        if near is None:
            groups.append([choice])
        else:
            near.append(choice)
    if len(groups) < 2:
        return None
    best = [max(group, key=lambda c: c.score) for group in groups]
    if any(choice.score < SAID for choice in best):
        return None
    best.sort(key=lambda c: c.span.start if c.span else 0)
    ids = sorted({i for choice in best for i in _ids(choice)})
    label = ", ".join(choice.label for choice in best)
    return Choice(label=label, value=ids, score=min(c.score for c in best), span=best[0].span)


def _all_near(choices: Sequence[Choice]) -> Choice | None:
    """Return one choice for all things that are nearly as near as the best; reading too much harms nobody."""
    near = [c for c in choices if c.score >= choices[0].score - NEAR]
    ids = sorted({i for choice in near for i in _ids(choice)})
    if len(near) < 2 or _ids(near[0]) == ids:
        return None
    label = ", ".join(c.label for c in near) if len(near) <= FEW else f"all {len(ids)}"
    return Choice(label=label, value=ids, score=near[0].score, span=near[0].span)


def _ids(choice: Choice) -> list[str]:
    return [str(i) for i in choice.value] if isinstance(choice.value, list) else []
