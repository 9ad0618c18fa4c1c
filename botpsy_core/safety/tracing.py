"""Find the words that one argument's value comes from."""

import math
from collections.abc import Iterator, Mapping, Sequence

from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import TOLD_DEFAULT, Argument, Role
from botpsy_core.domain.values import JsonValue
from botpsy_core.safety.saying import is_explained, is_said
from botpsy_core.safety.words import occurrences


def trace_value(
    argument: Argument,
    value: JsonValue,
    *,
    clause: Clause,
    heard: Heard,
    offered: OfferedTool | None,
    loosely: bool = False,
) -> Span | None:
    """Return where a value was said, or None where it was not.

    `loosely` for a tool of which only the schema is known: a value may stand anywhere in the utterance and in another
    dress. Its default, and a yes or no, need no words: they come from nowhere, as an empty span.
    """
    span = _traced(argument, value, clause=clause, heard=heard, offered=offered)
    if span is not None or not loosely:
        return span
    defaults = (argument.schema.get("default"), argument.schema.get(TOLD_DEFAULT))
    if isinstance(value, bool) or any(_same(default, value) for default in defaults):
        return Span(start=clause.span.start, end=clause.span.start)
    said = argument.role is not Role.OPTION and is_said(value, heard)
    return clause.span if said or is_explained(value, argument.description, heard) else None


def _traced(
    argument: Argument, value: JsonValue, *, clause: Clause, heard: Heard, offered: OfferedTool | None
) -> Span | None:
    match argument.role:
        case Role.TEXT:
            return _text(str(value), clause, heard) or _chosen(argument, value, clause, offered)
        case Role.FREE:
            return _free(value, clause, heard) or _chosen(argument, value, clause, offered)
        case Role.OPTION:
            return _chosen(argument, value, clause, offered) or _option(argument, str(value), clause, heard)
        case _:
            return _valued(value, clause) or _chosen(argument, value, clause, offered)


def _text(value: str, clause: Clause, heard: Heard) -> Span | None:
    inside = [s for s in occurrences(value, heard.text) if s.overlaps(clause.span)]
    return inside[0] if inside else next(occurrences(value, heard.text), None)


def _valued(value: JsonValue, clause: Clause) -> Span | None:
    for heard in clause.values:
        if any(_same(value, v, signless=heard.relative) for v in _readings((heard.value, *heard.ambiguous))):
            return heard.span
    return None


def _readings(values: Sequence[JsonValue]) -> Iterator[JsonValue]:
    for value in values:
        yield value
        if isinstance(value, Mapping):
            yield from value.values()


def _same(one: JsonValue, other: JsonValue, *, signless: bool = False) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        one, other = (abs(one), abs(other)) if signless else (one, other)
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
    return one == other


def _chosen(argument: Argument, value: JsonValue, clause: Clause, offered: OfferedTool | None) -> Span | None:
    """Return the words of an offered choice: a value that code worked out from what was said."""
    if offered is None:
        return None
    for slot in offered.slots:
        if slot.argument.name != argument.name:
            continue
        for choice in slot.choices:
            if choice.span is not None and choice.span.overlaps(clause.span) and _same(choice.value, value):
                return choice.span
    return None


def _option(argument: Argument, value: str, clause: Clause, heard: Heard) -> Span | None:
    known = argument.schema.get("x-words")
    spoken = [value.replace("_", " ")]
    if isinstance(known, Mapping):
        by_option = known.get(heard.language)
        listed = by_option.get(value) if isinstance(by_option, Mapping) else None
        spoken += [str(w) for w in listed] if isinstance(listed, Sequence) and not isinstance(listed, str) else []
    hit = next((s for w in spoken for s in occurrences(w, clause.text)), None)
    return None if hit is None else Span(start=hit.start + clause.span.start, end=hit.end + clause.span.start)


def _free(value: JsonValue, clause: Clause, heard: Heard) -> Span | None:
    """Return the clause if the utterance holds every leaf of a foreign argument."""
    return clause.span if is_said(value, heard) else None
