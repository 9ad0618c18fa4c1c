"""Repeat: "every Monday and Thursday" as a rule and its first day."""

from dataclasses import replace
from datetime import date, datetime, timedelta

from botpsy_core.hearing.moments import Moment, Part, later
from botpsy_core.hearing.patterns import Match
from botpsy_core.hearing.time_words import UNITS

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FREQUENCIES = {"minute": "MINUTELY", "hour": "HOURLY", "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY"}

_WITHIN_A_DAY = {"MINUTELY": 60, "HOURLY": 3600}


def repeating(moment: Moment, match: Match, now: datetime) -> Moment:
    """Return the moment with what "every ..." says of it."""
    meaning, slots = match.meaning, match.slots
    unit = UNITS[int(slots["unit"])] if "unit" in slots else ""
    frequency = meaning.get("freq") or _FREQUENCIES.get(unit, "YEARLY")
    interval = int(slots.get("n", float(meaning.get("n", meaning.get("interval", "1")))))
    named = next((int(slots[name]) for name in ("weekday", "weekdays") if name in slots), None)
    days = meaning.get("by", "") or (_DAYS[named] if named is not None else "")
    rule = f"FREQ={frequency}" + (f";INTERVAL={interval}" if interval > 1 else "") + (f";BYDAY={days}" if days else "")
    part = Part(meaning["part"]) if "part" in meaning else moment.part
    if frequency in _WITHIN_A_DAY:
        return replace(moment, rule=rule, instant=later(now, interval * _WITHIN_A_DAY[frequency]))
    return replace(moment, rule=rule, part=part, days=_first(rule, now.date()) if days else moment.days)


def also_on(moment: Moment, match: Match, today: date) -> Moment | None:
    """Return a weekly moment that falls on one more weekday, or None where it cannot."""
    day = next((int(match.slots[name]) for name in ("weekday", "weekdays") if name in match.slots), None)
    if day is None or "BYDAY=" not in moment.rule or match.meaning.get("weekday", "plain") != "plain":
        return None
    head, _, listed = moment.rule.partition("BYDAY=")
    days = sorted({*listed.split(","), _DAYS[day]}, key=_DAYS.index)
    rule = f"{head}BYDAY={','.join(days)}"
    return replace(moment, rule=rule, days=_first(rule, today))


def _first(rule: str, today: date) -> tuple[date, ...]:
    listed = rule.partition("BYDAY=")[2].split(",")
    ahead = (today + timedelta(days=n) for n in range(1, 8))
    return (next(d for d in ahead if _DAYS[d.weekday()] in listed),)
