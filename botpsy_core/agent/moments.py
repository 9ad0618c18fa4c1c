"""Say times, dates and durations as people do."""

from datetime import date, datetime, timedelta

from botpsy_core.agent.phrases import Phrases

_NEAR = {0: "today", 1: "tomorrow", -1: "yesterday"}
_STEPS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def say_moment(phrases: Phrases, value: str, now: datetime) -> str:
    """Return an ISO 8601 date or time as "tomorrow at 15:00", or the text itself where it is neither."""
    try:
        if "T" not in value and " " not in value:
            return say_day(phrases, date.fromisoformat(value), now)
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value
    local = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
    return phrases.say("time", "at", day=say_day(phrases, local.date(), now), clock=say_clock(phrases, local))


def say_day(phrases: Phrases, day: date, now: datetime) -> str:
    """Return a day as "tomorrow" or "on Friday, May 8"."""
    near = _NEAR.get((day - now.date()).days)
    if near is not None:
        return phrases.say("time", near)
    weekdays, months = phrases.find("weekdays") or [], phrases.find("months") or []
    return phrases.say("time", "on_day", weekday=weekdays[day.weekday()], month=months[day.month - 1], day=str(day.day))


def say_clock(phrases: Phrases, moment: datetime) -> str:
    """Return a time of day."""
    pattern = str(phrases.find("time", "clock"))
    return pattern.format(hour=moment.hour, minute=moment.minute)


def say_duration(phrases: Phrases, seconds: float) -> str:
    """Return a duration in its two largest parts."""
    left, parts = round(timedelta(seconds=seconds).total_seconds()), []
    for unit, size in _STEPS:
        count, left = divmod(left, size)
        if count:
            parts.append(phrases.say("durations", unit, count=count))
    return phrases.listed(parts[:2])
