"""Time reader: finds the words of time among tokens and puts them together to moments, ranges and durations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from botpsy_core.hearing.days import days_of, period_of
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.moments import Clock, Moment, Part, at, later, months_later
from botpsy_core.hearing.patterns import Match
from botpsy_core.hearing.repeats import also_on, repeating
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.time import Said, Times
from botpsy_core.hearing.time_words import HIDDEN, UNITS, TimeWords, time_words
from botpsy_core.hearing.tokens import Token

_SECONDS: Mapping[str, int] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "month": 2592000}
_NOT_ALONE = frozenset({"hour", "now", "duration"})
_NO_PART = frozenset({"day", "shift", "period", "end", "clock", "hour", "now", "all_day", "duration", "repeat", "more"})
_NO_DURATION = frozenset({"day", "shift", "period", "end", "clock", "hour", "part", "now", "all_day", "repeat", "more"})
"""Classes of patterns that say no moment by themselves."""


def times_of(
    tokens: Sequence[Token], blocked: frozenset[int], now: datetime, lexicon: Lexicon, *, clock_24: bool = False
) -> Times:
    """Return the times, ranges of time and durations among tokens that are not part of a name.

    Where the home's clock goes to 24 (`clock_24`), a time written with minutes is one time in every language.
    """
    found: list[Said] = []
    known = time_words(lexicon.language)
    if known is not None:
        words = tuple(HIDDEN if n in blocked else t.word for n, t in enumerate(tokens))
        reader = _Reader(words, known, now, lexicon, known.twelve_hours and not clock_24)
        place = 0
        while place < len(tokens):
            said = reader.said_at(place)
            if said is not None:
                found.append(said)
            place = said.last if said is not None else place + 1
    return Times(said=tuple(found), tokens=tokens, now=now)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the time words of one utterance."""

    words: tuple[str, ...]
    known: TimeWords
    now: datetime
    lexicon: Lexicon
    twelve_hours: bool

    def said_at(self, first: int) -> Said | None:
        """Return the range, moment or duration that begins at a word."""
        return self._range(first) or self._plain(first) or self._duration(first)

    def _range(self, first: int) -> Said | None:
        for opening, middle in (("from", "to"), ("between", "and")):
            size = self._marker(opening, first)
            start = self._moment(first + size, in_range=True) if size else None
            if start is None:
                continue
            end = self._end(start.last, middle)
            if end is not None:
                return Said(first, end.last, start.start, end.start)
        if self.known.markers.get("until_after") and (said := self._postposed(first)) is not None:
            return said
        size = self._marker("until", first)
        end = self._moment(first + size, in_range=True) if size else None
        return Said(first, end.last, Moment(instant=later(self.now, 0)), end.start) if end is not None else None

    def _postposed(self, first: int) -> Said | None:
        """Return a range whose words for "from" and "to" stand after its ends."""
        start = self._moment(first, in_range=True)
        end = self._end(start.last, "to") if start is not None else None
        tail = self._marker("until_after", end.last) if end is not None else 0
        return Said(first, end.last + tail, start.start, end.start) if start and end and tail else None

    def _end(self, place: int, middle: str) -> Said | None:
        size = self._marker(middle, place)
        return self._moment(place + size, in_range=True) if size else None

    def _plain(self, first: int) -> Said | None:
        start = self._moment(first, in_range=False)
        if start is None or start.start is None:
            return None
        ranged = self._range(start.last) if start.is_day_only else None
        if ranged is not None and ranged.start is not None and ranged.start.clock and not ranged.start.days:
            return Said(first, ranged.last, replace(ranged.start, days=start.start.days), ranged.end)
        end = self._end(start.last, "to") if start.start.clock or start.start.days else None
        if end is not None:
            return Said(first, end.last + self._marker("until_after", end.last), start.start, end.start)
        until = self._marker("until_after", start.last) if start.start.clock or start.start.days else 0
        return Said(first, start.last + until, Moment(instant=later(self.now, 0)), start.start) if until else start

    def _duration(self, first: int) -> Said | None:
        seconds, place = 0.0, first
        while place < len(self.words):
            match = self._match(place, _NO_DURATION)
            if match is None:
                break
            seconds += _amount(match) * _SECONDS.get(_unit(match), 0)
            place = match.last
            glued = place + 1 if place < len(self.words) and self.words[place] in self.known.glue else place
            more = self._match(glued, _NO_DURATION) if glued < len(self.words) else None
            place = glued if more is not None else place
        return Said(first, place, seconds=seconds) if seconds else None

    def _moment(self, first: int, *, in_range: bool) -> Said | None:
        moment, last, place = Moment(), first, first
        unless = frozenset({"duration"}) if in_range else _NOT_ALONE
        while place < len(self.words):
            match = self._match(place, unless, counted=not in_range)
            wider = self._widened(moment, match) if match is not None else None
            if match is None or wider is None or (not in_range and moment.is_empty and "bare" in match.meaning):
                if moment.is_empty or place > last + 1 or self.words[place] not in self.known.glue:
                    break
                place += 1
                continue
            moment, last, place = wider, match.last, match.last
        return None if moment.is_empty else Said(first, last, moment)

    def _match(self, place: int, unless: frozenset[str], *, counted: bool = True) -> Match | None:
        match = self.known.patterns.longest_at(self.words, place, unless=unless, without="" if counted else "sign")
        if match is None or match.last >= len(self.words):
            return match
        if match.meaning["as"] not in {"clock", "hour"}:
            return None if self._counts(match) else match
        if self.words[match.last] not in self.known.measures:
            return match
        after = self.known.patterns.longest_at(self.words, match.last, unless=_NO_PART)
        return match if after is not None else None

    def _counts(self, match: Match) -> bool:
        """Return True for "the 16th century": an ordinal after an article, and before what it counts."""
        after, first = self.words[match.last], self.lexicon.phrases.get((self.words[match.first],), ())
        alone = set(match.slots) == {"od"} and any(m.sense is Sense.ARTICLE for m in first)
        return alone and after.isalpha() and after not in self.lexicon.known

    def _marker(self, name: str, place: int) -> int:
        return self.known.marker(name, self.words, place) if place < len(self.words) else 0

    def _widened(self, moment: Moment, match: Match) -> Moment | None:
        """Return the moment with what a match adds, or None where it says the same part again."""
        meaning, today = match.meaning, self.now.date()
        wider: Moment | None = None
        match meaning["as"]:
            case "repeat" if not (moment.rule or moment.days):
                wider = repeating(moment, match, self.now)
            case "day" | "repeat" | "more" if moment.rule:
                wider = also_on(moment, match, today)
            case "day" if not moment.days and (days := days_of(match, today)):
                wider = replace(moment, days=days)
            case "clock" | "hour" if moment.clock is None:
                clock = _clock(match, twelve_hours=self.twelve_hours)
                half = {"am": Part.MORNING, "pm": Part.AFTERNOON}.get(meaning.get("half", ""))
                wider = replace(moment, clock=clock, part=moment.part or half)
            case "part" if moment.part is None and not (moment.days and "days" in meaning):
                days = (today + timedelta(days=int(meaning["days"])),) if "days" in meaning else moment.days
                wider = replace(moment, part=Part(meaning["part"]), days=days)
            case "period" if not moment.days:
                start, end = period_of(meaning["unit"], int(meaning["shift"]), today)
                wider = replace(moment, days=(start,), until=end)
            case "all_day":
                wider = replace(moment, all_day=True)
            case "shift" | "end" | "now" if moment.is_empty:
                wider = self._counted(match)
        return wider

    def _counted(self, match: Match) -> Moment:
        """Return the moment that is counted from now."""
        if match.meaning["as"] == "shift":
            return self._shifted(match)
        return (
            self._ending(match.meaning["unit"]) if match.meaning["as"] == "end" else Moment(instant=later(self.now, 0))
        )

    def _shifted(self, match: Match) -> Moment:
        amount, unit = _amount(match) * (-1 if "back" in match.meaning else 1), _unit(match)
        today = self.now.date()
        if unit in {"month", "year"}:
            return Moment(days=(months_later(today, round(amount) * (12 if unit == "year" else 1)),))
        if unit in {"day", "week"} and amount.is_integer():
            return Moment(days=(today + timedelta(days=round(amount) * (7 if unit == "week" else 1)),))
        return Moment(instant=later(self.now, amount * _SECONDS[unit]))

    def _ending(self, unit: str) -> Moment:
        today = self.now.date()
        if unit == "day":
            return Moment(instant=at(today + timedelta(days=1), 0, 0, self.now))
        return Moment(days=(period_of(unit, 0, today)[1] - timedelta(days=1),))


