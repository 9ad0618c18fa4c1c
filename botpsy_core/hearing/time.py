"""Time: days, times, spans and durations that were said, as absolute values in the home's own zone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from botpsy_core.domain.heard import Value, ValueKind
from botpsy_core.domain.values import JsonValue
from botpsy_core.hearing.moments import Moment, Reading, readings
from botpsy_core.hearing.ranges import ranges
from botpsy_core.hearing.tokens import Token, span_of


@dataclass(frozen=True, slots=True)
class Said:
    """A moment, a range of two or a duration, with the tokens that said it."""

    first: int
    last: int
    start: Moment | None = None
    end: Moment | None = None
    seconds: float | None = None

    @property
    def is_day_only(self) -> bool:
        """Return True for a day without a time of day."""
        m = self.start
        return self.end is None and m is not None and bool(m.days) and not (m.clock or m.part or m.until)

    @property
    def lacks_day(self) -> bool:
        """Return True for a time of day without a day."""
        m = self.start
        return m is not None and m.clock is not None and not m.days


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """All that an utterance says of time."""

    said: tuple[Said, ...]
    tokens: Sequence[Token]
    now: datetime

    def within(self, first: int, last: int) -> Iterator[tuple[Said, Value]]:
        """Yield the values between two tokens; a day and a time that stand apart in one clause are one."""
        found = [s for s in self.said if first <= s.first and s.last <= last]
        days, clocks = [s for s in found if s.is_day_only], [s for s in found if s.lacks_day]
        if len(days) == len(clocks) == 1:
            day = days[0].start
            start = clocks[0].start
            assert day is not None
            assert start is not None
            found = [replace(s, start=replace(start, days=day.days)) if s is clocks[0] else s for s in found]
            found = [s for s in found if s is not days[0]]
        for said in found:
            value = self._value(said)
            if value is not None:
                yield said, value
            if said.start is not None and said.start.rule:
                span = span_of(self.tokens[said.first : said.last])
                yield said, Value(kind=ValueKind.RECURRENCE, value=said.start.rule, span=span)

    def _value(self, said: Said) -> Value | None:
        span = span_of(self.tokens[said.first : said.last])
        if said.seconds is not None:
            whole = int(said.seconds) if float(said.seconds).is_integer() else said.seconds
            return Value(kind=ValueKind.DURATION, value=whole, span=span)
        assert said.start is not None
        found = readings(said.start, self.now) if said.end is None else ranges(said.start, said.end, self.now)
        if not found:
            return None
        ranged = isinstance(found[0], tuple)
        first, *others = (_json(r) for r in found)
        kind = ValueKind.TIME_RANGE if ranged else ValueKind.TIME
        return Value(kind=kind, value=first, span=span, ambiguous=tuple(others))


def _json(reading: Reading) -> JsonValue:
    if isinstance(reading, tuple):
        return {"start": _iso(reading[0]), "end": _iso(reading[1])}
    return _iso(reading)


def _iso(point: date) -> str:
    return point.isoformat(timespec="seconds") if isinstance(point, datetime) else point.isoformat()
