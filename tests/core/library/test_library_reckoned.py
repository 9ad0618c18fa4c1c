"""A number that follows from what was said is reckoned: room that is left, an amount in another unit."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from botpsy_core.catalog import facts_of, foreign_tool, parts_of, reckoned, served, shortlist
from botpsy_core.catalog.options import mark_of
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import ResultMessage, Transcript
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult
from botpsy_core.hearing import hear

NOW = datetime(2026, 3, 23, 12, tzinfo=UTC)


def a_tool(name, description, *, reads=False, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters}, read_only=reads)


def a_number(description):
    return {"type": "number", "description": description}


FILL = a_tool(
    "fill_water_tank",
    "Fills the water tank. The tank can hold up to 80 gallons.",
    waterAmount=a_number("The amount of water in gallons; this is the additional water to add."),
)
SHOW = a_tool(
    "show_levels",
    "Shows a level.",
    reads=True,
    option={"type": "string", "description": 'What. [Enum]: ["water", "gas"]'},
)
CONVERT = a_tool("liter_to_gallon", "Converts liters to gallons.", reads=True, liter=a_number("Liters to convert."))
BACK = a_tool("gallon_to_liter", "Converts gallons to liters.", reads=True, gallon=a_number("Gallons to convert."))
TOOLS = (FILL, SHOW, CONVERT, BACK)


@pytest.fixture
def read():
    """Return what has to be reckoned for the tank, whatever else the words hold."""

    def of(text, language="en", tools=TOOLS):
        context = TurnContext(conversation_id="t", origin=Origin.CHAT, now=NOW, language=language)
        home = Home(language=language)
        heard = hear(text, home=home, transcript=Transcript(), context=context)
        clause = heard.clauses[0]
        offer = shortlist(clause, heard=heard, tools=tools, home=home, context=context)
        return reckoned(offer.tool("fill_water_tank"), clause, heard, tools), served(offer, clause, heard, tools)

    return of


def told(tool, **data):
    call = ToolCall(id="1", name=tool)
    return facts_of([ResultMessage(call=call, result=ToolResult(call_id="1", outcome=Outcome.DONE, data=data))])


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("en", "Fill the water tank completely", 65.5),
        ("en", "Please fill up the water tank", 65.5),
        ("en", "Fill the water tank until it has 40 gallons in total", 25.5),
        ("de", "Füll den Wassertank voll", 65.5),
        ("fr", "Remplis complètement le réservoir", 65.5),
        ("zh", "把水箱加满", 65.5),
    ],
)
def test_what_is_left_to_add_is_what_there_is_room_for_less_what_is_there(read, language, text, left):
    wanted, _ = read(text, language)

    assert (wanted.giver, wanted.args) == (SHOW, {"option": "water"})
    assert wanted.value(told("show_levels", waterLevel=14.5)) == left


def test_an_amount_in_another_unit_is_converted_as_exactly_as_was_asked(read):
    wanted, _ = read("Fill 20 liters into the water tank, use 2 decimal digits of the gallon amount")

    assert (wanted.giver, wanted.args) == (CONVERT, {"liter": 20})
    assert wanted.value(told("liter_to_gallon", gallon=5.28344)) == 5.28


@pytest.mark.parametrize(
    "text", ["Fill the water tank", "Fill 20 gallons into the water tank", "Fill it up with 5 gallons"]
)
def test_what_was_said_or_is_open_is_not_reckoned(read, text):
    assert read(text)[0] is None


@pytest.mark.parametrize("level", [80.0, 95.0])
def test_a_full_tank_takes_nothing_more(read, level):
    wanted, _ = read("Fill the water tank completely")

    assert wanted.value(told("show_levels", waterLevel=level)) is None


def test_without_a_tool_that_shows_the_level_nothing_is_reckoned(read):
    assert read("Fill the water tank completely", tools=(FILL, CONVERT))[0] is None


def test_a_tool_that_wants_another_unit_is_not_offered_beside_one_that_takes_what_was_said(read):
    _, offer = read("Convert 20 liters into gallons")

    assert offer.tool("liter_to_gallon") is not None
    assert offer.tool("gallon_to_liter") is None


@pytest.mark.parametrize(
    ("description", "mark"),
    [
        ("Tags. Each should start with #.", "#"),
        ("Users; a name must start with '@'", "@"),
        ("Starts with a word", ""),
        ("Any tags.", ""),
    ],
)
def test_the_sign_that_items_begin_with_is_read(description, mark):
    tool = a_tool("post", "Posts.", tags={"type": "array", "items": {"type": "string"}, "description": description})

    assert mark_of(tool.arguments[0]) == mark


def test_a_rounding_is_no_request_of_its_own():
    text = "Convert 20 liters for me please. Use 2 decimal digits of the gallon amount."
    context = TurnContext(conversation_id="t", origin=Origin.CHAT, now=NOW)
    heard = hear(text, home=Home(), transcript=Transcript(), context=context)
    whole = replace(heard.clauses[0], text=text, span=Span(start=0, end=len(text)))

    assert len(parts_of(whole, heard, TOOLS)) == 1
