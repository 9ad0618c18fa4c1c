"""Two arguments that are two ends of one thing have each its own of two values that were said."""

import pytest
from test_library_measures import heard, offered

from botpsy_core.catalog import foreign_tool

DAY = {"type": "string", "description": "A day as YYYY-MM-DD"}
CLOCK = {"type": "string", "description": "A time as HH:MM"}
NUMBER = {"type": "number"}


def tool(first, last, kind):
    parameters = {"type": "object", "properties": {first: kind, last: kind}, "required": [first, last]}
    return foreign_tool({"name": "rent_punt", "description": "Rent a punt.", "parameters": parameters})


@pytest.mark.parametrize(
    ("first", "last", "kind", "text", "left"),
    [
        ("start_date", "end_date", DAY, "rent a punt from today until tomorrow", ["2026-03-23", "2026-03-24"]),
        ("check_in", "check_out", DAY, "from 2026-04-02 to 2026-04-05", ["2026-04-02", "2026-04-05"]),
        ("pickupTime", "returnTime", CLOCK, "a punt at 22:00, back at 06:00", ["22:00", "06:00"]),
        ("min_price", "max_price", NUMBER, "a punt for at most 90 but at least 40", [40, 90]),
        ("price_lower", "price_upper", NUMBER, "a punt between 40 and 90", [40, 90]),
    ],
)
def test_two_ends_have_each_its_own_value(first, last, kind, text, left):
    slots = offered(tool(first, last, kind), heard(text)).slots
    assert [[c.value for c in s.choices] for s in slots] == [[value] for value in left]


def test_two_ends_are_known_by_their_descriptions_too():
    ends = {
        key: {**DAY, "description": f"The {word} of the trip as YYYY-MM-DD"}
        for key, word in (("p", "start"), ("q", "end"))
    }
    parameters = {"type": "object", "properties": ends, "required": ["p", "q"]}
    spec = foreign_tool({"name": "rent_punt", "description": "Rent a punt.", "parameters": parameters})
    slots = offered(spec, heard("rent a punt from 2026-04-02 to 2026-04-05")).slots
    assert [[c.value for c in s.choices] for s in slots] == [["2026-04-02"], ["2026-04-05"]]


@pytest.mark.parametrize(
    ("first", "last", "kind", "text"),
    [
        ("start_date", "end_date", DAY, "rent a punt from today, tomorrow or on 2026-04-05"),
        ("start_speed", "end_speed", NUMBER, "from 30 down to 10"),
        ("rowers", "guests", NUMBER, "for 3 and 5"),
    ],
)
def test_other_arguments_are_left_to_the_model(first, last, kind, text):
    one, other = offered(tool(first, last, kind), heard(text)).slots
    assert one.choices == other.choices