def _amount(match: Match) -> float:
    return float(match.meaning.get("n", match.slots.get("n", 1))) + float(match.meaning.get("plus", 0))


def _unit(match: Match) -> str:
    return match.meaning.get("unit") or UNITS[int(match.slots["unit"])]


def _clock(match: Match, *, twelve_hours: bool) -> Clock:
    """Read a time of day from a match's slots and meaning."""
    meaning, slots = match.meaning, match.slots
    if "hour" in meaning:
        return Clock(int(meaning["hour"]), int(meaning.get("minutes", 0)), open="open" in meaning)
    if "clock" in slots:
        total = int(slots["clock"])
        written = bool(slots["clock"] % 1) or not twelve_hours
        return Clock(total // 60, total % 60, open=not written and 0 < total // 60 <= 12)
    hour = int(next(slots[name] for name in ("h", "h2", "h12", "ho") if name in slots))
    minute = int(next((slots[name] for name in ("m", "m5") if name in slots), 0))
    clock = Clock(hour, 0, open=0 < hour <= 12)
    if "back" in meaning:  # "ten minutes of the ninth" hour: that hour has begun
        return clock.shifted(minute - 60)
    if "sign" in meaning:
        return clock.shifted(int(meaning["sign"]) * minute)
    return clock.shifted(int(meaning.get("minutes", minute)))
