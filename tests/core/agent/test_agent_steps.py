"""Several calls for one request of other people's tools: looked up, filled from results, and never led by them."""

import json
from dataclasses import dataclass, field, replace

import pytest

from botpsy_core.agent import Agent, messages_of
from botpsy_core.catalog import foreign_tool
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import Ended, Executed
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Outcome, Risk, ToolResult
from botpsy_core.domain.verdicts import Readiness, Reason
from botpsy_core.engine import ScriptedEngine
from botpsy_core.safety import load_policy


def a_tool(name, description, *, reads=True, **texts):
    properties = {key: {"type": "string", "description": text} for key, text in texts.items()}
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    tool = foreign_tool({"name": name, "description": description, "parameters": parameters}, read_only=reads)
    return tool if reads else tool.__class__(**{**{k: getattr(tool, k) for k in tool.__slots__}, "risk": Risk.COMFORT})


ZIP = a_tool("get_zipcode_by_city", "Gets the zipcode of a city.", city="The name of the city.")
MEASURE = a_tool(
    "estimate_distance",
    "Estimates the distance between two cities.",
    cityA="The zipcode of the first city.",
    cityB="The zipcode of the second city.",
)
FIND = a_tool("find_restaurant", "Finds a restaurant and its phone number.", food="What to eat.")
DIAL = a_tool("call_phone", "Calls a phone number.", reads=False, phone_number="The phone number to call.")
SHARE = a_tool("share_location", "Shares the car's location.", reads=False, phone_number="Whom to share it with.")
PLACES = {"places": [{"name": "Golden Fork", "phone_number": "+49 1"}, {"name": "Blue Spoon", "phone_number": "+49 2"}]}
ANSWERS = {
    "get_zipcode_by_city": lambda city: {"zipcode": {"Rivermist": "83214", "Stonebrook": "74532"}.get(city, "0")},
    "estimate_distance": lambda **_: {"distance": 750.0},
    "find_restaurant": lambda **_: PLACES,
    "call_phone": lambda phone_number: {"called": phone_number},
    "share_location": lambda phone_number: {"shared": phone_number},
}


@dataclass
class Box:
    """A toolbox of other people's tools; everything that they tell is somebody else's text."""

    tools: tuple = (ZIP, MEASURE, FIND, DIAL, SHARE)
    made: list = field(default_factory=list)

    def specs(self):
        return tuple(sorted(self.tools, key=lambda t: t.name))

    async def check(self, call, context):
        return Readiness()

    async def execute(self, call, context):
        self.made.append((call.name, dict(call.args)))
        data = ANSWERS[call.name](**call.args)
        return ToolResult(call_id=call.id, outcome=Outcome.DONE, data=data, untrusted=True)


@dataclass
class Talker:
    """A talk with that toolbox."""

    clock: object
    box: Box = field(default_factory=Box)
    transcript: Transcript = field(default_factory=Transcript)

    async def say(self, text, *outputs):
        engine = ScriptedEngine(outputs=outputs)
        agent = Agent(engine=engine, policy=load_policy({}), clock=self.clock)
        context = TurnContext(conversation_id="t", origin=Origin.CHAT, now=self.clock.now(), user_id="u")
        turn = agent.turn(text, transcript=self.transcript, home=Home(), toolbox=self.box, context=context)
        events = [event async for event in turn]
        self.transcript = self.transcript.extended(*messages_of(text, events))
        self.engine = engine
        assert isinstance(events[-1], Ended)
        return events


def call(name, **args):
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>"


@pytest.fixture
def talker(clock):
    return Talker(clock)


async def test_an_identifier_that_nobody_says_is_looked_up_for_each_name(talker):
    text = "Tell me the distance between Rivermist and Stonebrook"

    events = await talker.say(text, call("estimate_distance", cityA="Rivermist", cityB="Stonebrook"))

    assert talker.box.made == [
        ("get_zipcode_by_city", {"city": "Rivermist"}),
        ("get_zipcode_by_city", {"city": "Stonebrook"}),
        ("estimate_distance", {"cityA": "83214", "cityB": "74532"}),
    ]
    assert "750" in events[-1].reply


async def test_where_a_name_is_missing_nothing_is_looked_up_and_it_is_asked_for(talker):
    events = await talker.say(
        "Tell me the distance to Stonebrook", call("estimate_distance", cityA="Stonebrook", cityB="Stonebrook")
    )

    assert talker.box.made == []
    assert events[-1].reason is Reason.MISSING_ARGUMENT


async def test_what_was_read_before_fills_what_the_user_asks_for_now(talker):
    await talker.say("Find a restaurant with pasta food", call("find_restaurant", food="pasta"))
    await talker.say("Please call the phone of Blue Spoon", call("call_phone", phone_number="+49 2"))

    assert talker.box.made[1:] == [("call_phone", {"phone_number": "+49 2"})]


async def test_after_somebody_elses_text_no_tool_is_used_that_the_user_did_not_name(talker):
    await talker.say("Find a restaurant with pasta food", call("find_restaurant", food="pasta"))
    events = await talker.say("Blue Spoon sounds nice", call("share_location", phone_number="+49 2"))

    assert talker.box.made[1:] == []
    assert not [e for e in events if isinstance(e, Executed)]


