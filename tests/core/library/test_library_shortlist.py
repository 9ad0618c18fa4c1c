from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from botpsy_core.catalog import decide_by_words, load_tools, resolve, shortlist
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import Clause, Heard, How, Mood, Span, Target, Value, ValueKind
from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.domain.tools import Direction

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
CONTEXT = TurnContext(conversation_id="c", origin=Origin.CHAT, now=NOW)
HOME = Home(
    areas=(Area(id="kitchen", name="Kitchen"), Area(id="hall", name="Hall")),
    entities=(
        Entity(id="light.kitchen", name="Kitchen light", area_id="kitchen", state="off"),
        Entity(id="light.hall", name="Hall light", area_id="hall", state="on", attributes={"brightness": 40}),
        Entity(id="climate.living", name="Thermostat", attributes={"temperature": 20}),
        Entity(id="media_player.radio", name="Radio", state="playing"),
        Entity(id="cover.garage", name="Garage door", device_class="garage"),
        Entity(id="lock.front", name="Front door"),
        Entity(id="calendar.family", name="Family"),
        Entity(id="todo.shopping", name="Shopping list"),
        Entity(id="notify.phone", name="Tom's phone"),
    ),
)


def span(text: str, part: str) -> Span:
    start = text.index(part)
    return Span(start=start, end=start + len(part))


def heard(text, *, directions=(), targets=(), values=(), unexplained=(), mood=Mood.COMMAND, absent=()):
    made = []
    for words, thing in targets:
        made.append(Target(label=words, entities=(thing,), score=1.0, how=How.NAME, span=span(text, words)))
    clause = Clause(
        text=text,
        span=Span(start=0, end=len(text)),
        mood=mood,
        directions=tuple(directions),
        targets=tuple(made),
        values=tuple(values),
        absent=absent,
        unexplained=tuple(span(text, w) for w in unexplained),
    )
    return Heard(text=text, language="en", clauses=(clause,))


def offer(said, home=HOME, context=CONTEXT):
    return shortlist(said.clauses[0], heard=said, tools=load_tools(), home=home, context=context)


def names(said, **more):
    return [t.tool.name for t in offer(said, **more).tools]


def decided(said):
    made = offer(said)
    raw = decide_by_words(made, said.clauses[0])
    return None if raw is None else (raw.name, dict(resolve(raw, offer=made, call_id="1").args))


def percent(text, words, number, **more):
    return Value(kind=ValueKind.PERCENT, value=number, unit="%", span=span(text, words), **more)


def test_direction_and_name_leave_one_tool_and_one_thing():
    said = heard("turn on the Kitchen light", directions=[Direction.ON], targets=[("Kitchen light", "light.kitchen")])
    assert decided(said) == ("turn_on", {"target": ["light.kitchen"]})


def test_a_value_picks_the_tool_that_takes_it():
    text = "dim the Hall light to 30 percent"
    said = heard(
        text,
        directions=[Direction.DOWN],
        targets=[("Hall light", "light.hall")],
        values=[percent(text, "30 percent", 30)],
    )
    assert decided(said) == ("set_brightness", {"target": ["light.hall"], "brightness": 30})


def test_a_change_picks_the_tool_that_changes():
    text = "make the Hall light 10 percent brighter"
    said = heard(
        text,
        directions=[Direction.UP],
        targets=[("Hall light", "light.hall")],
        values=[percent(text, "10 percent", 10, relative=True)],
    )
    assert decided(said) == ("brighten", {"target": ["light.hall"], "amount": 10})


def test_things_named_side_by_side_go_into_one_call():
    said = heard(
        "turn off the Kitchen light and the Hall light",
        directions=[Direction.OFF],
        targets=[("Kitchen light", "light.kitchen"), ("Hall light", "light.hall")],
    )
    assert decided(said) == ("turn_off", {"target": ["light.hall", "light.kitchen"]})


@pytest.mark.parametrize("directions", [[], [Direction.ON]])
def test_a_question_is_offered_nothing_that_writes(directions):
    said = heard(
        "is the Kitchen light on",
        directions=directions,
        targets=[("Kitchen light", "light.kitchen")],
        mood=Mood.QUESTION,
    )
    assert all(t.tool.read_only for t in offer(said).tools)
    assert decided(said) == ("get_state", {"target": ["light.kitchen"]})


def test_the_opposite_of_what_was_said_is_not_offered():
    said = heard("unlock the Front door", directions=[Direction.UNLOCK], targets=[("Front door", "lock.front")])
    assert "lock" not in names(said)
    assert decided(said) == ("unlock", {"target": ["lock.front"]})


def test_nothing_is_offered_for_what_no_tool_can_do():
    assert names(heard("order a pizza", unexplained=["order", "pizza"])) == []


