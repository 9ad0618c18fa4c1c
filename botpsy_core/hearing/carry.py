"""Carry: what one clause leaves to another: verb, kind, value, and a mood that reaches on."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from botpsy_core.domain.heard import Clause, Mood, Target, Value
from botpsy_core.domain.tools import OPPOSITES, Direction
from botpsy_core.hearing.clauses import Part, begins_with_verb, stands_alone
from botpsy_core.hearing.direction import PUTTING, directions_of
from botpsy_core.hearing.mood import spreads
from botpsy_core.hearing.naming import Named
from botpsy_core.hearing.references import Past
from botpsy_core.hearing.scene import Hint
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.targets import Implied

_ANSWERS = frozenset({Mood.ASSENT, Mood.DENIAL, Mood.THANKS})
_KEEPING = frozenset({Mood.STATEMENT, Mood.NEGATED, Mood.COMMAND})
"""Moods of "but the kitchen stays"."""

type Hear = Callable[[Part, Hint], tuple[Clause, Named]]
"""Hears one clause with what its neighbours lend it."""


def hear_all(parts: Sequence[Part], hear: Hear) -> tuple[Clause, ...]:
    """Hear every clause of an utterance, each with what its neighbours say for it."""
    alone = [hear(part, Hint()) for part in parts]
    clauses: list[Clause] = []
    denied: Clause | None = None
    for number, (part, (clause, named)) in enumerate(zip(parts, alone, strict=True)):
        hint = Hint(
            kind=_kind_of_neighbours(number, parts, alone) if named.bare_place else None,
            antecedents=_antecedents(clauses) if _refers(part) else (),
            directions=clauses[-1].directions if clauses and _hangs_on(part) and not clause.directions else (),
        )
        current = clause if hint == Hint() else hear(part, hint)[0]
        if clauses and _retracts(part):
            current = _lent(clauses[-1], current)
            clauses = [replace(c, mood=Mood.NEGATED) for c in clauses]
        if denied is not None and part.joined:
            current = _lent(denied, current)
        denied = None
        if clauses and _takes_back(current):
            denied = clauses[-1] if current.mood is Mood.DENIAL and clauses[-1].mood is Mood.COMMAND else None
            clauses = [replace(c, mood=Mood.NEGATED) if c.mood is Mood.COMMAND else c for c in clauses]
        clauses.append(_continued(clauses[-1], current, lent=_hangs_on(part)) if clauses and part.joined else current)
    return tuple(_left_out(parts, _values_back(parts, _verbs_back(parts, clauses))))


def _kind_of_neighbours(number: int, parts: Sequence[Part], heard: Sequence[tuple[Clause, Named]]) -> Implied | None:
    """Return the kind that was said once for two places, before ("the lights in the hall and the attic") or after."""
    for other, later in ((number - 1, number), (number + 1, number + 1)):
        if 0 <= other < len(parts) and parts[later].joined:
            one_verb = not (_acts(heard[number][0]) and _acts(heard[other][0]))
            if one_verb and heard[other][1].kind:
                return heard[other][1].kind
    return None


def _acts(clause: Clause) -> bool:
    """Return True if a clause says more of its act than "make" or "put"."""
    return bool(set(clause.directions) - PUTTING)


def _refers(part: Part) -> bool:
    return any(s.has(Sense.REFERENCE) for s in part.told)


def _antecedents(clauses: Sequence[Clause]) -> tuple[Target, ...]:
    return next((c.targets for c in reversed(clauses) if c.targets), ())


def _hangs_on(part: Part) -> bool:
    """Return True if a clause may go the way of the one before: it is joined to it and does not stand alone."""
    return part.joined and not stands_alone(part.segments)


def _takes_back(clause: Clause) -> bool:
    """Return True for "... no, don't", "..., not": a denial that names nothing, after what it denies."""
    empty = not (clause.directions or clause.targets or clause.absent or clause.values)
    return clause.mood is Mood.DENIAL or (clause.mood is Mood.NEGATED and empty and not clause.unexplained)


def _continued(before: Clause, clause: Clause, *, lent: bool) -> Clause:
    """Return a clause that goes on in the sentence of the one before."""
    clause = _lent(before, clause) if lent else clause
    clause = replace(clause, hedged=clause.hedged or before.hedged)
    if spreads(before.mood) or (before.mood is Mood.NEGATED and clause.mood is Mood.COMMAND):
        return replace(clause, mood=before.mood)
    return clause


def _lent(before: Clause, clause: Clause) -> Clause:
    """Return a clause that names a thing and no act with the act of the one before."""
    if clause.directions or before.mood in _ANSWERS or not (clause.targets or clause.absent):
        return clause
    values = clause.values or before.values
    return replace(clause, directions=before.directions, mood=before.mood, values=values)


def _retracts(part: Part) -> bool:
    """Return True for a correction ("no wait, the hall"), which takes back what was said before it."""
    return any(s.has(Sense.RETRACT) for s in part.segments)


def _verbs_back(parts: Sequence[Part], clauses: Sequence[Clause]) -> list[Clause]:
    """Give a clause the verb that was said once at the end ("das Licht im Bad und im Flur ausschalten")."""
    found = list(clauses)
    for number in range(len(found) - 2, -1, -1):
        clause, after = found[number], found[number + 1]
        shared = parts[number + 1].joined and not begins_with_verb(parts[number + 1].segments)
        told = any(s.has(Sense.COPULA) for s in parts[number].segments)
        whole = clause.directions and clause.values  # "set the radiator to 21"
        lacks = not _acts(clause) and not whole and (not clause.directions or _acts(after))
        if shared and not told and lacks and clause.mood not in _ANSWERS and clause.targets:
            found[number] = replace(clause, directions=after.directions, mood=after.mood)
    return found


def _values_back(parts: Sequence[Part], clauses: Sequence[Clause]) -> list[Clause]:
    """Give a clause the value that was said once at the end ("the kitchen and the hall to 50 %")."""
    found = list(clauses)
    for number in range(len(found) - 2, -1, -1):
        after = found[number + 1]
        shared = parts[number + 1].joined and not directions_of(parts[number + 1].told)
        if shared and after.values and after.targets and found[number].targets and not found[number].values:
            found[number] = replace(found[number], values=after.values)
    return found


def _left_out(parts: Sequence[Part], clauses: Sequence[Clause]) -> list[Clause]:
    """Take out of "all lights off" what the same sentence wants the other way ("but leave the kitchen on")."""
    found = list(clauses)
    for number in range(1, len(found)):
        before, clause, part = found[number - 1], found[number], parts[number]
        if before.mood is not Mood.COMMAND:
            continue
        if before.everything and clause.mood is Mood.NEGATED and set(clause.directions) & set(before.directions):
            found[number - 1] = _spared(before, clause)
            continue
        if not part.joined:
            continue
        against = any(OPPOSITES.get(way) in clause.directions for way in before.directions)
        if part.but and before.everything and clause.absent:
            found[number - 1] = replace(before, targets=(), absent=clause.absent)
        elif clause.targets and (against or (part.but and clause.mood in _KEEPING and not clause.directions)):
            out = frozenset(i for t in clause.targets if t.score == clause.targets[0].score for i in t.entities)
            found[number - 1] = replace(before, targets=tuple(_without(t, out) for t in before.targets))
    return found


def _spared(before: Clause, clause: Clause) -> Clause:
    """Return "turn all lights off" less what is named after it: "do not turn off the one in the kitchen"."""
    if not clause.targets:
        return replace(before, targets=(), absent=clause.absent or before.absent)
    out = frozenset(i for t in clause.targets if t.score == clause.targets[0].score for i in t.entities)
    left = (t for t in before.targets if not out.issuperset(t.entities))
    return replace(before, targets=tuple(_without(t, out) for t in left))


def _without(target: Target, out: frozenset[str]) -> Target:
    """Return a target less some of its things, unless nothing would be left."""
    left = tuple(i for i in target.entities if i not in out)
    return replace(target, entities=left) if left and len(left) < len(target.entities) else target


def continues_talk(clause: Clause, part: Part, before: Clause | None) -> bool:
    """Return True for a clause that only adds a thing or a value to the last utterance ("and the hall", "no, 22")."""
    if clause.directions or clause.mood in _ANSWERS or not (clause.targets or clause.values):
        return False
    denied = before is not None and before.mood is Mood.DENIAL
    return denied or part.segments[0].has(Sense.AND, Sense.DENIAL) or any(s.has(Sense.ALSO) for s in part.segments)


def from_talk(clause: Clause, directions: Sequence[Direction], values: Sequence[Value], past: Past) -> Clause:
    """Return a clause that goes the way of the last utterance, with its values where it has none of its own."""
    if not past.utterance:
        return clause
    lent = tuple(replace(v, span=clause.span) for v in values)
    return replace(clause, directions=tuple(directions), mood=Mood.COMMAND, values=clause.values or lent)
