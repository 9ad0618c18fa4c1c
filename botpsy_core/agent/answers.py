"""Answer questions from what was read; no model words a fact."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from botpsy_core.agent.agenda import asks_for_free_time, asks_for_next, free_slots, say_slots, upcoming, window
from botpsy_core.agent.facts import Fact, as_number
from botpsy_core.agent.moments import say_clock, say_day, say_moment
from botpsy_core.agent.naming import say_number
from botpsy_core.agent.parts import told_parts
from botpsy_core.agent.readout import read_out
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.sought import sought
from botpsy_core.agent.timer_toolbox import said
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.tools import Outcome, ToolResult
from botpsy_core.domain.values import JsonObject, JsonValue, list_of

_MOST = 6
"""Things that one answer names."""
_LONGEST = 80
"""Characters of one text that somebody else wrote."""


def answer(speech: Speech, clause: Clause, result: ToolResult) -> str:
    """Return the answer that a read gives to a clause."""
    phrases, data = speech.phrases, result.data
    if result.outcome not in {Outcome.DONE, Outcome.ALREADY_SO}:
        return phrases.say("outcomes", "failed_bare", detail=result.detail)
    if isinstance(data.get("now"), str):
        now = datetime.fromisoformat(str(data["now"]))
        day = say_day(phrases, now.date(), now.replace(year=now.year - 1))
        return phrases.say("answers", "time", clock=say_clock(phrases, now), day=day)
    states = [s for s in list_of(data.get("states")) if isinstance(s, Mapping)]
    if states:
        facts = [Fact.of(s, speech.home.entity(str(s.get("id")))) for s in states]
        return _states(speech, clause, [part for fact in facts for part in told_parts(fact, clause)])
    for key, say in _KEPT.items():
        if key in data:
            return say(speech, list_of(data[key]))
    response = data.get("response")
    if isinstance(response, Mapping):
        return " ".join(_responses(speech, clause, response)) or phrases.say("answers", "nothing")
    told = "" if "states" in data else read_out(data)
    return f"{told[:1].upper()}{told[1:]}." if told else phrases.say("answers", "nothing")


def _planned(speech: Speech, acts: Sequence[JsonValue]) -> str:
    """Say what is put off, and until when."""
    phrases = speech.phrases
    told = [
        phrases.say("answers", "event", summary=str(a.get("act")), when=_when_planned(speech, a))
        for a in acts
        if isinstance(a, Mapping)
    ]
    if len(told) > _MOST:
        told = [*told[:_MOST], phrases.say("many", count=len(told) - _MOST)]
    return phrases.say("answers", "events", items=phrases.listed(told)) if told else phrases.say("turn", "none_planned")


def _timers(speech: Speech, timers: Sequence[JsonValue]) -> str:
    """Say what is left of each timer."""
    told = [said(speech.phrases, t) for t in timers if isinstance(t, Mapping)]
    items = speech.phrases.listed(told[:_MOST])
    return speech.phrases.say("timers", "told", items=items) if told else speech.phrases.say("timers", "none")


_KEPT = {"planned": _planned, "timers": _timers}
"""What a read of a book of the agent's own has told, and how it is said."""


def _when_planned(speech: Speech, act: JsonObject) -> str:
    """Say until when an act is put off, or what it waits for."""
    return f"\u201c{act['when']}\u201d" if "when" in act else say_moment(speech.phrases, str(act["at"]), speech.now)


def _states(speech: Speech, clause: Clause, facts: Sequence[Fact]) -> str:
    asked = next(iter(clause.directions), None)
    if clause.since and (dated := [f for f in facts if f.changed and (asked is None or f.fits(asked) is not None)]):
        return _shortened(speech, [_since(speech, f) for f in dated])
    if asked is not None:
        judged = [(f, fits) for f in facts if (fits := f.fits(asked)) is not None]
        if len(judged) == 1:
            fact, fits = judged[0]
            return speech.phrases.say(
                "answers", "yes" if fits else "no", names=fact.name, state=fact.word(speech.phrases)
            )
        if judged:
            meant = speech.phrases.say("directions", asked.value)
            return _counted(speech, [f.name for f, fits in judged if fits], len(judged), meant)
    return _shortened(speech, [_told(speech, f) for f in facts])


def _shortened(speech: Speech, told: Sequence[str]) -> str:
    """Return the first sentences, and how many more there would be."""
    more = [speech.phrases.say("answers", "more", count=len(told) - _MOST)] if len(told) > _MOST else []
    return " ".join([*told[:_MOST], *more])


def _since(speech: Speech, fact: Fact) -> str:
    """Say since when a thing is as it is; of a closed door that is when it was open last."""
    when = say_moment(speech.phrases, str(fact.changed), speech.now)
    return speech.phrases.say("answers", "since", names=fact.name, state=fact.word(speech.phrases), when=when)


