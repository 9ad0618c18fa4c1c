"""Numbers and their units: what a number that was said is worth in the unit that a foreign tool's argument wants.

Argument texts are English; of the words, times and temperatures are known in every language that the ear knows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from botpsy_core.catalog.facts import WORD, name_words
from botpsy_core.catalog.foreign_words import REST, Figure, figures, stems
from botpsy_core.domain.heard import Clause, Heard, Span, Value, ValueKind
from botpsy_core.domain.tools import Argument

CLOCK: Mapping[str, int] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
"""Seconds of a unit."""
CALENDAR: Mapping[str, int] = {"month": 1, "year": 12}
"""Months of a unit."""
PERCENT = "percent"
PLAIN: Sequence[frozenset[str]] = (
    frozenset({"liter", "litre", "gallon"}),
    frozenset({"mile", "kilometer", "kilometre", "meter", "metre", "foot", "feet", "yard"}),
    frozenset({"kilogram", "pound", "gram", "ounce"}),
    frozenset({"celsius", "fahrenheit", "kelvin"}),
    frozenset({"psi", "bar", "kilopascal"}),
    frozenset({PERCENT}),
)
"""Units of one measure, none of which may be read as another."""
UNITS: Sequence[frozenset[str]] = (*PLAIN, frozenset(CLOCK), frozenset(CALENDAR))
KNOWN = frozenset(unit for measure in UNITS for unit in measure)
AMOUNTS = frozenset(unit for measure in PLAIN for unit in measure)
ABBREVIATED: Mapping[str, str] = {
    "l": "liter", "gal": "gallon", "km": "kilometer", "mi": "mile", "m": "meter", "kg": "kilogram", "lb": "pound",
    "lbs": "pound", "g": "gram", "oz": "ounce", "kpa": "kilopascal", "litres": "liter", "metres": "meter",
    "percentage": PERCENT, "pct": PERCENT,
}  # fmt: skip
DEGREES: Mapping[str, str] = {"°C": "celsius", "°F": "fahrenheit"}
"""The ear's units of temperature."""
COUNTED = re.compile(r"[\s-]*(?:(?:degrees?|square|cubic)\s+)?([^\W\d_]+)")
"""The word behind a number."""
BETWEEN = "is|was|are|be|of|to|at|equals|equal to|about|around|approximately"
"""What may stand between the name of a number and the number."""
LABELLED = re.compile(r"\b(zip|postal|post)[ -]?(?:code)?[\s:#]*$", re.IGNORECASE)
"""What makes the digits behind it the name of a place."""
POST = frozenset({"zip", "zipcode", "post", "postal", "code"})


def in_unit(said: Sequence[Figure], argument: Argument, heard: Heard) -> list[Figure]:
    """Return the numbers of an utterance in the unit of an argument: those that were said in one, where any were."""
    about = _units_in(f"{argument.name} {argument.description}")
    whole = argument.schema.get("type") == "integer"
    found = [(figure, f) for figure in said if (f := measured(figure, argument, heard))]
    found = [(figure, f) for figure, f in found if f.value.is_integer() or not whole]
    sure = [f for figure, f in found if f is not figure or _is_told_in(figure, about, heard)]
    return sure or [f for _, f in found]


def _is_told_in(figure: Figure, about: frozenset[str], heard: Heard) -> bool:
    """Return True for a number that was said in one of these units."""
    value = _value_at(figure, heard)
    if figure.unit == REST:
        return not about.isdisjoint(AMOUNTS)  # no speed, in whatever unit
    if value is not None and value.kind is ValueKind.DURATION:
        return not about.isdisjoint(CLOCK)
    return _unit_said(figure, value, heard)[0] in about


def measured(figure: Figure, argument: Argument, heard: Heard) -> Figure | None:
    """Return a number in the unit of an argument; None for one of another unit, or that names a place by its post.

    One that was worked out has the span of its unit too.
    """
    text = f"{argument.name} {argument.description}"
    if LABELLED.search(heard.text[: figure.span.start]):
        return None if name_words(text).isdisjoint(POST) else figure
    about, value = _units_in(text), _value_at(figure, heard)
    if value is not None and value.kind is ValueKind.DURATION:
        loose = about.isdisjoint(CLOCK) or (len(about) > 1 and about <= CLOCK.keys())
        return figure if loose else _with(_seconds_in(value, about), value.span, figure)
    unit, end = _unit_said(figure, value, heard)
    kin = next((measure for measure in UNITS if unit in measure), frozenset()) & about
    if not kin or unit in kin:
        return figure
    if kin < CALENDAR.keys() and unit in CALENDAR:
        worth = figure.value * CALENDAR[unit] / CALENDAR[next(iter(kin))]
        return _with(worth, Span(start=figure.span.start, end=end), figure)
    return None


