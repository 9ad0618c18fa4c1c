"""Days: which dates the words for a day may mean."""

from collections.abc import Mapping
from datetime import date, timedelta

from botpsy_core.hearing.moments import months_later
from botpsy_core.hearing.patterns import Match

_WEEK = 7


def days_of(match: Match, today: date) -> tuple[date, ...]:
    """Return the days that a match may mean, likeliest first; none where the calendar has no such day."""
    meaning, slots = match.meaning, match.slots
    if "days" in meaning:
        return (today + timedelta(days=int(meaning["days"])),)
    if "weekday" in meaning:
        return _weekday(int(slots["weekday"]), meaning["weekday"], today)
    return _date(slots, today)


def _weekday(weekday: int, which: str, today: date) -> tuple[date, ...]:
    ahead = (weekday - today.weekday()) % _WEEK
    coming = today + timedelta(days=ahead or _WEEK)
    monday = today - timedelta(days=today.weekday())
    match which:
        case "this":
            return (today,) if not ahead else (coming,)
        case "next":
            following = monday + timedelta(days=_WEEK + weekday)
            return tuple(dict.fromkeys((following, coming)))
        case "following":
            return (monday + timedelta(days=_WEEK + weekday),)
        case "week":
            return (coming + timedelta(days=_WEEK),)
        case "last":
            return (today - timedelta(days=_WEEK - ahead if ahead else _WEEK),)
        case _:
            return (coming,) if ahead else (coming, today)


def _date(slots: Mapping[str, float], today: date) -> tuple[date, ...]:
    day = int(next((slots[name] for name in ("o", "od", "d") if name in slots), 0))
    month, year = int(slots.get("month", 0)), int(slots.get("y", 0))
    try:
        if not month:
            months = (months_later(today.replace(day=1), n) for n in range(13))
            return (next(m for m in months if _has(m, day, today)).replace(day=day),)
        first = date(year or today.year, month, day)
    except ValueError, StopIteration:
        return ()
    if year or first >= today:
        return (first,)
    try:
        return (first.replace(year=today.year + 1),)
    except ValueError:
        return ()


def _has(month: date, day: int, today: date) -> bool:
    """Return True if a month still has that day ahead of today, or today."""
    try:
        return month.replace(day=day) >= today
    except ValueError:
        return False


def period_of(unit: str, shift: int, today: date) -> tuple[date, date]:
    """Return the first day of a week, weekend, month or year, and the day after its last."""
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
    match unit:
        case "weekend":
            return monday + timedelta(days=5), monday + timedelta(days=_WEEK)
        case "week":
            return monday, monday + timedelta(days=_WEEK)
        case "month":
            first = months_later(today.replace(day=1), shift)
            return first, months_later(first, 1)
        case _:
            first = date(today.year + shift, 1, 1)
            return first, date(today.year + shift + 1, 1, 1)
