"""Two arguments of a foreign tool that are the two ends of one thing: each has its own of two values that were said."""

from collections.abc import Sequence
from dataclasses import replace

from botpsy_core.catalog.facts import WORD
from botpsy_core.domain.offer import Choice, Slot
from botpsy_core.domain.tools import Role

TIMES = frozenset({
    ("start", "end"), ("begin", "end"), ("from", "to"), ("from", "until"), ("check in", "check out"), ("in", "out"),
    ("departure", "return"), ("after", "before"), ("since", "until"), ("first", "last"), ("earliest", "latest"),
    ("pickup", "dropoff"), ("pick up", "drop off"), ("pickup", "return"), ("opening", "closing"),
})  # fmt: skip
"""Words that tell the names of two times apart: the first of them is said first ("from 22:00 to 6:00")."""
SIZES = frozenset({
    ("min", "max"), ("minimum", "maximum"), ("lower", "upper"), ("low", "high"), ("lowest", "highest"),
    ("least", "most"), ("smallest", "largest"),
})  # fmt: skip
"""The same of two numbers: the first of them is the lesser."""


def in_order(slots: Sequence[Slot]) -> list[Slot]:
    """Return the slots; two that are two ends, and for which the same two values were said, have each its own."""
    kept = list(slots)
    for i, one in enumerate(kept):
        for j, other in enumerate(kept):
            if i != j and (values := _shared_out(one, other)):
                kept[i], kept[j] = replace(one, choices=values[:1]), replace(other, choices=values[1:])
    return kept


def _shared_out(one: Slot, other: Slot) -> tuple[Choice, ...]:
    """Return the value of the first end and that of the second; none where they are no ends or it is not two values."""
    roles, told = {one.argument.role, other.argument.role}, (one.argument, other.argument)
    ends = {_ends(told[0].name, told[1].name), _ends(told[0].description, told[1].description)}
    said = [c for c in one.choices if c.span is not None]
    if len(said) != 2 or [c.value for c in said] != [c.value for c in other.choices]:
        return ()
    if roles == {Role.NUMBER} and not ends.isdisjoint(SIZES):
        return tuple(sorted(said, key=lambda c: float(c.label)))
    if roles == {Role.TIME} and not ends.isdisjoint(TIMES):
        return tuple(sorted(said, key=lambda c: 0 if c.span is None else c.span.start))
    return ()


def _ends(one: str, other: str) -> tuple[str, str]:
    """Return what tells two names apart: `start_date` and `end_date` by "start" and "end"."""
    first, last = ([word.lower() for word in WORD.findall(name)] for name in (one, other))
    return " ".join(w for w in first if w not in last), " ".join(w for w in last if w not in first)
