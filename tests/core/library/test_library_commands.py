"""Several commands for other people's tools are as many requests, one command in two sentences is one."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from botpsy_core.catalog import foreign_tool, parts_of
from botpsy_core.catalog.foreign_commands import command_starts
from botpsy_core.catalog.foreign_slots import foreign_slots
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear

CONTEXT = TurnContext(conversation_id="t", origin=Origin.CHAT, now=datetime(2026, 5, 4, 12, tzinfo=UTC))


def a_tool(name, description, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters})


TOOLS = (
    a_tool("move_window", "Opens or closes a window.", window={"type": "string", "enum": ["ALL", "DRIVER"]}),
    a_tool("set_air_conditioning", "Turns the air conditioning on or off.", on={"type": "boolean"}),
    a_tool("set_fan_speed", "Sets the fan speed to a level.", level={"type": "integer"}),
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Close all windows. Turn on the air conditioning.", ["Close all windows.", "Turn on the air conditioning."]),
        ("Close the window and set the fan speed to level 3", None),
        ("Turn on the air conditioning. Turn the air conditioning on now.", ["all of it"]),
        ("It is hot. Turn on the air conditioning, please.", ["all of it"]),
    ],
)
def test_each_command_that_is_like_a_tool_of_its_own_is_a_request(text, parts):
    heard = hear(text, home=Home(), transcript=Transcript(), context=CONTEXT)
    clause = replace(heard.clauses[0], text=text, span=Span(start=0, end=len(text)))

    found = [p.text for p in parts_of(clause, heard, TOOLS)]

    if parts == ["all of it"]:
        assert command_starts(clause, heard, TOOLS) == ()
    elif parts is None:
        assert len(found) == 2
    else:
        assert found == parts


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("turn off the heating", [0]),
        ("close it", [0]),
        ("turn off the heating in 2 zones", [2]),
        ("set the heating to off", [0]),
        ("open it", []),
    ],
)
def test_off_is_nought_where_a_level_begins_there(text, values):
    tool = a_tool("set_heating", "Sets the heating.", level={"type": "integer", "minimum": 0, "maximum": 3})
    heard = hear(text, home=Home(), transcript=Transcript(), context=CONTEXT)

    slots = foreign_slots(tool, clause=heard.clauses[0], heard=heard)

    assert [c.value for c in slots[0].choices] == values