def _with(number: float | None, span: Span, figure: Figure) -> Figure | None:
    return figure if number == figure.value else None if number is None else Figure(number, span)


def labelled(argument: Argument, said: Sequence[Figure], clause: Clause, heard: Heard) -> tuple[Figure, ...]:
    """Return the numbers that stand behind the argument's own name: "an initial temperature of 25".

    Those of this part come before those of others. So does what counts its one word: "three children", where no number
    stands behind it.
    """
    words = WORD.findall(argument.name)
    words = words[2:] if words[:2] == ["amount", "of"] else words
    if not stems(argument.name) or any(word.isdigit() for word in words):  # `side1` and `side2` are both "sides"
        return ()
    first, *inner = map(re.escape, words)
    last = rf"[\s_-]+{inner.pop()}" if inner else ""
    name = (
        first + "".join(rf"(?:[\s_-]+{word})?" for word in inner) + last
    )  # "the final value" is the final investment value
    behind = re.compile(rf"(?<![^\W_]){name}s?\W{{0,2}}(?:\s*(?:{BETWEEN})\b|\s*[:=])*\s*[$€£]?$", re.IGNORECASE)
    found = tuple(f for f in said if behind.search(heard.text[: f.span.start]))
    found = found or tuple(f for f in said if counts(f, argument, heard))
    return tuple(f for f in found if f.span.overlaps(clause.span)) or found


def counts(figure: Figure, argument: Argument, heard: Heard) -> bool:
    """Return True for a number right before the one word of an argument's name: "3 guests", `number_of_guests`."""
    own, noun = stems(argument.name), COUNTED.match(heard.text, figure.span.end)
    return len(own) == 1 and noun is not None and own == stems(noun[1])


def spans_of_time(clause: Clause, heard: Heard, argument: Argument) -> Iterator[Figure]:
    """Yield the times without a number of their own ("half an hour", "a week") in the unit that an argument wants."""
    about, said = _units_in(f"{argument.name} {argument.description}"), figures(clause, heard)
    for value in clause.values:
        if value.kind is ValueKind.DURATION and not any(f.span.overlaps(value.span) for f in said):
            number = _seconds_in(value, about)
            if number is not None:
                yield Figure(number, value.span)


def _seconds_in(value: Value, about: frozenset[str]) -> float | None:
    """Return a heard time in the one unit of time that is spoken of; None where it is spoken of none or another."""
    if len(about) != 1 or about.isdisjoint(CLOCK) or not isinstance(value.value, int | float):
        return None
    return value.value / CLOCK[next(iter(about))]


def _value_at(figure: Figure, heard: Heard) -> Value | None:
    kinds = {ValueKind.DURATION, ValueKind.TEMPERATURE, ValueKind.PERCENT}
    values = (v for clause in heard.clauses for v in clause.values if v.kind in kinds)
    return next((v for v in values if v.span.overlaps(figure.span)), None)


def _unit_said(figure: Figure, value: Value | None, heard: Heard) -> tuple[str, int]:
    """Return the unit of a number, by its English word or as the ear heard it, and where it ends; empty without one."""
    if value is not None and value.kind is ValueKind.PERCENT:
        return PERCENT, value.span.end
    behind = COUNTED.match(heard.text, figure.span.end)
    named = _units_in(behind[1]) if behind else frozenset()
    if behind is not None and named:
        return next(iter(named)), behind.end()
    return figure.unit or ("" if value is None else DEGREES.get(value.unit or "", "")), figure.span.end


def units_of(text: str) -> frozenset[str]:
    """Return the units that a text names, in the singular; none of time."""
    return _units_in(text) & AMOUNTS


def unit_behind(figure: Figure, heard: Heard) -> frozenset[str]:
    """Return the unit that a number was said in; empty for none."""
    behind = COUNTED.match(heard.text, figure.span.end)
    return units_of(behind[1]) if behind else frozenset()


def _units_in(text: str) -> frozenset[str]:
    """Return the units that a text names, in the singular."""
    words = (ABBREVIATED.get(word, word) for word in re.findall(r"[^\W\d_]+", text.lower().replace("_", " ")))
    return frozenset(w if w in KNOWN else w.removesuffix("s") for w in words) & KNOWN