def _counted(speech: Speech, names: Sequence[str], total: int, meant: str) -> str:
    phrases = speech.phrases
    listed = phrases.listed(
        [*names[:_MOST], *([phrases.say("many", count=len(names) - _MOST)] if len(names) > _MOST else [])]
    )
    if not names:
        return phrases.say("answers", "none_of", count=total, state=meant)
    if len(names) == total:
        return phrases.say("answers", "all_of", count=total, state=meant, names=listed)
    return phrases.say("answers", "some_of", count=len(names), total=str(total), state=meant, names=listed)


def _told(speech: Speech, fact: Fact) -> str:
    phrases = speech.phrases
    if fact.state is None:
        return phrases.say("answers", "unknown", names=fact.name)
    degrees = speech.home.temperature_unit
    current, target = (as_number(fact.attributes.get(k)) for k in ("current_temperature", "temperature"))
    if current is not None:
        value = say_number(phrases, current, degrees)
        if target is None:
            return phrases.say("answers", "climate", names=fact.name, value=value)
        return phrases.say(
            "answers", "climate_set", names=fact.name, value=value, target=say_number(phrases, target, degrees)
        )
    if as_number(fact.state) is not None:
        return phrases.say("answers", "value", names=fact.name, state=fact.word(phrases))
    share = next((n for k in ("brightness_pct", "current_position") if (n := as_number(fact.attributes.get(k)))), None)
    if share is not None and share < 100:
        value = say_number(phrases, share, "%")
        return phrases.say("answers", "state_at", names=fact.name, state=fact.word(phrases), value=value)
    return phrases.say("answers", "state", names=fact.name, state=fact.word(phrases))


def _responses(speech: Speech, clause: Clause, response: JsonObject) -> Iterator[str]:
    """Say what actions answered, by the name of the list in it: events, items or a forecast."""
    events = [e for own in response.values() if isinstance(own, Mapping) for e in list_of(own.get("events"))]
    if any(isinstance(own, Mapping) and "events" in own for own in response.values()):
        told = [e for e in events if isinstance(e, Mapping)]
        yield _agenda(speech, clause, told)
    for entity_id, own in response.items():
        if isinstance(own, Mapping) and "items" in own:
            yield _items(speech, clause, entity_id, list_of(own["items"]))
        if isinstance(own, Mapping) and "forecast" in own:
            yield from _forecast(speech, list_of(own["forecast"])[:3])


def _agenda(speech: Speech, clause: Clause, events: Sequence[JsonObject]) -> str:
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
    told = [_event(speech, e) for e in ordered[:_MOST]]
    if len(ordered) > _MOST:
        told.append(phrases.say("many", count=len(ordered) - _MOST))
    return phrases.say("answers", "events", items=phrases.listed(told))


def _event(speech: Speech, event: JsonObject) -> str:
    if event.get("private"):
        return _busy(speech, event)
    place = event.get("location")
    return speech.phrases.say(
        "answers",
        "event_at" if isinstance(place, str) and place.strip() not in {"", "None"} else "event",
        summary=_short(event.get("summary")),
        when=say_moment(speech.phrases, str(event.get("start")), speech.now),
        place=_short(place),
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


def _items(speech: Speech, clause: Clause, entity_id: str, items: Sequence[JsonValue]) -> str:
    phrases = speech.phrases
    entity = speech.home.entity(entity_id)
    name = entity.name if entity is not None else entity_id
    open_items: list[JsonObject] = [i for i in items if isinstance(i, Mapping) and i.get("status") != "completed"]
    if not open_items:
        return phrases.say("answers", "items_none", name=name)
    found = sought(open_items, clause)
    shown = found or open_items
    told = [_short(i.get("summary")) for i in shown[:_MOST]]
    if len(shown) > _MOST:
        told.append(phrases.say("many", count=len(shown) - _MOST))
    key = "items_found" if found else "items"
    return phrases.say("answers", key, count=len(shown), name=name, items=phrases.listed(told))


def _forecast(speech: Speech, days: Sequence[JsonValue]) -> Iterator[str]:
    phrases = speech.phrases
    for day in days:
        if not isinstance(day, Mapping):
            continue
        date = datetime.fromisoformat(str(day.get("datetime"))).astimezone(speech.now.tzinfo).date()
        state = str(day.get("condition"))
        high = as_number(day.get("temperature"))
        value = "" if high is None else f", {say_number(phrases, high, speech.home.temperature_unit)}"
        word = phrases.find("states", state)
        when = say_day(phrases, date, speech.now)
        yield phrases.say(
            "answers",
            "forecast",
            when=when[:1].upper() + when[1:],
            state=str(word or state.replace("_", " ")),
            value=value,
        )


def _short(value: JsonValue) -> str:
    text = " ".join(str(value or "").split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
