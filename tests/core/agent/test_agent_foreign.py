"""Requests that only other people's tools can serve, through the whole agent with a model that is told what to say."""

import json

import pytest

from botpsy_core.agent import Agent
from botpsy_core.agent.evidence import likeness_of
from botpsy_core.agent.gathering import gathered
from botpsy_core.catalog import foreign_tool, load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import Decided
from botpsy_core.domain.heard import Heard, Mood
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Outcome, ToolResult
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.engine import ScriptedEngine
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.hearing import hear
from botpsy_core.safety import load_policy

EMPTY = Home(language="en", temperature_unit="°C", entities=(), areas=(), floors=())


def foreign(name, description, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters}, read_only=True)


FERRY = foreign("find_ferry", "Find a ferry to an island.", island={"type": "string"})
PRICE = foreign("ticket_price", "Price of ferry tickets.", tickets={"type": "integer"})


class Pier:
    """A toolbox of two tools that answer nothing."""

    def specs(self):
        return (FERRY, PRICE)

    async def check(self, call, context):
        return Readiness()

    async def execute(self, call, context):
        return ToolResult(call_id=call.id, outcome=Outcome.DONE, untrusted=True)


def written(name, **args):
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>"


def context(clock):
    return TurnContext(
        conversation_id="c", origin=Origin.CHAT, now=clock.now(), language="en", user_id="u", is_admin=True
    )


async def calls_of(text, clock, *outputs):
    engine = ScriptedEngine(outputs=outputs)
    agent = Agent(engine=engine, policy=load_policy(None), clock=clock)
    turn = agent.turn(text, transcript=Transcript(), home=EMPTY, toolbox=Pier(), context=context(clock))
    events = [event async for event in turn]
    made = [e.verdict.call for e in events if isinstance(e, Decided)]
    decisions = [asked for asked in engine.asked if asked.grammar is not None]
    return [(c.name, dict(c.args)) for c in made if c is not None], decisions


async def test_names_side_by_side_need_one_answer_of_the_model(clock):
    made, asked = await calls_of("Find a ferry to Rab and Krk", clock, written("find_ferry", island="Rab"))
    assert made == [("find_ferry", {"island": "Rab"}), ("find_ferry", {"island": "Krk"})]
    assert len(asked) == 1


async def test_each_part_of_a_request_is_asked_for_by_itself(clock):
    made, asked = await calls_of(
        "Find a ferry to Rab. Then tell me the price of 3 tickets.",
        clock,
        written("find_ferry", island="Rab"),
        written("ticket_price", tickets=3),
    )
    assert made == [("find_ferry", {"island": "Rab"}), ("ticket_price", {"tickets": 3})]
    assert len(asked) == 2
    assert len({one.prompt.prefix for one in asked}) == 1


async def test_a_part_is_measured_by_its_own_words_alone(clock):
    asked = "Then tell me the price of 3 tickets."
    engine = ScriptedEngine(outputs=[written("find_ferry", island="Rab"), written("ticket_price", tickets=3)])
    agent = Agent(engine=engine, policy=load_policy(None), clock=clock)
    text = f"Find a ferry to the island of Rab, where my grandmother grew olives and tomatoes. {asked}"
    turn = agent.turn(text, transcript=Transcript(), home=EMPTY, toolbox=Pier(), context=context(clock))
    of = {e.verdict.call.name: e.evidence async for e in turn if isinstance(e, Decided)}
    assert text[of["ticket_price"].part.start : of["ticket_price"].part.end] == asked
    assert of["ticket_price"].likeness == likeness_of("ticket_price", (FERRY, PRICE), heard_alone(asked), offered=None)


def heard_alone(text):
    return Heard(text=text, language="en", clauses=())


async def test_the_same_call_is_made_once(clock):
    text = "Find a ferry to Rab. Then find the next ferry to Rab."
    made, _ = await calls_of(text, clock, *[written("find_ferry", island="Rab")] * 2)
    assert made == [("find_ferry", {"island": "Rab"})]


async def test_a_refusal_is_asked_about_once_more_where_the_words_are_those_of_a_tool(clock):
    text = "Find a ferry to the island of Rab"
    made, asked = await calls_of(text, clock, written("no_suitable_tool"), written("find_ferry", island="Rab"))
    assert made == [("find_ferry", {"island": "Rab"})]
    assert ["no_suitable_tool" in one.grammar.lark for one in asked] == [True, False]


async def test_a_refusal_stands_where_the_words_are_of_something_else(clock):
    made, asked = await calls_of("Who won the cup in Ghent?", clock, written("no_suitable_tool"))
    assert (made, len(asked)) == ([], 1)


@pytest.mark.parametrize("name", ["find_ferry", "no_such"])
async def test_a_call_that_came_to_no_end_is_asked_about_where_its_tool_is_known(name, clock):
    made, _ = await calls_of(
        "Find a ferry to the island", clock, f'<tool_call>\n{{"name": "{name}", "arguments": {{"isl'
    )
    assert made == ([("find_ferry", {})] if name == "find_ferry" else [])


async def test_a_text_of_another_tool_is_asked_for_by_its_name(clock):
    engine = ScriptedEngine(outputs=(written("find_ferry", island="Atlantis"),))
    agent = Agent(engine=engine, policy=load_policy(None), clock=clock)
    text = "Find a ferry to an island"
    turn = agent.turn(text, transcript=Transcript(), home=EMPTY, toolbox=Pier(), context=context(clock))
    events = [event async for event in turn]
    assert events[-1].reply == "What is the island?"


def ears(text, tools, home, clock):
    said = hear(text, home=home, transcript=Transcript(), context=context(clock))
    return said, gathered(said.clauses, said, tools=tools, home=home, context=context(clock))


def test_what_only_foreign_tools_can_mean_stays_one_request(clock):
    text = "I plan a trip, and it is for four. Find a ferry, and don't take the slow one."
    said, clauses = ears(text, (FERRY, PRICE), EMPTY, clock)
    assert len(said.clauses) > 1
    assert [c.text for c in clauses] == [text]
    assert clauses[0].mood is not Mood.NEGATED


BOOK = foreign_tool(
    {
        "name": "book_ferry",
        "description": "Book a ferry.",
        "parameters": {"type": "object", "properties": {"island": {"type": "string"}}, "required": ["island"]},
    }
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Find a ferry to Rab. If it leaves after noon, book it.", 2),
        ("Find a ferry to Rab. If I have 3 tickets.", 1),  # tells something, and asks for nothing
        ("If it leaves after noon, book the ferry to Rab.", 1),
    ],
)
def test_what_is_asked_for_under_a_condition_is_no_part_of_what_is_asked_for_now(text, parts, clock):
    _, clauses = ears(text, (FERRY, BOOK), EMPTY, clock)
    assert len(clauses) == parts
    assert clauses[-1].mood is Mood.CONDITIONAL or parts == 1


@pytest.mark.parametrize("text", ["turn on the kitchen light and close the blinds", "is the kitchen light on?"])
def test_clauses_of_the_home_stay_apart(text, clock):
    said, clauses = ears(text, (*load_tools(), FERRY), DEMO_HOME, clock)
    assert tuple(clauses) == said.clauses


def test_a_home_without_foreign_tools_is_not_touched(clock):
    said, clauses = ears("one, two. And three", load_tools(), DEMO_HOME, clock)
    assert tuple(clauses) == said.clauses


def test_a_request_that_is_denied_as_a_whole_stays_so(clock):
    _, clauses = ears("don't find a ferry to Rab", (FERRY,), EMPTY, clock)
    assert [c.mood for c in clauses] == [Mood.NEGATED]
