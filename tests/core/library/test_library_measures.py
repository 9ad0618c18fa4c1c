"""Numbers of a request in the unit that another integration's argument wants, whatever language they were said in."""

from datetime import UTC, datetime

import pytest
from library_home import CONTEXT, HOME

from botpsy_core.catalog import better_placed, foreign_tool, grounded, parts_of, shortlist
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear


def heard(text, language="en"):
    context = TurnContext(
        conversation_id="c", origin=Origin.CHAT, now=datetime(2026, 3, 23, 12, tzinfo=UTC), language=language
    )
    return hear(text, home=Home(language=language), transcript=Transcript(), context=context)


def tool(description, kind="number", *, needed=True):
    properties = {"amount": {"type": kind, "description": description}}
    parameters = {"type": "object", "properties": properties, "required": ["amount"] if needed else []}
    return foreign_tool({"name": "smoke_fish", "description": "Smoke a fish.", "parameters": parameters})


def offered(spec, said):
    return shortlist(said.clauses[0], heard=said, tools=[spec], home=HOME, context=CONTEXT).tools[0]


def choices(spec, text, language="en"):
    slots = offered(spec, heard(text, language)).slots
    return [c.value for s in slots for c in s.choices]


@pytest.mark.parametrize(
    ("description", "language", "text", "left"),
    [
        ("How long, in minutes", "en", "smoke it for two hours", [120]),
        ("How long, in minutes", "en", "smoke it for half an hour", [30]),
        ("How long, in minutes", "en", "smoke it for 45 minutes", [45]),
        ("How long, in seconds", "de", "räuchere ihn zwei Minuten lang", [120]),
        ("How long, in days", "fr", "fume-le pendant deux semaines", [14]),
        ("How long, in hours", "ru", "копти рыбу три часа", [3]),
        ("How long it rests, in days", "en", "smoke it for a week", [7]),
        ("Months in the cellar", "en", "keep it 2 years", [24]),
        ("Years in the cellar", "en", "keep it a decade", [10]),
        ("Years in the cellar", "en", "keep it two decades", [20]),
        ("Years in the cellar", "de", "lagere ihn ein Jahrzehnt", [10]),
        ("Months in the cellar", "en", "keep it a decade", [120]),
        ("How many fish", "en", "smoke a dozen fish", [12]),
        ("How many fish", "it", "affumica due dozzine di pesci", [24]),
        ("Heat of the oven in Fahrenheit", "de", "räuchere bei 80 Grad Celsius", []),
        ("Heat of the oven in Celsius", "de", "räuchere bei 80 Grad Celsius", [80]),
        ("Speed of the fan in meters per second", "en", "smoke it for 3 hours", []),
        ("Weight in kilograms", "en", "smoke 3 pounds of it", []),
    ],
)
def test_a_number_is_read_in_the_unit_of_its_argument(description, language, text, left):
    assert choices(tool(description), text, language) == left


def test_a_time_that_is_no_whole_number_of_an_argument_s_unit_is_not_rounded():
    assert choices(tool("How long, in hours", "integer"), "smoke it for 90 minutes") == []


@pytest.mark.parametrize("text", ["smoke the fish for half an hour", "smoke the fish for 1800 seconds"])
def test_what_was_worked_out_for_an_optional_number_was_said(text):
    spec, said = tool("How long, in minutes", "integer", needed=False), heard(text)
    raw = RawCall(name="smoke_fish", args={"amount": 30})
    assert grounded(raw, offered(spec, said), said.clauses[0], said).args == {"amount": 30}


def test_a_number_that_a_code_was_said_for_leaves_the_other_number_to_the_rest():
    properties = {
        "method": {"type": "integer", "description": "The method: '1' for cold smoke, '2' for hot smoke"},
        "mark": {"type": "number", "description": "The least mark of the judges"},
    }
    parameters = {"type": "object", "properties": properties, "required": ["method"]}
    spec = foreign_tool({"name": "find_smoker", "description": "Find a smoker.", "parameters": parameters})
    said = heard("find one for cold smoke with a mark of 7 or more")
    assert {s.argument.name: [c.value for c in s.choices] for s in offered(spec, said).slots} == {
        "method": [1],
        "mark": [7],
    }


@pytest.mark.parametrize(
    ("text", "named"), [("avoid all ferry tolls on the way", True), ("avoid Rab on the way", False)]
)
def test_a_yes_or_no_is_spoken_of_where_every_word_of_its_name_was_said(text, named):
    flag = {"type": "boolean", "description": "Whether tolls are avoided."}
    parameters = {"type": "object", "properties": {"avoid_tolls": flag}}
    definition = {"name": "find_way", "description": "Find a way and avoid tolls or not.", "parameters": parameters}
    assert bool(offered(foreign_tool(definition), heard(text)).slots) is named


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("the first heat is 40 and the last heat is 90, for 3 fish", {"first_heat": [40], "last_heat": [90]}),
        ("a last heat of 90 after a first heat of 40", {"first_heat": [40], "last_heat": [90]}),
        ("from 40 to 90", {"first_heat": [40, 90], "last_heat": [40, 90]}),
        ("first heat: 40, then 90", {"first_heat": [40], "last_heat": [40, 90]}),
    ],
)
def test_a_number_that_its_argument_s_name_was_said_for_is_that_argument_s(text, left):
    properties = {"first_heat": {"type": "number"}, "last_heat": {"type": "number"}}
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    spec = foreign_tool({"name": "smoke_fish", "description": "Smoke a fish.", "parameters": parameters})
    assert {s.argument.name: [c.value for c in s.choices] for s in offered(spec, heard(text)).slots} == left


