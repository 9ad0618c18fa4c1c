"""Which heard numbers, times, durations and options an argument may take, in its own unit."""

from collections.abc import Iterable, Mapping, Sequence

from botpsy_core.catalog.texts import WORD
from botpsy_core.domain.cues import word_hits
from botpsy_core.domain.heard import Clause, Heard, Span, Value, ValueKind
from botpsy_core.domain.home import Entity
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.tools import Argument, Role
from botpsy_core.domain.values import JsonValue, mapping_of, texts_of

SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
DEGREES = frozenset({"°C", "°F", "K"})
KELVIN = "kelvin"
"""The unit of a colour temperature."""
LEAST_KELVIN = 1000
"""A bare number of at least so much may be a colour temperature; percents and degrees are less."""
USUAL = range(9, 18)
"""Hours that people mean where they leave it open and one reading lies in them."""
NIGHT = range(6)
"""Hours that nobody means where another reading lies outside."""


def value_choices(
    argument: Argument,
    values: Sequence[Value],
    *,
    clause: Clause,
    heard: Heard,
    home_unit: str,
    things: Sequence[Entity],
) -> tuple[Choice, ...]:
    """Return the choices that the heard values leave for an argument, in the order of the words.

    A value out of the argument's range stays in, so that the gate can say which range there is.
    """
    match argument.role:
        case Role.NUMBER:
            meant = _measured(argument, values, heard)
            found = (_number(argument, v, home_unit=home_unit, things=things) for v in meant)
        case Role.TIME:
            found = (_times(argument, v, heard) for v in values)
        case Role.DURATION:
            found = (_duration(v, heard) for v in values)
        case Role.OPTION:
            return _options(argument, values, clause=clause, language=heard.language)
        case _:
            return ()
    return tuple(choice for choices in found for choice in choices)


def _measured(argument: Argument, values: Sequence[Value], heard: Heard) -> Sequence[Value]:
    """Return the values without bare numbers where one with the unit was said; those beside that one stay.

    "Set 2 lamps to 50 percent" sets to 50; "to 2 0 degrees" and "to 20 or 22 degrees" leave open what to.
    """
    unit = str(argument.schema.get("x-unit") or "")
    bare = [v for v in values if v.kind is ValueKind.NUMBER]
    united = [v for v in values if v.kind in {ValueKind.PERCENT, ValueKind.TEMPERATURE} and v not in bare]
    if not united or unit not in {"%", *DEGREES}:
        return values
    return [v for v in values if v not in bare or any(_side_by_side(v, other, heard) for other in united)]


def _side_by_side(one: Value, other: Value, heard: Heard) -> bool:
    """Return True if one word at most stands between two values."""
    first, last = sorted((one.span, other.span), key=lambda span: span.start)
    return len(WORD.findall(heard.text[first.end : last.start])) <= 1


def _number(argument: Argument, value: Value, *, home_unit: str, things: Sequence[Entity]) -> Iterable[Choice]:
    unit = str(argument.schema.get("x-unit") or "")
    relative = bool(argument.schema.get("x-relative"))
    for number in readings(value):
        converted = _converted(number, value, unit=unit, home_unit=home_unit)
        if converted is None:
            continue
        final: float | None
        if value.relative:
            final = abs(converted) if relative else _stepped(argument, converted, things)
        else:
            final = None if relative else converted
        if final is not None:
            whole = argument.schema.get("type") == "integer" or float(final).is_integer()
            final = int(final) if whole and float(final).is_integer() else round(final, 2)
            if final == 0 and value.unit is None and value.kind is ValueKind.PERCENT:  # "to the minimum" is not off
                final = _least(argument)
            yield Choice(label=f"{final:g}", value=final, span=value.span)


def _least(argument: Argument) -> int | float:
    least = argument.schema.get("x-least")
    return least if isinstance(least, int | float) else 0


def readings(value: Value) -> list[float]:
    """Return the numbers that a heard value may mean, the likeliest first."""
    return [
        float(r) for r in (value.value, *value.ambiguous) if isinstance(r, (int, float)) and not isinstance(r, bool)
    ]


def _converted(number: float, value: Value, *, unit: str, home_unit: str) -> float | None:
    """Return the number in the argument's unit, or None where it measures something else."""
    match value.kind:
        case ValueKind.DURATION:
            return number / SECONDS[unit] if unit in SECONDS else None
        case ValueKind.PERCENT | ValueKind.COLOR_TEMPERATURE:
            return number if unit == ("%" if value.kind is ValueKind.PERCENT else KELVIN) else None
        case ValueKind.TEMPERATURE | ValueKind.NUMBER if unit in DEGREES:
            return _degrees(number, value.unit or home_unit, unit, step=value.relative)
        case ValueKind.NUMBER:
            fits = number >= LEAST_KELVIN if unit == KELVIN else value.unit in {None, "", unit}
            return number if fits else None
        case _:
            return None


