"""What the way that was said leaves of a foreign tool's arguments: yes or no, a whole list, a unit."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from library_home import CONTEXT, HOME

from botpsy_core.catalog import foreign_tool, grounded, parts_of, resolve, shortlist
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.offer import Offer
from botpsy_core.hearing import hear

NUMBER = {"type": "number"}
SAYING = TurnContext(conversation_id="c", origin=Origin.CHAT, now=datetime(2026, 3, 23, 12, tzinfo=UTC), language="en")


def tool(name, description, properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters})


def heard(text):
    return hear(text, home=Home(language="en"), transcript=Transcript(), context=SAYING)


def choices(spec, text, argument):
    said = heard(text)
    offered = shortlist(said.clauses[0], heard=said, tools=[spec], home=HOME, context=CONTEXT).tools[0]
    return [c.value for s in offered.slots if s.argument.name == argument for c in s.choices]


WIPERS = tool("set_wipers", "Controls the wipers.", {"on": {"type": "boolean"}})
HATCH = tool("move_hatch", "Locks the hatch.", {"unlock": {"type": "boolean", "description": "True to unlock it."}})
PILOT = tool(
    "set_pilot",
    "Sets the lane pilot.",
    {"active": {"type": "boolean", "description": "True to enable the pilot, False to disable it."}},
)
GLOW = tool(
    "set_glow", "Sets the glow.", {"on": {"type": "boolean"}, "tint": {"type": "string", "enum": ["RED", "TEAL"]}}
)
BARE = tool("set_pet_mode", "Sets the pet mode.", {"quiet": {"type": "boolean", "description": "Whether it is quiet."}})


@pytest.mark.parametrize(
    ("spec", "argument", "text", "left"),
    [
        (WIPERS, "on", "switch on the wipers", [True]),
        (WIPERS, "on", "turn the wipers off", [False]),
        (GLOW, "on", "set the glow to red", [True]),
        (GLOW, "on", "turn the glow off", [False]),
        (WIPERS, "on", "turn the wipers off or on", []),
        (WIPERS, "on", "the wipers", []),
        (HATCH, "unlock", "lock the hatch", [False]),
        (HATCH, "unlock", "unlock the hatch", [True]),
        (HATCH, "unlock", "the hatch", []),
        (HATCH, "unlock", "make sure that the hatch is locked and the brake is set", [False]),
        (GLOW, "on", "set the glow off", [False]),
        (PILOT, "active", "turn on the lane pilot", [True]),
        (PILOT, "active", "stop the lane pilot", [False]),
        (BARE, "quiet", "turn on the pet mode", []),
    ],
)
def test_a_yes_or_no_goes_the_way_that_was_said(spec, argument, text, left):
    assert choices(spec, text, argument) == left


SEATS = tool(
    "fold_seats", "Folds seats.", {"seats": {"type": "array", "items": {"type": "string", "enum": ["left", "right"]}}}
)


def test_all_of_a_list_is_every_option():
    said = heard("fold all seats")
    offered = shortlist(said.clauses[0], heard=said, tools=[SEATS], home=HOME, context=CONTEXT).tools[0]
    call = resolve(RawCall(name="fold_seats", args={"seats": "all"}), offer=Offer(tools=(offered,)), call_id="1")
    assert call.args == {"seats": ["left", "right"]}


def test_one_of_a_list_is_that_one():
    assert choices(SEATS, "fold the left seat", "seats") == ["left"]


TANK = tool("fill_tank", "Fills the tank.", {"amount": {**NUMBER, "description": "How many gallons to add."}})
ROAD = tool("can_reach", "Tells if a way can be driven.", {"miles": {**NUMBER, "description": "The distance."}})
COUNT = tool("order_tyres", "Orders tyres.", {"count": {**NUMBER, "description": "How many to order."}})
POST = tool("find_town", "Finds a town.", {"zip_code": {**NUMBER, "description": "The town's zip code."}})


@pytest.mark.parametrize(
    ("spec", "argument", "text", "left"),
    [
        (TANK, "amount", "fill in 12 liters", []),
        (TANK, "amount", "fill in 12 gallons", [12]),
        (TANK, "amount", "fill in 12", [12]),
        (ROAD, "miles", "can I drive 90 km", []),
        (ROAD, "miles", "can I drive 90 miles", [90]),
        (ROAD, "miles", "can I reach zip code 10115", []),
        (ROAD, "miles", "can I reach Ulm (zip 89073)", []),
        (COUNT, "count", "order 4 tyres", [4]),
        (COUNT, "count", "order 4 liters of them", [4]),
        (POST, "zip_code", "find zip code 10115", [10115]),
    ],
)
def test_a_number_keeps_its_unit(spec, argument, text, left):
    assert choices(spec, text, argument) == left


def test_each_part_goes_its_own_way():
    shades = tool("move_shades", "Moves the shades.", {"percentage": {**NUMBER, "minimum": 0, "maximum": 100}})
    fan = tool("set_blower", "Sets the blower to a level.", {"level": {**NUMBER, "minimum": 0, "maximum": 9}})
    said = heard("Close the shades. Set the blower to level 4.")
    whole = said.clauses[0]
    end = said.clauses[-1].span.end
    both = type(whole)(
        text=said.text,
        span=type(whole.span)(start=0, end=end),
        mood=whole.mood,
        directions=tuple(d for c in said.clauses for d in c.directions),
        values=tuple(v for c in said.clauses for v in c.values),
    )
    parts = parts_of(both, said, [shades, fan])
    assert [[d.value for d in p.directions] for p in parts] == [["close"], ["set"]]


REAR = tool("heat_rear_screen", "Heats the rear screen.", {"on": {"type": "boolean"}})
LOW = tool("set_low_lamps", "Sets the low lamps.", {"on": {"type": "boolean"}})


@pytest.mark.parametrize(
    ("spec", "text", "offered"),
    [
        (REAR, "turn on the front screen", False),
        (REAR, "turn on the rear screen", True),
        (REAR, "turn on the screen heating", True),
        (REAR, "turn on the rear and the front screen", True),
        (REAR, "I sit in front, turn on the screen heating", True),
        (LOW, "switch on the high lamps", False),
        (LOW, "it is high time, switch on the lamps", True),
        (WIPERS, "set the wipers to fast", False),
        (WIPERS, "change the wipers to blue", False),
        (WIPERS, "turn on the wipers", True),
        (HATCH, "set the hatch", False),
    ],
)
def test_a_tool_of_another_thing_or_without_the_value_is_not_offered(spec, text, offered):
    said = heard(text)
    found = shortlist(said.clauses[0], heard=said, tools=[spec], home=HOME, context=CONTEXT).tool(spec.name)
    assert (found is not None) is offered


DRAW = tool(
    "draw",
    "Draws a picture of something.",
    {"subject": {"type": "string", "description": "What to draw."}, "colors": NUMBER},
)


@pytest.mark.parametrize(
    ("written", "left"),
    [("Old Mill", "Blue Fox"), ("Blue Fox", "Blue Fox"), ("something", "something")],
)
def test_a_part_keeps_the_text_that_it_quotes_itself(written, left):
    text = "Draw 'Old Mill' in 3 colors and draw 'Blue Fox' in 5 colors."
    said = heard(text)
    start = text.index("draw 'Blue")
    part = replace(said.clauses[0], text=text[start:], span=Span(start=start, end=len(text)))
    offered = shortlist(part, heard=said, tools=[DRAW], home=HOME, context=CONTEXT).tools[0]
    raw = RawCall(name="draw", args={"subject": written, "colors": 5})
    assert grounded(raw, offered, part, said).args["subject"] == left


def test_what_begins_at_rest_has_no_speed():
    push = tool("push", "Computes a speed.", {"initial_speed": NUMBER, "acceleration": NUMBER})
    assert 0 in choices(push, "A sled starts from rest and accelerates at 3 m/s^2. How fast is it?", "initial_speed")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("create an entry for the harbour", ["add"]),
        ("delete the entry for the harbour", ["remove"]),
        ("the entry for the harbour", ["add", "remove", "pin"]),
        ("pin the entry for the harbour", ["pin"]),
    ],
)
def test_an_option_that_is_a_way_is_said_by_that_way(text, left):
    acts = {"type": "string", "enum": ["add", "remove", "pin"]}
    assert choices(tool("manage_log", "Manages the log.", {"act": acts}), text, "act") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("the way to Rab, and avoid ferry tolls", [True]),
        ("the way to Rab, and do not avoid ferry tolls", []),
        ("the way to Rab without avoiding tolls", []),
    ],
)
def test_a_flag_whose_whole_name_was_said_is_raised(text, left):
    spec = tool("find_way", "Finds a way.", {"avoid_tolls": {"type": "boolean", "description": "Of roads."}})
    assert choices(spec, text, "avoid_tolls") == left
