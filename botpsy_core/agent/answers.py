"""Answer questions from what was read; no model words a fact."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from botpsy_core.agent.brief import MOST, short, with_rest
from botpsy_core.agent.diary import say_agenda
from botpsy_core.agent.facts import Fact, as_number
from botpsy_core.agent.moments import say_clock, say_day, say_moment
from botpsy_core.agent.naming import say_number
from botpsy_core.agent.parts import told_parts
from botpsy_core.agent.readout import read_out
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.sought import sought
from botpsy_core.agent.states import say_states
from botpsy_core.agent.timer_toolbox import said
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.tools import Outcome, ToolResult
from botpsy_core.domain.values import JsonObject, JsonValue, list_of


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
        return say_states(speech, clause, [part for fact in facts for part in told_parts(fact, clause)])
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
    if not told:
        return phrases.say("turn", "none_planned")
    return phrases.say("answers", "events", items=phrases.listed(with_rest(phrases, told, len(told))))


def _timers(speech: Speech, timers: Sequence[JsonValue]) -> str:
    """Say what is left of each timer."""
    told = [said(speech.phrases, t) for t in timers if isinstance(t, Mapping)]
    items = speech.phrases.listed(told[:MOST])
    return speech.phrases.say("timers", "told", items=items) if told else speech.phrases.say("timers", "none")


_KEPT = {"planned": _planned, "timers": _timers}
"""What a read of a book of the agent's own has told, and how it is said."""


def _when_planned(speech: Speech, act: JsonObject) -> str:
    """Say until when an act is put off, or what it waits for."""
    return f"\u201c{act['when']}\u201d" if "when" in act else say_moment(speech.phrases, str(act["at"]), speech.now)


def _responses(speech: Speech, clause: Clause, response: JsonObject) -> Iterator[str]:
    """Say what actions answered, by the name of the list in it: events, items or a forecast."""
    events = [e for own in response.values() if isinstance(own, Mapping) for e in list_of(own.get("events"))]
    if any(isinstance(own, Mapping) and "events" in own for own in response.values()):
        told = [e for e in events if isinstance(e, Mapping)]
        yield say_agenda(speech, clause, told)
    for entity_id, own in response.items():
        if isinstance(own, Mapping) and "items" in own:
            yield _items(speech, clause, entity_id, list_of(own["items"]))
        if isinstance(own, Mapping) and "forecast" in own:
            yield from _forecast(speech, list_of(own["forecast"])[:3])


def _items(speech: Speech, clause: Clause, entity_id: str, items: Sequence[JsonValue]) -> str:
    phrases = speech.phrases
    entity = speech.home.entity(entity_id)
    name = entity.name if entity is not None else entity_id
    open_items: list[JsonObject] = [i for i in items if isinstance(i, Mapping) and i.get("status") != "completed"]
    if not open_items:
        return phrases.say("answers", "items_none", name=name)
    found = sought(open_items, clause)
    shown = found or open_items
    told = [short(i.get("summary")) for i in shown[:MOST]]
    key, listed = "items_found" if found else "items", phrases.listed(with_rest(phrases, told, len(shown)))
    return phrases.say("answers", key, count=len(shown), name=name, items=listed)


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
