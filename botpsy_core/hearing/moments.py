"""Moment: a day, a time of day, or both, as said, and the absolute readings that it has."""

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

_NOON = 12
_DAYTIME = 7
"""The hour from which a bare hour means the morning; earlier ones mean the afternoon."""


_WAKING = 6
"""Before this hour nobody is thought of where another reading is left."""


class Part(StrEnum):
    """A part of the day."""

    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


_HOURS: dict[Part, tuple[int, int]] = {
    Part.MORNING: (6, 12),
    Part.NOON: (12, 14),
    Part.AFTERNOON: (12, 18),
    Part.EVENING: (18, 24),
    Part.NIGHT: (22, 30),
}
"""From which hour to which a part lasts; 30 is six in the morning of the next day."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; open where it may be before or after noon."""

    hour: int
    minute: int
    open: bool

    def shifted(self, minutes: int) -> Clock:
        """Return the clock so many minutes later, within the day."""
        total = (self.hour * 60 + self.minute + minutes) % (24 * 60)
        return Clock(total // 60, total % 60, self.open)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What was said of a point in time; the parts that were not said are None or empty."""

    days: tuple[date, ...] = ()
    """Possible days, likeliest first."""
    until: date | None = None
    """The day after the last, where a week, a month or a weekend was said."""
    clock: Clock | None = None
    part: Part | None = None
    instant: datetime | None = None
    """Where it was counted from now in hours or less."""
    all_day: bool = False
    rule: str = ""
    """How it recurs, as RFC 5545 writes it; empty where it does not."""

    @property
    def is_empty(self) -> bool:
        """Return True if nothing was said."""
        return self == Moment()


type Reading = datetime | date | tuple[datetime | date, datetime | date]


def readings(moment: Moment, now: datetime) -> tuple[Reading, ...]:
    """Return what a moment may mean, likeliest first, each once."""
    return tuple(dict.fromkeys(_readings(moment, now)))


def _readings(moment: Moment, now: datetime) -> Iterator[Reading]:
    if moment.instant is not None:
        yield moment.instant
    elif moment.clock is not None:
        yield from clock_readings(moment, now)
    elif moment.part is not None and not moment.all_day:
        for day in moment.days or (_next_part(moment.part, now),):
            first, last = _HOURS[moment.part]
            yield at(day, first, 0, now), at(day, last, 0, now)
    elif moment.until is not None and moment.days:
        yield moment.days[0], moment.until
    elif not moment.days and (moment.all_day or moment.rule):
        yield now.date()
    else:
        yield from moment.days


def clock_readings(moment: Moment, now: datetime) -> Iterator[datetime]:
    """Yield the points in time that a time of day may mean."""
    assert moment.clock is not None
    hours = _hours(moment.clock, moment.part)
    minute = moment.clock.minute
    if moment.days:
        found = [at(day, hour, minute, now) for day in moment.days for hour in hours]
        ahead = [t for t in found if t > now]
        yield from ahead or found
        return
    coming = [_coming(hour, minute, now) for hour in hours]
    yield from sorted(coming, key=lambda t: (t.hour < _WAKING, t)) if len(coming) > 1 else coming


def _hours(clock: Clock, part: Part | None) -> tuple[int, ...]:
    """Return the hours that a clock may mean, likeliest first; 24 and more lie in the next day."""
    hour = clock.hour
    if part is not None and (clock.open or hour <= _NOON):
        return (_hour_in(hour % _NOON, part),)
    if not clock.open:
        return (hour,)
    early, late = hour % _NOON, hour % _NOON + _NOON
    return (early, late) if early >= _DAYTIME else (late, early)


def _hour_in(hour: int, part: Part) -> int:
    match part:
        case Part.MORNING:
            return hour
        case Part.NOON:
            return hour if hour >= 11 else hour + _NOON
        case Part.AFTERNOON | Part.EVENING:
            return hour + _NOON if hour else 24 if part is Part.EVENING else _NOON
        case Part.NIGHT:
            return hour + 24 if hour < 6 else hour + _NOON


def _coming(hour: int, minute: int, now: datetime) -> datetime:
    today = at(now.date(), hour, minute, now)
    if hour >= 24 and at(now.date(), hour - 24, minute, now) > now:
        return at(now.date(), hour - 24, minute, now)
    return today if today > now else at(now.date() + timedelta(days=1), hour, minute, now)


def _next_part(part: Part, now: datetime) -> date:
    return now.date() if at(now.date(), _HOURS[part][1], 0, now) > now else now.date() + timedelta(days=1)


def at(day: date, hour: int, minute: int, now: datetime) -> datetime:
    """Return a time of day as a point in time, moved forward where the clocks skip it."""
    local = datetime.combine(day + timedelta(days=hour // 24), time(hour % 24, minute), now.tzinfo)
    return local.astimezone(UTC).astimezone(now.tzinfo)


def later(now: datetime, seconds: float) -> datetime:
    """Return the point in time so many seconds away, across any change of the clocks."""
    return (now.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(now.tzinfo).replace(microsecond=0)


def months_later(day: date, months: int) -> date:
    """Return the same day so many months later, or the month's last where it has no such day."""
    month = day.year * 12 + day.month - 1 + months
    year, number = divmod(month, 12)
    return date(year, number + 1, min(day.day, calendar.monthrange(year, number + 1)[1]))
