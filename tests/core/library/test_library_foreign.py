import pytest
from library_home import CONTEXT, HOME, NOW

from botpsy_core.catalog import foreign_args, foreign_tool, resolve, shortlist
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause, Heard, Mood, Span, Value, ValueKind
from botpsy_core.domain.tools import Direction, Risk, Role
from botpsy_core.errors import BadArguments, ConfigurationInvalid

AREA = {
    "type": "function",
    "function": {
        "name": "park_area",
        "description": "Compute the area of a round park.",
        "parameters": {
            "type": "object",
            "required": ["radius", "unit"],
            "properties": {
                "radius": {"type": "number"},
                "unit": {"type": "string", "enum": ["metres", "feet"]},
                "city": {"type": "string", "description": "Where the park lies."},
                "opened": {"type": "string", "description": "The day it opened, in the format YYYY-MM-DD."},
                "rounded": {"type": "boolean"},
            },
        },
    },
}
SLOTS = {
    "name": {"type": "string"},
    "area": {"type": "string"},
    "floor": {"type": "string"},
    "domain": {"type": "array", "items": {"type": "string", "enum": ["fan"]}},
    "percentage": {"type": "integer", "minimum": 0, "maximum": 100},
}


def heard(text, *values):
    clause = Clause(text=text, span=Span(start=0, end=len(text)), mood=Mood.COMMAND, values=values)
    return Heard(text=text, language="en", clauses=(clause,))


def offered(tool, said):
    return shortlist(said.clauses[0], heard=said, tools=[tool], home=HOME, context=CONTEXT)


def test_a_tool_that_declares_nothing_is_taken_for_the_worst():
    assert foreign_tool(AREA).risk is Risk.HAZARD
    assert foreign_tool(AREA, destructive=False).risk is Risk.COST
    assert foreign_tool(AREA, read_only=True).risk is Risk.READ
    hints = {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    assert foreign_tool(hints).read_only


def test_roles_follow_from_the_schema():
    roles = {a.name: a.role for a in foreign_tool(AREA).arguments}
    assert roles == {
        "radius": Role.NUMBER,
        "unit": Role.OPTION,
        "city": Role.TEXT,
        "opened": Role.TIME,
        "rounded": Role.FREE,
    }


@pytest.mark.parametrize("name", ["", None, "ask_user", "no_suitable_tool"])
def test_a_reserved_or_missing_name_is_refused(name):
    with pytest.raises(ConfigurationInvalid):
        foreign_tool({"name": name})


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("HassTurnOff", Direction.OFF),
        ("open_window", Direction.OPEN),
        ("deleteEvent", Direction.REMOVE),
        ("forecast", None),
    ],
)
def test_a_direction_is_read_from_the_name(name, direction):
    assert foreign_tool({"name": name}).direction is direction


def test_numbers_come_from_the_words_and_options_stay_a_choice():
    text = "area of a park with a radius of 3"
    said = heard(text, Value(kind=ValueKind.NUMBER, value=3, span=Span(start=32, end=33)))
    slots = {s.argument.name: s for s in offered(foreign_tool(AREA), said).tools[0].slots}
    assert [c.value for c in slots["radius"].choices] == [3]
    assert [c.value for c in slots["unit"].choices] == ["metres", "feet"]
    assert set(slots) == {"radius", "unit"}


def test_what_was_not_said_is_missing():
    tool = offered(foreign_tool(AREA), heard("area of the park in feet")).tools[0]
    assert tool.missing == ("radius",)
    assert [c.value for s in tool.slots if s.argument.name == "unit" for c in s.choices] == ["feet"]


def test_an_optional_text_exists_where_its_name_was_said():
    slots = {s.argument.name: s for s in offered(foreign_tool(AREA), heard("area for the city of Bonn")).tools[0].slots}
    assert not slots["city"].required
    assert (slots["city"].choices, slots["city"].words) == ((), "")


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        ({"description": "Day, in the format YYYY-MM-DD."}, "%Y-%m-%d"),
        ({"description": "Start (MM/DD/YYYY)"}, "%m/%d/%Y"),
        ({"description": "Hour as HH:MM"}, "%H:%M"),
        ({"description": "YYYY-MM-DD HH:MM:SS"}, "%Y-%m-%d %H:%M:%S"),
        ({"format": "date"}, "%Y-%m-%d"),
    ],
)
def test_a_time_is_written_in_the_shape_that_the_schema_wants(schema, form):
    properties = {"when": {"type": "string", **schema}}
    tool = foreign_tool({"name": "book", "parameters": {"type": "object", "properties": properties}})
    text = "book it for tomorrow at five"
    value = Value(kind=ValueKind.TIME, value="2026-12-02T17:00:00+01:00", span=Span(start=12, end=28))
    (slot,) = offered(tool, heard(text, value)).tools[0].slots
    assert [c.value for c in slot.choices] == [NOW.replace(day=2, hour=17).strftime(form)]


def test_what_a_clause_lacks_is_taken_from_the_utterance():
    text = "I have a circle of radius 3. Compute its area"
    number = Value(kind=ValueKind.NUMBER, value=3, span=Span(start=26, end=27))
    first = Clause(text=text[:28], span=Span(start=0, end=28), mood=Mood.STATEMENT, values=(number,))
    second = Clause(text=text[29:], span=Span(start=29, end=len(text)), mood=Mood.COMMAND)
    said = Heard(text=text, language="en", clauses=(first, second))
    tool = shortlist(second, heard=said, tools=[foreign_tool(AREA)], home=HOME, context=CONTEXT).tools[0]
    assert [c.value for s in tool.slots if s.argument.name == "radius" for c in s.choices] == [3]


def test_a_list_of_options_holds_those_that_were_said():
    diets = {"type": "array", "items": {"type": "string", "enum": ["vegan", "kosher", "halal"]}}
    tool = foreign_tool({"name": "find_food", "parameters": {"type": "object", "properties": {"diets": diets}}})
    (slot,) = offered(tool, heard("find kosher and vegan food")).tools[0].slots
    assert slot.several
    assert [c.value for c in slot.choices] == ["vegan", "kosher"]
    assert offered(tool, heard("find food")).tools[0].slots == ()


def test_home_assistants_slots_become_one_target_and_back():
    tool = foreign_tool({"name": "HassFanSetSpeed", "parameters": {"type": "object", "properties": SLOTS}})
    target, speed = tool.arguments
    assert (target.role, target.kinds, speed.name) == (Role.TARGET, {"fan"}, "percentage")
    assert foreign_args(tool, {"target": ["fan.bedroom"], "percentage": 40}, HOME) == (
        {"name": "Bedroom fan", "domain": ["fan"], "percentage": 40},
    )
    several = foreign_args(tool, {"target": ["light.desk", "light.hall"]}, HOME)
    assert [call["name"] for call in several] == ["Desk lamp", "Hall light"]


def test_a_foreign_call_is_held_to_its_schema():
    text = "area of a park with a radius of 3"
    said = heard(text, Value(kind=ValueKind.NUMBER, value=3, span=Span(start=32, end=33)))
    offer = offered(foreign_tool(AREA), said)
    call = resolve(RawCall(name="park_area", args={"radius": 3, "unit": "feet"}), offer=offer, call_id="7")
    assert (call.id, dict(call.args)) == ("7", {"radius": 3, "unit": "feet"})
    with pytest.raises(BadArguments, match="unit"):
        resolve(RawCall(name="park_area", args={"unit": "miles"}), offer=offer, call_id="7")
