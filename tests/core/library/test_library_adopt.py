import pytest
from library_home import CONTEXT, HOME

from botpsy_core.catalog import decide_by_words, foreign_tool, resolve, shortlist
from botpsy_core.catalog.adopt import kinds_of, ways_of
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Direction, Role
from botpsy_core.hearing import hear

PLACES = {"name": {"type": "string"}, "area": {"type": "string"}}


def tool(name, description, **properties):
    parameters = {"type": "object", "properties": {**PLACES, **properties}}
    return foreign_tool({"name": name, "description": description, "parameters": parameters}, destructive=False)


SWITCH = tool("act_1", "Turns on/opens a device or entity. For locks, this performs a 'lock' action.")
UNSWITCH = tool("act_2", "Turns off/closes a device or entity. For locks, this performs an 'unlock' action.")
SKIP = tool("act_3", "Skips a media player to the next item")
GLOW = tool(
    "act_4",
    "Sets the brightness percentage or color of a light",
    brightness={"type": "integer", "minimum": 0, "maximum": 100},
    kelvin={"type": "integer", "minimum": 0},
    color={"type": "string"},
)
HEAT = tool("act_5", "Sets the target temperature of a climate device", temperature={"type": "number"})
PUT = foreign_tool(
    {
        "name": "act_6",
        "description": "Add item to a todo list",
        "parameters": {
            "type": "object",
            "required": ["item", "name"],
            "properties": {"item": {"type": "string"}, "name": {"type": "string"}},
        },
    },
    destructive=False,
)
LOUD = tool(
    "act_7",
    "Increases or decreases the volume of a media player",
    step={"anyOf": [{"type": "string", "enum": ["up", "down"]}, {"type": "integer"}]},
)
TOOLS = (SWITCH, UNSWITCH, SKIP, GLOW, HEAT, PUT, LOUD)


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("Turns on/opens a device. For locks, a 'lock' action.", (Direction.ON, Direction.OPEN, Direction.LOCK)),
        ("Turns off/closes it. For locks, an 'unlock' action.", (Direction.OFF, Direction.CLOSE, Direction.UNLOCK)),
        ("Switching on the siren", (Direction.ON,)),
        ("Finds a restaurant", ()),
    ],
)
def test_ways_are_read_from_a_text(text, ways):
    assert ways_of(text) == ways


@pytest.mark.parametrize(
    ("text", "domains", "classes", "kinds"),
    [
        ("Sets a fan's speed", (), (), {"fan"}),
        ("Moves things", (), ("awning", "blind", "water"), {"cover", "valve"}),
        ("Turns on a device", (), ("water", "blind", "tv", "outlet"), set()),
        ("Pauses a media player", ("vacuum",), ("tv",), {"vacuum"}),
        ("Turns on a device or entity", (), (), set()),
    ],
)
def test_kinds_are_read_from_schema_and_text(text, domains, classes, kinds):
    assert kinds_of(text, domains, classes) == kinds


def test_a_foreign_tool_gets_the_words_of_ours_that_is_like_it():
    assert list(SKIP.cues["en"][0]) == ["next", "skip", "forward"]
    assert set(SKIP.cues) >= {"de", "ru", "zh"}
    assert SWITCH.cues == {}


def test_units_follow_from_bounds_and_words():
    schemas = {a.name: a.schema for a in GLOW.arguments}
    assert schemas["brightness"]["x-unit"] == "%"
    assert schemas["kelvin"]["x-unit"] == "kelvin"
    assert GLOW.argument("color").role is Role.OPTION
    assert HEAT.argument("temperature").schema["x-unit"] == "°C"


@pytest.mark.parametrize(
    ("text", "name", "args"),
    [
        ("Turn on the desk lamp", "act_1", {"target": ["light.desk"]}),
        ("Open the curtains", "act_1", {"target": ["cover.curtains"]}),
        ("Lock the side door", "act_1", {"target": ["lock.side"]}),
        ("Unlock the side door", "act_2", {"target": ["lock.side"]}),
        ("Close the shutter", "act_2", {"target": ["cover.shutter"]}),
        ("Dim the desk lamp to 30 percent", "act_4", {"target": ["light.desk"], "brightness": 30}),
        ("Set the desk lamp to red", "act_4", {"target": ["light.desk"], "color": "red"}),
        ("Set the bedroom heating to 19 degrees", "act_5", {"target": ["climate.bedroom"], "temperature": 19}),
        ("Add milk to the shopping list", "act_6", {"target": ["todo.shopping"], "item": "milk"}),
    ],
)
def test_names_play_no_part_in_what_a_foreign_tool_is_called_with(text, name, args):
    said = hear(text, home=HOME, transcript=Transcript(), context=CONTEXT)
    offer = shortlist(said.clauses[0], heard=said, tools=TOOLS, home=HOME, context=CONTEXT)
    raw = decide_by_words(offer, said.clauses[0])
    assert raw is not None
    call = resolve(raw, offer=offer, call_id="1")
    assert (call.name, dict(call.args)) == (name, args)


def test_what_sends_a_cleaner_home_stops_it_too_and_is_still_no_act_of_stopping_alone():
    spec = tool("act_8", "Returns a vacuum to base")
    assert spec.directions == {Direction.STOP}
    assert spec.direction is None
