"""What a few words leave of other people's tools needs no model: an option of one tool, a lookup for each name."""

from datetime import UTC, datetime

import pytest

from botpsy_core.catalog import asked_by_names, foreign_tool, said_by_option, shortlist
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear


def a_tool(name, description, *, reads=False, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters}, read_only=reads)


def a_choice(*options):
    return {"type": "string", "enum": list(options)}


LAMPS = a_tool("set_cabin_lamps", "Sets the cabin lamps.", color=a_choice("PURPLE", "RED"), on={"type": "boolean"})
AIR = a_tool("set_air_flow", "Sets the air flow.", mode=a_choice("FRESH_AIR", "RECIRCULATED"))
ENGINE = a_tool("run_engine", "Runs the engine.", mode=a_choice("START", "STOP"))
ZIP = a_tool("get_zipcode", "Gets a zipcode.", reads=True, city={"type": "string", "description": "The city."})
A = {"type": "string", "description": "The zipcode of one city."}
MEASURE = a_tool("estimate_distance", "Estimates the distance.", reads=True, cityA=A, cityB=A)
TOOLS = (LAMPS, AIR, ENGINE, ZIP, MEASURE)


@pytest.fixture
def offered():
    """Return the clause of a text and what it can mean."""

    def of(text):
        context = TurnContext(conversation_id="t", origin=Origin.CHAT, now=datetime(2026, 3, 23, 12, tzinfo=UTC))
        heard = hear(text, home=Home(), transcript=Transcript(), context=context)
        clause = heard.clauses[0]
        return clause, shortlist(clause, heard=heard, tools=TOOLS, home=Home(), context=context)

    return of


def test_an_option_that_one_tool_alone_has_names_the_tool(offered):
    clause, offer = offered("Set them to purple")
    raw = said_by_option(offer, clause)

    assert (raw.name, dict(raw.args)) == ("set_cabin_lamps", {"color": "PURPLE", "on": "true"})


@pytest.mark.parametrize(
    "text", ["Turn on the air conditioning", "Set the fan to purple", "Make it fresh", "Set them to blue"]
)
def test_words_that_say_more_or_less_than_an_option_leave_it_to_the_model(offered, text):
    clause, offer = offered(text)

    assert said_by_option(offer, clause) is None


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Please ignite the engine", ["START"]),
        ("Could you initiate the engine for me", ["START"]),
        ("Start the engine", ["START"]),
        ("Kill the engine", ["STOP"]),
        ("What of the engine", ["START", "STOP"]),
    ],
)
def test_the_way_that_was_said_is_the_option_that_names_it(offered, text, options):
    _, offer = offered(text)

    assert [c.label for c in offer.tool("run_engine").slots[0].choices] == options


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What is the distance between Rivermist and Stonebrook?", True),
        ("What is the distance to Stonebrook?", False),
        ("Does Rivermist lie behind Stonebrook?", False),
        ("The distance from Rivermist over Ferndale to Stonebrook", False),
    ],
)
def test_a_tool_that_wants_an_identifier_for_each_name_is_meant(offered, text, asked):
    clause, offer = offered(text)
    found = asked_by_names(offer, clause, TOOLS)

    assert (found is not None and found.tool is MEASURE) is asked