def test_arguments_that_only_a_number_tells_apart_have_no_name_of_their_own():
    properties = {f"side{n}": {"type": "number"} for n in (1, 2)}
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    spec = foreign_tool({"name": "cut_sail", "description": "Cut a sail.", "parameters": parameters})
    slots = offered(spec, heard("a sail with sides of 5 and 7")).slots
    assert [[c.value for c in s.choices] for s in slots] == [[5, 7], [5, 7]]


BARGE = {"cargo": {"type": "string", "enum": ["gravel", "timber"]}, "tons": {"type": "number"}}
PUNT = {"tons": {"type": "number"}}


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("send 3 tons of timber by the river", ["send_barge"]),
        ("send 3 tons by the river", []),
    ],
)
def test_a_tool_with_a_place_for_what_was_said_outdoes_one_without(text, better):
    tools = [
        foreign_tool({"name": name, "description": told, "parameters": {"type": "object", "properties": properties}})
        for name, told, properties in (
            ("send_barge", "Send tons of goods by the river.", BARGE),
            ("send_punt", "Send tons of goods.", PUNT),
        )
    ]
    said = heard(text)
    offer = shortlist(said.clauses[0], heard=said, tools=tools, home=HOME, context=CONTEXT)
    assert [t.tool.name for t in better_placed("send_punt", offer).tools] == better
    assert better_placed("send_barge", offer).tools == ()


def test_a_number_in_the_unit_of_an_argument_comes_before_numbers_of_none():
    text = "3 boats that run at 6 meters per second for 10 seconds"
    assert choices(tool("How long, in seconds"), text) == [10]
    assert choices(tool("How fast, in meters per second"), text) == [6]
    assert choices(tool("How many"), text) == [3, 6, 10]
    assert choices(
        tool("Area of the deck in square meters", "integer"), "a deck of 9 square meters, 0.5 meters up"
    ) == [9]
    assert choices(tool("How fast at first, in meters per second"), "it starts from rest, 6 meters ahead") == [0, 6]


def stall(**may):
    whole = {"type": "integer"}
    properties = {"grown_ups": whole, "rent": {"type": "number", "description": "Rent per year in percent."}, **may}
    parameters = {"type": "object", "properties": properties, "required": ["grown_ups", "rent"]}
    return foreign_tool({"name": "rent_stall", "description": "Rent a stall.", "parameters": parameters})


@pytest.mark.parametrize(
    ("language", "text"), [("en", "at 3.5 percent for 20 years"), ("de", "zu 3,5 Prozent für 20 Jahre")]
)
def test_a_percentage_is_said_in_its_own_unit(language, text):
    slots = {s.argument.name: s for s in offered(stall(years={"type": "integer"}), heard(text, language)).slots}
    assert [c.value for c in slots["rent"].choices] == [3.5]


def test_what_counts_an_arguments_own_word_is_its_and_nobody_elses():
    said = heard("rent a stall at 4 percent, with three lamps and 7 benches")
    slots = {
        s.argument.name: s for s in offered(stall(lamps={"type": "integer"}, benches={"type": "integer"}), said).slots
    }
    assert [(slots[n].required, [c.value for c in slots[n].choices]) for n in ("lamps", "benches")] == [
        (True, [3]),
        (True, [7]),
    ]
    assert slots["grown_ups"].choices[0].value == 4


STALL = foreign_tool(
    {
        "name": "rent_stall",
        "description": "Rent a stall.",
        "parameters": {
            "type": "object",
            "properties": {"tables": {"type": "integer"}, "lamps": {"type": "integer"}},
            "required": ["tables"],
        },
    }
)


def test_what_another_argument_counts_is_asked_for_where_nothing_else_was_said():
    slots = {s.argument.name: s for s in offered(STALL, heard("rent a stall with three lamps")).slots}
    assert [c.value for c in slots["lamps"].choices] == [3]
    assert not slots["tables"].choices


def test_what_one_part_counts_need_not_stand_in_the_call_for_another():
    said = heard("rent a stall with 2 tables and 3 lamps. Then rent a stall with 5 tables.")
    parts = parts_of(said.clauses[0], said, [STALL]) if len(said.clauses) == 1 else said.clauses
    first, last = (shortlist(p, heard=said, tools=[STALL], home=HOME, context=CONTEXT).tools[0].slots for p in parts)
    assert [(s.argument.name, s.required) for s in first] == [("tables", True), ("lamps", True)]
    assert [s.argument.name for s in last if s.required] == ["tables"]
