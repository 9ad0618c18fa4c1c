"""What only other people's tools can mean is one request, however the ear cuts it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from botpsy_core.catalog import likeness, only_schema, shortlist
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard, How, Mood, Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import ToolSpec
from botpsy_core.hearing import asks_to_act, begins_by_telling

_MUTE = frozenset({Mood.ASSENT, Mood.DENIAL, Mood.THANKS})
_NAMED = frozenset({How.NAME, How.ALIAS, How.KIND_IN_PLACE, How.PLACE, How.ALL})
_ENDS = frozenset(".?!\u3002\uff1f\uff01")
_IDLE = frozenset({Mood.NEGATED, Mood.CONDITIONAL})
"""Moods that ask for nothing where the whole request has them."""


def gathered(
    clauses: Sequence[Clause], heard: Heard, *, tools: Sequence[ToolSpec], home: Home, context: TurnContext
) -> list[Clause]:
    """Return the clauses; neighbours that no tool of the home can mean become one, so that a request stays whole.

    Without foreign tools the clauses stay as they are.
    """
    foreign = [t for t in tools if only_schema(t)]
    if not foreign:
        return list(clauses)
    own = [t for t in tools if not only_schema(t)]
    acts = any(not t.read_only for t in foreign)
    done: list[Clause] = []
    run: list[Clause] = []
    for clause in clauses:
        apart = clause.mood in _MUTE or (acts and _waits(clause, clauses, heard))
        if apart or _is_homes(clause, heard, own, foreign, home=home, context=context):
            done += [*_joined(run, heard, acts=acts), clause]
            run = []
        else:
            run.append(clause)
    return [*done, *_joined(run, heard, acts=acts)]


def _waits(clause: Clause, clauses: Sequence[Clause], heard: Heard) -> bool:
    """Return True for a sentence that asks for something under a condition, beside one that asks for something now."""
    if clause.mood is not Mood.CONDITIONAL or "," not in clause.text:
        return False
    before, after = heard.text[: clause.span.start].rstrip(), heard.text[clause.span.end :]
    whole = before[-1:] in _ENDS and (clause.text.rstrip()[-1:] in _ENDS or not after.strip())
    return whole and any(c.mood not in _IDLE and not begins_by_telling(c.text, heard.language) for c in clauses)


def _is_homes(
    clause: Clause,
    heard: Heard,
    own: Sequence[ToolSpec],
    foreign: Sequence[ToolSpec],
    *,
    home: Home,
    context: TurnContext,
) -> bool:
    """Return True if a clause names a thing of the home, or a tool of the home is at least as like it as any other."""
    if not own:
        return False
    offer = shortlist(clause, heard=heard, tools=own, home=home, context=context)
    if any(t.whole for t in offer.tools) or any(t.how in _NAMED for t in clause.targets):
        return True
    both = likeness(clause.text, [*own, *foreign], heard.language)
    return max(both[: len(own)]) >= max(both[len(own) :])


def _joined(clauses: Sequence[Clause], heard: Heard, *, acts: bool) -> tuple[Clause, ...]:
    """Return one clause that holds all of them, or none."""
    if not clauses:
        return ()
    span = Span(start=clauses[0].span.start, end=clauses[-1].span.end)
    text = heard.text[span.start : span.end]
    mood = _mood((c.mood for c in clauses), acts=acts)
    if mood is Mood.QUESTION and acts and asks_to_act(text, heard.language):
        mood = Mood.COMMAND
    return (
        replace(
            clauses[0],
            text=text,
            span=span,
            mood=mood,
            directions=() if mood is Mood.STATEMENT else tuple(dict.fromkeys(d for c in clauses for d in c.directions)),
            targets=tuple(t for c in clauses for t in c.targets),
            values=tuple(v for c in clauses for v in c.values),
            absent=(),
            unexplained=tuple(s for c in clauses for s in c.unexplained),
            everything=any(c.everything for c in clauses),
        ),
    )


def _mood(moods: Iterable[Mood], *, acts: bool) -> Mood:
    """Return the mood of a whole request: idle only where all of it is, a command where any of it is."""
    found = list(moods)
    idle = [m for m in found if m in _IDLE]
    if len(idle) == len(found):
        return idle[0] if acts or Mood.NEGATED in idle else Mood.QUESTION  # "compute ..., if the radius is 3"
    if Mood.COMMAND in found:
        return Mood.COMMAND
    asks = {Mood.QUESTION, Mood.EXPLANATION}
    return Mood.QUESTION if not asks.isdisjoint(found) else Mood.STATEMENT
