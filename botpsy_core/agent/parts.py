"""A thing that has parts (a car and its lock, its battery): which of them a question is about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from botpsy_core.agent.facts import MEANT, Fact
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.tools import OPPOSITES, Direction
from botpsy_core.domain.values import JsonValue

PARTS = "parts"
"""The attribute of a whole that holds its parts: title to `{"state", "unit"}`."""
_MOST = 3
_WORD = re.compile(r"[^\W\d_]{3,}")


def told_parts(fact: Fact, clause: Clause) -> Sequence[Fact]:
    """Return the parts that a clause asks about, or the whole where it asks about none."""
    parts = fact.attributes.get(PARTS)
    if not isinstance(parts, Mapping):
        return (fact,)
    facts = [f for title, part in parts.items() if (f := _part(fact, title, part)) is not None]
    named = _named(facts, fact, clause)
    asked = next(iter(clause.directions), None)
    if asked is not None:
        turned = [f for f in facts if _turns(f, asked)]
        return [f for f in named if f in turned] or turned or named or (fact,)
    return named[:_MOST] or (fact,)


def _part(whole: Fact, title: str, part: JsonValue) -> Fact | None:
    if not isinstance(part, Mapping):
        return None
    state, unit = part.get("state"), part.get("unit")
    return replace(
        whole,
        name=f"{whole.name} {title}",
        state=None if state is None else str(state),
        unit=str(unit or ""),
        device_class=None,
        domain="sensor",
        attributes={},
    )


def _turns(fact: Fact, asked: Direction) -> bool:
    """Return True if the part is at one end or the other of what is asked: locked or unlocked, open or closed."""
    ends = MEANT.get(asked, frozenset()) | MEANT.get(OPPOSITES.get(asked, asked), frozenset())
    return fact.state in ends


def _named(facts: Sequence[Fact], whole: Fact, clause: Clause) -> list[Fact]:
    """Return the parts of whose title most words were said."""
    said = set(_WORD.findall(clause.text.lower()))
    scores = []
    for fact in facts:
        title = _WORD.findall(fact.name.removeprefix(whole.name).lower())
        hits = sum(any(_alike(word, other) for other in said) for word in title)
        scores.append(hits / len(title) if title else 0.0)
    best = max(scores, default=0.0)
    return [f for f, score in zip(facts, scores, strict=True) if score == best] if best else []


def _alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and (len(shorter) >= 4 or shorter == longer)