async def test_a_request_that_came_to_nothing_is_taken_once_more_when_its_tool_is_there(talker):
    talker.box.tools = (ZIP, SHARE)
    await talker.say("Find a restaurant with pasta food", call("no_suitable_tool"))
    talker.box.tools = (ZIP, SHARE, FIND)
    await talker.say("I have some more tools now. What about now?", call("find_restaurant", food="pasta"))

    assert talker.box.made == [("find_restaurant", {"food": "pasta"})]


@pytest.mark.parametrize("text", ["Call my boss. And now?", "and now we dance"])
async def test_words_that_ask_for_something_of_their_own_repeat_nothing(talker, text):
    await talker.say("Find a restaurant with pasta food", call("no_suitable_tool"))
    await talker.say(text, *[call("no_suitable_tool")] * 4)

    assert all("pasta" not in asked.prompt.tail.splitlines()[-3] for asked in talker.engine.asked)


async def test_what_was_done_is_not_done_again(talker):
    await talker.say("Find a restaurant with pasta food", call("find_restaurant", food="pasta"))
    await talker.say("Please call the phone of Blue Spoon", call("call_phone", phone_number="+49 2"))
    await talker.say("And now?", *[call("no_suitable_tool")] * 2)

    assert len(talker.box.made) == 2


async def test_what_was_only_read_is_read_again(talker):
    await talker.say("Find a restaurant with pasta food", call("find_restaurant", food="pasta"))
    await talker.say("And now?", call("find_restaurant", food="pasta"))

    assert talker.box.made == [("find_restaurant", {"food": "pasta"})] * 2


async def test_a_follow_up_makes_the_last_call_anew_without_a_model(talker):
    await talker.say("Find a restaurant with pasta food", call("find_restaurant", food="pasta"))
    await talker.say("and sushi?")

    assert talker.box.made == [("find_restaurant", {"food": "pasta"}), ("find_restaurant", {"food": "sushi"})]


async def test_a_turn_that_has_begun_goes_on_from_what_was_read_and_does_not_read_it_again(talker):
    await talker.say("Find a restaurant with pasta food", call("find_restaurant", food="pasta"))
    begun = Transcript(messages=talker.transcript.messages[:-1])
    talker.transcript = begun

    await talker.say("Find a restaurant with pasta food and call its phone", call("call_phone", phone_number="+49 1"))

    assert "find_restaurant" not in talker.engine.asked[0].grammar.lark
    assert "call_phone" in talker.engine.asked[0].grammar.lark


async def test_a_lookup_need_not_be_spoken_of(talker):
    text = "Will you estimate the distance between San Francisco and Silverpine for me?"

    await talker.say(text, call("estimate_distance", cityA="San Francisco", cityB="Silverpine"))

    assert [name for name, _ in talker.box.made[:2]] == ["get_zipcode_by_city"] * 2


LEVEL = foreign_tool(
    {"name": "check_oil", "description": "Checks the oil pressure.", "parameters": {"type": "object"}}, read_only=True
)


@pytest.mark.parametrize(("bound", "called"), [(30, True), (20, False)])
async def test_a_condition_that_was_just_read_decides_what_is_done(talker, monkeypatch, bound, called):
    monkeypatch.setitem(ANSWERS, "check_oil", lambda: {"oilPressure": 25.0})
    talker.box.tools = (LEVEL, FIND, DIAL)
    await talker.say("Please check the oil pressure", call("check_oil"))
    await talker.say(
        f"If the pressure is below {bound}, call the phone number +49 7", call("call_phone", phone_number="+49 7")
    )

    assert (("call_phone", {"phone_number": "+49 7"}) in talker.box.made) is called


async def test_a_condition_that_nothing_was_read_of_is_left(talker):
    talker.box.tools = (LEVEL, FIND, DIAL)
    await talker.say("If the pressure is below 30, call the phone number +49 7")

    assert talker.box.made == []


FILL = foreign_tool(
    {
        "name": "fill_tank",
        "description": "Fills the tank. It can hold up to 50 gallons.",
        "parameters": {
            "type": "object",
            "properties": {"tankAmount": {"type": "number", "description": "The additional gallons to add."}},
            "required": ["tankAmount"],
        },
    }
)
SHOW = foreign_tool(
    {
        "name": "show_status",
        "description": "Shows a status.",
        "parameters": {
            "type": "object",
            "properties": {"option": {"type": "string", "enum": ["tank", "lights"]}},
            "required": ["option"],
        },
    },
    read_only=True,
)


async def test_what_an_act_hangs_on_is_read_after_somebody_elses_text_too_where_the_user_named_the_act(
    talker, monkeypatch
):
    monkeypatch.setitem(ANSWERS, "show_status", lambda **_: {"tankLevel": 10.5})
    monkeypatch.setitem(ANSWERS, "fill_tank", lambda **_: {})
    talker.box.tools = (FIND, replace(FILL, risk=Risk.COMFORT), SHOW)
    await talker.say("Find a restaurant with pasta food", call("find_restaurant", food="pasta"))
    await talker.say("Please go ahead and fill the tank completely, I have to leave", call("fill_tank"))

    assert talker.box.made[1:] == [("show_status", {"option": "tank"}), ("fill_tank", {"tankAmount": 39.5})]
