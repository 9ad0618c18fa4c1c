"""What follows up another integration's call changes what it says and keeps the rest."""

from datetime import UTC, datetime

import pytest

from botpsy_core.agent.followup import followed_up
from botpsy_core.catalog import foreign_tool
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import AssistantMessage, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult
from botpsy_core.hearing import hear

ZONES = {"type": "string", "enum": ["driver", "passenger"]}
HEAT = foreign_tool(
    {
        "name": "set_heating",
        "description": "Sets the heating.",
        "parameters": {
            "type": "object",
            "properties": {"level": {"type": "integer"}, "zone": ZONES},
            "required": ["level", "zone"],
        },
    }
)
WEATHER = foreign_tool(
    {
        "name": "get_weather",
        "description": "Gets the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
    read_only=True,
)
CONTEXT = TurnContext(conversation_id="t", origin=Origin.CHAT, now=datetime(2026, 5, 4, 12, tzinfo=UTC))


def after(name, args):
    call = ToolCall(id="1", name=name, args=args)
    result = ToolResult(call_id="1", outcome=Outcome.DONE)
    messages = (
        UserMessage(text="do it"),
        AssistantMessage(calls=(call,)),
        ResultMessage(call=call, result=result),
        AssistantMessage(text="Done."),
    )
    return Transcript(messages=messages)


def follow(text, transcript):
    heard = hear(text, home=Home(), transcript=transcript, context=CONTEXT)
    return followed_up(
        heard.clauses[0], heard, transcript=transcript, tools=(HEAT, WEATHER), home=Home(), context=CONTEXT
    )


@pytest.mark.parametrize(
    ("text", "call", "args"),
    [
        ("make it 22", ("set_heating", {"level": 3, "zone": "driver"}), {"level": 22, "zone": "driver"}),
        ("and the passenger", ("set_heating", {"level": 3, "zone": "driver"}), {"level": 3, "zone": "passenger"}),
        ("and in Rome?", ("get_weather", {"city": "Oslo"}), {"city": "Rome"}),
    ],
)
def test_the_words_change_what_they_say_and_the_rest_stays(text, call, args):
    offer = follow(text, after(*call))

    assert offer is not None
    assert {s.argument.name: s.choices[0].value for s in offer.tools[0].slots} == args


@pytest.mark.parametrize(
    "text", ["make it warm and cosy", "open the garage door and tell me about it", "thanks", "what is the time"]
)
def test_a_request_of_its_own_is_no_follow_up(text):
    assert follow(text, after("set_heating", {"level": 3, "zone": "driver"})) is None


def test_without_a_call_before_nothing_is_followed_up():
    said = (UserMessage(text="hello"), AssistantMessage(text="Hi."))
    assert follow("make it 22", Transcript(messages=said)) is None
    assert follow("make it 22", Transcript(messages=(*after("set_heating", {"level": 3}).messages, *said))) is None
