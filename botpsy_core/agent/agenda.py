"""What a question about a calendar asks for: everything, the next event, or the time that is left."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from botpsy_core.agent.moments import say_clock, say_moment
from botpsy_core.agent.phrases import Phrases
from botpsy_core.domain.cues import word_hits
from botpsy_core.domain.heard import Clause, ValueKind
from botpsy_core.domain.values import JsonObject

_DAY = (time(8), time(22))
"""The hours of a day in which somebody asks to be free."""
_LEAST = timedelta(minutes=15)
"""What is shorter is no free time."""

type Slot = tuple[datetime, datetime]


def asks_for_free_time(clause: Clause, phrases: Phrases) -> bool:
    """Return True for "when am I free"."""
    return _said(clause, phrases, "free_words")


def asks_for_next(clause: Clause, phrases: Phrases) -> bool:
    """Return True for "when is my next appointment": one event, and no day was said."""
    timed = any(v.kind in {ValueKind.TIME, ValueKind.TIME_RANGE} for v in clause.values)
    return not timed and _said(clause, phrases, "next_words")


def upcoming(events: Sequence[JsonObject], now: datetime) -> list[JsonObject]:
    """Return the first event that has not begun."""
    ahead = [e for e in events if (start := _moment(e.get("start"), now)) is not None and start >= now]
    return sorted(ahead, key=lambda e: str(e.get("start")))[:1]


def window(clause: Clause, now: datetime) -> tuple[Slot, bool]:
    """Return the time that is asked about, and whether all of it is meant: at a time of day, an hour.

    A day is its waking hours, and what is past of it does not count.
    """
    for value in clause.values:
        if value.kind is ValueKind.TIME_RANGE and isinstance(value.value, dict):
            start, end = (_moment(value.value.get(part), now) for part in ("start", "end"))
            if start is not None and end is not None:
                return (max(start, now), end), False
        if value.kind is ValueKind.TIME and isinstance(value.value, str):
            if "T" in value.value:
                start = datetime.fromisoformat(value.value)
                return (start, start + timedelta(hours=1)), True
            return _waking(date.fromisoformat(value.value), now), False
    return _waking(now.date(), now), False


def free_slots(events: Sequence[JsonObject], asked: Slot, now: datetime) -> list[Slot]:
    """Return what is left of a time beside the events; a whole day's event takes nobody's hours."""
    at, end = asked
    left: list[Slot] = []
    for begins, ends in sorted(_taken(events, now)):
        if begins > at:
            left.append((at, min(begins, end)))
        at = max(at, ends)
    left.append((at, end))
    return [(a, b) for a, b in left if b - a >= _LEAST]


def say_slots(phrases: Phrases, slots: Sequence[Slot], now: datetime) -> str:
    """Return times as "tomorrow at 8:00 until 9:00 and 10:00 until 22:00"; each day is named once."""
    told: list[str] = []
    day: date | None = None
    for start, end in slots:
        local = start.astimezone(now.tzinfo)
        begins = say_clock(phrases, local) if local.date() == day else say_moment(phrases, local.isoformat(), now)
        ends = end.astimezone(now.tzinfo)
        same = ends.date() == local.date()
        until = say_clock(phrases, ends) if same else say_moment(phrases, ends.isoformat(), now)
        told.append(phrases.say("time", "until", start=begins, end=until))
        day = local.date()
    return phrases.listed(told)


def _said(clause: Clause, phrases: Phrases, key: str) -> bool:
    words = phrases.find(key)
    return isinstance(words, list) and bool(word_hits(words, clause.text))


def _waking(day: date, now: datetime) -> Slot:
    start, end = (datetime.combine(day, hour, now.tzinfo) for hour in _DAY)
    return max(start, now.replace(second=0, microsecond=0)), end


def _taken(events: Sequence[JsonObject], now: datetime) -> list[Slot]:
    found: list[Slot] = []
    for event in events:
        start, end = (_moment(event.get(part), now) for part in ("start", "end"))
        if start is not None and "T" in str(event.get("start")):
            found.append((start, end if end is not None else start + timedelta(hours=1)))
    return found


def _moment(value: object, now: datetime) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)