def test_text_is_what_the_other_words_leave():
    text = "Add milk to the Shopping list"
    said = heard(text, directions=[Direction.ADD], targets=[("Shopping list", "todo.shopping")], unexplained=["milk"])
    assert decided(said) == ("add_item", {"list": ["todo.shopping"], "item": "milk"})


def event(*readings):
    text = "Add a dentist appointment tomorrow at three"
    when = Value(
        kind=ValueKind.TIME, value=readings[0], span=span(text, "tomorrow at three"), ambiguous=tuple(readings[1:])
    )
    return heard(text, directions=[Direction.ADD], values=[when], unexplained=["dentist", "appointment"])


def test_an_event_gets_its_time_from_the_words_and_by_day():
    assert decided(event("2026-12-02T15:00:00+01:00", "2026-12-02T03:00:00+01:00")) == (
        "create_event",
        {"calendar": ["calendar.family"], "start": "2026-12-02T15:00:00+01:00", "summary": "dentist appointment"},
    )


def test_what_is_to_be_done_later_is_not_offered_for_now():
    text = "turn off the Kitchen light in ten minutes"
    ten = Value(kind=ValueKind.TIME, value="2026-12-01T10:10:00+01:00", span=span(text, "in ten minutes"))
    said = heard(text, directions=[Direction.OFF], targets=[("Kitchen light", "light.kitchen")], values=[ten])
    clause = said.clauses[0]
    assert all(t.tool.read_only for t in offer(said).tools)
    put_off = shortlist(clause, heard=said, tools=load_tools(), home=HOME, context=CONTEXT, later=True)
    assert decide_by_words(put_off, clause).name == "turn_off"
    assert [c.value for c in put_off.tool("turn_off").at] == ["2026-12-01T10:10:00+01:00"]


def test_an_act_of_security_is_never_put_off():
    text = "unlock the Front door at five"
    five = Value(kind=ValueKind.TIME, value="2026-12-01T17:00:00+01:00", span=span(text, "at five"))
    said = heard(text, directions=[Direction.UNLOCK], targets=[("Front door", "lock.front")], values=[five])
    made = shortlist(said.clauses[0], heard=said, tools=load_tools(), home=HOME, context=CONTEXT, later=True)
    assert made.tool("unlock") is None


def test_of_two_times_none_is_taken():
    said = event("2026-12-02T08:00:00+01:00", "2026-12-02T20:00:00+01:00")
    (top,) = offer(said).tools
    slots = {s.argument.name: s for s in top.slots}
    assert top.missing == ("start",)
    assert [c.label for c in slots["start"].choices] == ["tomorrow at three (08:00)", "tomorrow at three (20:00)"]
    assert decided(said) == ("create_event", {"calendar": ["calendar.family"], "summary": "dentist appointment"})


def test_a_value_out_of_range_stays_visible_and_is_not_decided_by_words():
    text = "set the Thermostat to 50 degrees"
    hot = Value(kind=ValueKind.TEMPERATURE, value=50, unit="°C", span=span(text, "50 degrees"))
    said = heard(text, directions=[Direction.SET], targets=[("Thermostat", "climate.living")], values=[hot])
    made = offer(said)
    tool = made.tool("set_temperature")
    assert [c.value for s in tool.slots if s.argument.name == "temperature" for c in s.choices] == [50]
    assert decide_by_words(made, said.clauses[0]) is None


def test_fahrenheit_is_converted_for_a_celsius_argument():
    text = "set the Thermostat to 68 °F"
    value = Value(kind=ValueKind.TEMPERATURE, value=68, unit="°F", span=span(text, "68 °F"))
    said = heard(text, directions=[Direction.SET], targets=[("Thermostat", "climate.living")], values=[value])
    assert decided(said) == ("set_temperature", {"target": ["climate.living"], "temperature": 20})


def test_a_required_value_that_was_not_said_is_missing():
    said = heard("set the Thermostat", directions=[Direction.SET], targets=[("Thermostat", "climate.living")])
    assert offer(said).tool("set_temperature").missing == ("temperature",)
    assert decided(said) is None


def test_where_one_tool_is_left_its_missing_value_stays_open():
    said = heard("lock", directions=[Direction.LOCK])
    assert [(t.tool.name, t.missing) for t in offer(said).tools] == [("lock", ("target",))]


def test_only_allowed_things_and_tools_are_offered():
    said = heard("turn on the Kitchen light", directions=[Direction.ON], targets=[("Kitchen light", "light.kitchen")])
    closed = TurnContext(conversation_id="c", origin=Origin.MQTT, now=NOW, entities=frozenset({"light.hall"}))
    assert all(not s.choices for t in offer(said, context=closed).tools for s in t.slots)
    few = TurnContext(conversation_id="c", origin=Origin.MQTT, now=NOW, tools=frozenset({"turn_off"}))
    assert names(said, context=few) == []
