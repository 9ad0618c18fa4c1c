"""Fill the arguments of a foreign tool, of which only the schema is known."""

import re

from botpsy_core.catalog.amounts import readings, texts_of, value_choices
from botpsy_core.domain.cues import cue_hits
from botpsy_core.domain.heard import Clause, Heard, Span, Value, ValueKind
from botpsy_core.domain.offer import Choice, Slot
from botpsy_core.domain.tools import Argument, Role

WORD = re.compile(r"[^\W\d_]{4,}")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
STEM = 5
"""Letters that two words share to be the same word here: "include_statistics", "with statistic"."""
NUMERIC = frozenset({ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.TEMPERATURE, ValueKind.DURATION})


def foreign_slot(argument: Argument, *, clause: Clause, heard: Heard) -> Slot | None:
    """Return the slot of a foreign argument, or None for an optional one that no word speaks of."""
    slot = Slot(argument=argument, required=argument.required)
    match argument.role:
        case Role.NUMBER:
            choices = _numbers(argument, clause, heard)
        case Role.OPTION:
            choices = _options(argument, clause)
        case Role.TIME:
            choices = value_choices(argument, clause.values, clause=clause, heard=heard, home_unit="°C", things=())
        case Role.TEXT:
            return (
                Slot(argument=argument, words=clause.text, required=argument.required)
                if _spoken_of(argument, clause)
                else None
            )
        case _:
            return slot if _spoken_of(argument, clause) else None
    if choices or argument.required:
        return Slot(argument=argument, choices=choices, required=argument.required)
    return None


def _spoken_of(argument: Argument, clause: Clause) -> bool:
    """Return True for a required argument, or where a word of its name was said."""
    if argument.required:
        return True
    said = {w.lower()[:STEM] for w in WORD.findall(clause.text)}
    return any(w.lower()[:STEM] in said for w in WORD.findall(argument.name.replace("_", " ")))


def _numbers(argument: Argument, clause: Clause, heard: Heard) -> tuple[Choice, ...]:
    if not argument.required and not _spoken_of(argument, clause):
        return ()
    whole = argument.schema.get("type") == "integer"
    found: dict[float, Choice] = {}
    for value in clause.values:
        if value.kind in NUMERIC:
            for number in _as_said(value, heard):
                if whole and not number.is_integer():
                    continue
                final = int(number) if number.is_integer() else number
                found.setdefault(number, Choice(label=f"{final!r}", value=final, span=value.span))
    return tuple(found.values())


def _as_said(value: Value, heard: Heard) -> list[float]:
    """Return the number in the words' own unit; a duration's value is in seconds, its words may not be."""
    digits = NUMBER.findall(heard.text[value.span.start : value.span.end])
    if value.kind is ValueKind.DURATION and len(digits) == 1:
        return [float(digits[0].replace(",", "."))]
    return readings(value)


def _options(argument: Argument, clause: Clause) -> tuple[Choice, ...]:
    """Return the options that were said, else all of them where one is needed."""
    options = texts_of(argument.schema.get("enum"))
    said = [Choice(label=o, value=o, span=s) for o in options if (s := _place(o, clause))]
    if said or not argument.required:
        return tuple(said)
    return tuple(Choice(label=o, value=o, score=0.5) for o in options)


def _place(option: str, clause: Clause) -> Span | None:
    hits = cue_hits({"en": [[option.replace("_", " ").lower()]]}, clause.text, "en")[0]
    at = clause.span.start
    return Span(start=hits[0].start + at, end=hits[0].end + at) if hits else None
