"""Say what is on: the events, the next of them, or the time that is left beside them."""

from collections.abc import Mapping, Sequence

from botpsy_core.agent.agenda import asks_for_free_time, asks_for_next, free_slots, say_slots, upcoming, window
from botpsy_core.agent.brief import MOST, short, with_rest
from botpsy_core.agent.moments import say_moment
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.sought import sought
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.values import JsonObject, JsonValue, list_of


def say_agenda(speech: Speech, clause: Clause, events: Sequence[JsonObject]) -> str:
    """Say what is on, the next of it, or the time that is left beside it."""
    phrases = speech.phrases
    if asks_for_free_time(clause, phrases):
        return _free(speech, clause, events)
    if asks_for_next(clause, phrases):
        return _events(speech, upcoming(sought(events, clause) or events, speech.now))
    return _events(speech, sought(events, clause) or events)


def _free(speech: Speech, clause: Clause, events: Sequence[JsonObject]) -> str:
    """Say when somebody is free in the time that was asked about; a whole day's event is told beside it."""
    phrases, now = speech.phrases, speech.now
    asked, whole = window(clause, now)
    slots = [s for s in free_slots(events, asked, now) if not whole or s == asked]
    when = say_slots(phrases, [asked], now)
    if not slots:
        return phrases.say("answers", "free_none", when=when, items=_events(speech, events).rstrip(".\u3002\u0964"))
    if slots == [asked]:
        told = phrases.say("answers", "free_all", when=when)
        return f"{told} {_events(speech, events)}" if events else told
    return phrases.say("answers", "free", items=say_slots(phrases, slots, now))


def _events(speech: Speech, events: Sequence[JsonObject]) -> str:
    phrases = speech.phrases
    if not events:
        return phrases.say("answers", "events_none")
    ordered = sorted(events, key=lambda e: str(e.get("start")))
    told = with_rest(phrases, [_event(speech, e) for e in ordered[:MOST]], len(ordered))
    return phrases.say("answers", "events", items=phrases.listed(told))


def _event(speech: Speech, event: JsonObject) -> str:
    if event.get("private"):
        return _busy(speech, event)
    place = event.get("location")
    return speech.phrases.say(
        "answers",
        "event_at" if isinstance(place, str) and place.strip() not in {"", "None"} else "event",
        summary=short(event.get("summary")),
        when=say_moment(speech.phrases, str(event.get("start")), speech.now),
        place=short(place),
    )


def _busy(speech: Speech, event: JsonObject) -> str:
    """Say when, and nothing of what."""
    phrases = speech.phrases
    start, end = (say_moment(phrases, str(event.get(key)), speech.now) for key in ("start", "end"))
    return phrases.say("answers", "event_busy", when=phrases.say("time", "until", start=start, end=end))


def say_overlaps(speech: Speech, events: JsonValue) -> str:
    """Say what else is at the same time, or an empty text."""
    told = [_event(speech, e) for e in list_of(events) if isinstance(e, Mapping)]
    return speech.phrases.say("answers", "overlaps", items=speech.phrases.listed(told)) if told else ""
