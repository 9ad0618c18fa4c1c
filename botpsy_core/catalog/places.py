"""What of the home a tool's target may be, out of what was heard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Target
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.tools import Argument

MOST_IMPLIED = 12
"""Things of a kind that are offered where none was named."""
BUSY_STATES = frozenset({"playing", "cleaning", "mowing"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """The home's entities that this turn may touch, by id."""

    by_id: Mapping[str, Entity]
    home: Home
    area_id: str | None

    @classmethod
    def of(cls, home: Home, context: TurnContext) -> Things:
        """Index the home once a clause."""
        allowed = context.entities
        by_id = {e.id: e for e in home.entities if allowed is None or e.id in allowed}
        return cls(by_id=by_id, home=home, area_id=context.area_id)


def target_choices(argument: Argument, clause: Clause, things: Things) -> tuple[Choice, ...]:
    """Return what was named and the tool may act on, best first; several that were named side by side as one more."""
    choices = [c for target in clause.targets if (c := _choice(argument, target, things))]
    together = _together(choices)
    found = [together, *choices] if together else choices
    unique = {tuple(_ids(choice)): choice for choice in reversed(found)}
    return tuple(choice for choice in found if unique[tuple(_ids(choice))] is choice)


def implied_choices(argument: Argument, things: Things, *, reading: bool) -> tuple[Choice, ...]:
    """Return the things of the argument's kinds that the tool itself speaks of, where none was named."""
    fitting = [e for e in things.by_id.values() if fits(argument, e)]
    fitting.sort(key=lambda e: (e.state not in BUSY_STATES, e.area_id != things.area_id, e.name, e.id))
    names = [e.name for e in fitting]
    labels = [e.name if names.count(e.name) == 1 else f"{e.name} ({e.id})" for e in fitting]
    each = [Choice(label=n, value=[e.id], score=0.5) for n, e in zip(labels, fitting, strict=True)]
    if reading and len(each) > 1:
        return (Choice(label="all", value=sorted(e.id for e in fitting), score=0.6), *each[:MOST_IMPLIED])
    return tuple(replace(c, score=1.0) for c in each) if len(each) == 1 else tuple(each[:MOST_IMPLIED])


def fits(argument: Argument, entity: Entity) -> bool:
    """Return True if the argument's kinds take the entity."""
    return not argument.kinds or entity.domain in argument.kinds or entity.kind in argument.kinds


def _choice(argument: Argument, target: Target, things: Things) -> Choice | None:
    ids = [i for i in target.entities if (e := things.by_id.get(i)) is not None and fits(argument, e)]
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
    best.sort(key=lambda c: c.span.start if c.span else 0)
    ids = sorted({i for choice in best for i in _ids(choice)})
    label = ", ".join(choice.label for choice in best)
    return Choice(label=label, value=ids, score=min(c.score for c in best), span=best[0].span)


def _ids(choice: Choice) -> list[str]:
    return [str(i) for i in choice.value] if isinstance(choice.value, list) else []
