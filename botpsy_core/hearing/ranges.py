"""Range: what "from ... to ..." may mean, each start with the first end after it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from botpsy_core.hearing.moments import Moment, Reading, at, readings


def ranges(start: Moment, end: Moment, now: datetime) -> tuple[Reading, ...]:
    """Return what "from ... to ..." may mean: each start with the first end after it."""
    if end.days and not start.days and start.instant is None:
        start = replace(start, days=end.days)
    starts: Sequence[date] = [r[0] if isinstance(r, tuple) else r for r in readings(start, now)]
    if start.instant is not None and end.clock is not None:
        return tuple((start.instant, e) for e in readings(end, now) if isinstance(e, datetime) and e > start.instant)
    if end.clock and (end.part or not end.clock.open):
        starts = _before_end(starts, start, end, now)
    pairs = [(s, e) for s in starts if (e := _end_after(s, end, now)) is not None]
    return tuple(dict.fromkeys(pairs))


def _before_end(starts: Sequence[date], start: Moment, end: Moment, now: datetime) -> Sequence[date]:
    """Return only the last start before a sure end, where the start itself was open ("from ten to two pm")."""
    if not (start.clock and start.clock.open and not start.part) or len(starts) < 2:
        return starts
    timed = [s for s in starts if isinstance(s, datetime)]
    ends = {s: _end_after(s, end, now) for s in timed}
    return sorted(timed, key=lambda s: e - s if isinstance(e := ends[s], datetime) else timedelta.max)[:1]


def _end_after(start: date, end: Moment, now: datetime) -> date | None:
    """Return the first reading of an end that lies after a start."""
    if isinstance(start, datetime):
        days = end.days or (start.date(), start.date() + timedelta(days=1))
        found = [
            r[1] if isinstance(r, tuple) else r
            for day in days
            for r in readings(replace(end, days=(day,)) if end.instant is None else end, now)
        ]
        points = [p if isinstance(p, datetime) else at(p + timedelta(days=1), 0, 0, now) for p in found]
        return min((p for p in points if p > start), default=None)
    if not end.days:
        return None
    last = end.days[0] if end.until is None else end.until - timedelta(days=1)
    while last < start:
        last += timedelta(weeks=1)
    return last + timedelta(days=1)