def _degrees(number: float, said: str, unit: str, *, step: bool) -> float:
    if said == unit or (unit == "K" and said != "°F"):
        return number
    if step or unit == "K":
        return number * 5 / 9 if said == "°F" else number * 9 / 5
    if said == "°F":
        return (number - 32) * 5 / 9
    return number * 9 / 5 + 32 if unit == "°F" else number


def _stepped(argument: Argument, step: float, things: Sequence[Entity]) -> float | None:
    """Return the present value, changed by the step, where one thing is meant and its attribute is known."""
    if len(things) != 1:
        return None
    now = things[0].attributes.get(argument.name)
    return float(now) + step if isinstance(now, (int, float)) and not isinstance(now, bool) else None


def _times(argument: Argument, value: Value, heard: Heard) -> Iterable[Choice]:
    return time_choices(value, heard, part=str(argument.schema.get("x-part") or "start"))


def time_choices(value: Value, heard: Heard, *, part: str) -> Iterable[Choice]:
    """Yield the likely readings of a heard time, or of the `start` or `end` of a heard range."""
    said = heard.text[value.span.start : value.span.end]
    texts = [span[part] for span in _likely(_spans_of_time(value)) if part in span]
    texts = list(dict.fromkeys(texts))
    for number, text in enumerate(texts):
        label = said if len(texts) == 1 else f"{said} ({_difference(text, texts)})"
        yield Choice(label=label, value=text, score=1.0 if number == 0 else 0.9, span=value.span)


def _spans_of_time(value: Value) -> list[dict[str, str]]:
    """Return each reading of a time as its start and, where it has one, its end."""
    found: list[dict[str, str]] = []
    for reading in (value.value, *value.ambiguous):
        if value.kind is ValueKind.TIME_RANGE and isinstance(reading, Mapping):
            found.append({part: str(reading[part]) for part in ("start", "end") if part in reading})
        elif value.kind is ValueKind.TIME and isinstance(reading, str):
            found.append({"start": reading})
    return [span for span in found if "start" in span]


def _likely(spans: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the readings that people mean: "at three" is in the afternoon, while "at eight" stays open."""
    usual = [s for s in spans if _hour(s["start"]) in USUAL]
    if len(usual) == 1:
        return usual
    return [s for s in spans if _hour(s["start"]) not in NIGHT] or spans


def _hour(text: str) -> int | None:
    return int(text[11:13]) if len(text) > len("2026-12-24") else None


def _difference(text: str, others: list[str]) -> str:
    """Return what tells a reading from the others: its hour, or its day."""
    hours = {t[11:16] for t in others}
    return text[11:16] if len(hours) == len(others) else text[:10]


def _duration(value: Value, heard: Heard) -> Iterable[Choice]:
    if value.kind is not ValueKind.DURATION or not isinstance(value.value, (int, float)):
        return
    yield Choice(label=heard.text[value.span.start : value.span.end], value=round(value.value), span=value.span)


def _options(argument: Argument, values: Sequence[Value], *, clause: Clause, language: str) -> tuple[Choice, ...]:
    schema = argument.schema
    if kind := schema.get("x-values"):
        return tuple(Choice(label=str(v.value), value=v.value, span=v.span) for v in values if v.kind == kind)
    options = texts_of(schema.get("enum"))
    by_language = mapping_of(schema.get("x-words"))
    spoken = by_language.get(language) or by_language.get("en")
    said = [c for option in options if (c := _option(option, spoken, clause))]
    ways = {way.value for way in clause.directions}
    said = said or [Choice(label=o, value=o) for o in options if o in ways]
    return tuple(sorted(said, key=lambda c: c.span.start if c.span else 0))


def _option(option: str, spoken: JsonValue, clause: Clause) -> Choice | None:
    named = texts_of(spoken.get(option)) if isinstance(spoken, Mapping) else []
    hits = word_hits((*named, option.replace("_", " ")), clause.text)
    if not hits:
        return None
    longest = max(hits, key=lambda s: s.end - s.start)
    at = clause.span.start
    return Choice(label=option, value=option, span=Span(start=longest.start + at, end=longest.end + at))
