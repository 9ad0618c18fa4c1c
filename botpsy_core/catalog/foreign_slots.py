"""Fill the arguments of a foreign tool, of which only the schema is known."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

from botpsy_core.catalog.amounts import readings, texts_of
from botpsy_core.domain.cues import cue_hits
from botpsy_core.domain.heard import Clause, Heard, Span, Value, ValueKind
from botpsy_core.domain.offer import Choice, Slot
from botpsy_core.domain.tools import Argument, Role, ToolSpec
from botpsy_core.domain.values import JsonValue

WORD = re.compile(r"[^\W\d_]{4,}")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
STEM = 5
"""Letters that two words share to be the same word here: "include_statistics", "with statistic"."""
NUMERIC = frozenset({ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.TEMPERATURE, ValueKind.DURATION})
OPEN_SCORE = 0.5
"""The score of an option that nobody said."""


def foreign_slots(tool: ToolSpec, *, clause: Clause, heard: Heard) -> list[Slot]:
    """Return the slots of a foreign tool's arguments; an optional one only where the words have something for it.

    What a required argument does not find in its clause is looked for in the whole utterance.
    """
    needed = sum(a.required and a.role is Role.NUMBER for a in tool.arguments)
    spare = len([v for v in clause.values if v.kind in NUMERIC]) > needed
    slots = []
    for argument in tool.arguments:
        if argument.role is Role.TARGET:
            continue
        slot = _slot(argument, clause, heard, values=clause.values)
        if argument.required and not slot.choices and not slot.words:
            slot = _slot(argument, clause, heard, values=[v for c in heard.clauses for v in c.values])
        if argument.required or _worth(slot, clause, spare=spare):
            slots.append(slot)
    return slots


def _slot(argument: Argument, clause: Clause, heard: Heard, *, values: Sequence[Value]) -> Slot:
    choices: tuple[Choice, ...] = ()
    words = ""
    match argument.role:
        case Role.NUMBER:
            choices = _numbers(argument, values, heard)
        case Role.OPTION:
            choices = _options(argument, clause)
        case Role.TIME:
            choices = tuple(_times(argument, values, heard))
            words = clause.text if not choices and NUMBER.search(clause.text) else ""
        case Role.TEXT:
            words = clause.text
        case _:
            choices = _several(argument, clause)
    return Slot(argument=argument, choices=choices, words=words, required=argument.required)


def _worth(slot: Slot, clause: Clause, *, spare: bool) -> bool:
    """Return True for an optional argument that the words speak of: by its name, an option, or a value that is over."""
    role = slot.argument.role
    if role is Role.OPTION or (role is Role.FREE and slot.choices):
        return bool(slot.choices)
    if role is Role.TIME and slot.choices:
        return True
    return (role is Role.NUMBER and spare and bool(slot.choices)) or _is_spoken_of(slot.argument, clause)


def _is_spoken_of(argument: Argument, clause: Clause) -> bool:
    said = {w.lower()[:STEM] for w in WORD.findall(clause.text)}
    return any(w.lower()[:STEM] in said for w in WORD.findall(argument.name.replace("_", " ")))


def _numbers(argument: Argument, values: Iterable[Value], heard: Heard) -> tuple[Choice, ...]:
    whole = argument.schema.get("type") == "integer"
    found: dict[float, Choice] = {}
    for value in values:
        for number in _as_said(value, heard) if value.kind in NUMERIC else ():
            if number.is_integer() or not whole:
                final = int(number) if number.is_integer() else number
                found.setdefault(number, Choice(label=f"{final!r}", value=final, span=value.span))
    return tuple(found.values())


def _as_said(value: Value, heard: Heard) -> list[float]:
    """Return the number in the words' own unit; a duration's value is in seconds, its words may not be."""
    digits = NUMBER.findall(heard.text[value.span.start : value.span.end])
    if value.kind is ValueKind.DURATION and len(digits) == 1:
        return [float(digits[0].replace(",", "."))]
    return readings(value)


def _times(argument: Argument, values: Iterable[Value], heard: Heard) -> Iterable[Choice]:
    """Yield the heard times in the shape that the argument wants."""
    form = str(argument.schema.get("x-form") or "%Y-%m-%d")
    seen: set[str] = set()
    for value in values:
        for text in _moments(value):
            bare = len(text) == len("2026-12-24")
            if bare and "%d" not in form:
                continue
            written = (date.fromisoformat(text) if bare else datetime.fromisoformat(text)).strftime(form)
            said = heard.text[value.span.start : value.span.end]
            if written not in seen:
                yield Choice(label=f"{written} ({said})" if said != written else said, value=written, span=value.span)
            seen.add(written)


def _moments(value: Value) -> list[str]:
    if value.kind not in {ValueKind.TIME, ValueKind.TIME_RANGE}:
        return []
    all_readings: list[JsonValue] = []
    for reading in (value.value, *value.ambiguous):
        all_readings += reading.values() if isinstance(reading, Mapping) else [reading]
    return [r for r in all_readings if isinstance(r, str)]


def _options(argument: Argument, clause: Clause) -> tuple[Choice, ...]:
    """Return the options that were said, else all of them where one is needed."""
    options = texts_of(argument.schema.get("enum"))
    said = [Choice(label=o, value=o, span=s) for o in options if (s := _place(o, clause))]
    if said or not argument.required:
        return tuple(said)
    return tuple(Choice(label=o, value=o, score=OPEN_SCORE) for o in options)


def _several(argument: Argument, clause: Clause) -> tuple[Choice, ...]:
    """Return the options of a list that were said, as one list."""
    items = argument.schema.get("items")
    options = texts_of(items.get("enum")) if isinstance(items, Mapping) else []
    said = [(o, s) for o in options if (s := _place(o, clause))]
    if not said:
        return ()
    return (Choice(label=", ".join(o for o, _ in said), value=[o for o, _ in said], span=said[0][1]),)


def _place(option: str, clause: Clause) -> Span | None:
    hits = cue_hits({"en": [[option.replace("_", " ").lower()]]}, clause.text, "en")[0]
    at = clause.span.start
    return Span(start=hits[0].start + at, end=hits[0].end + at) if hits else None
