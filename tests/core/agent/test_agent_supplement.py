"""What only adds to a request that came to nothing: both are one request then, for other people's tools alone."""

import json

import pytest

from botpsy_core.agent import Agent, messages_of
from botpsy_core.catalog import foreign_tool
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import Decided
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import NO_SUITABLE_TOOL, Outcome, ToolResult
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.engine import ScriptedEngine
from botpsy_core.safety import load_policy

EMPTY = Home(language="en", temperature_unit="°C", entities=(), areas=(), floors=())


def foreign(name, description, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters}, read_only=True)


TOLL = foreign(
    "road_toll", "Tells the toll of a road between two towns.", start={"type": "string"}, end={"type": "string"}
)
PINTS = foreign("pints_of_gallons", "Turns gallons into pints.", gallon={"type": "number", "description": "Gallons."})


class Desk:
    """A toolbox of two tools that answer nothing."""

    def specs(self):
        return (TOLL, PINTS)

    async def check(self, call, context):
        return Readiness()

    async def execute(self, call, context):
        return ToolResult(call_id=call.id, outcome=Outcome.DONE, untrusted=True)


def written(name, **args):
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>"


REFUSED = written(NO_SUITABLE_TOOL)


async def talk(clock, *turns, outputs):
    """Return what the last turn called, and the words that it gave the model."""
    engine = ScriptedEngine(outputs=outputs)
    agent = Agent(engine=engine, policy=load_policy(None), clock=clock)
    transcript, decided, known = Transcript(), [], 0
    for text in turns:
        known = len(engine.asked)
        context = TurnContext(
            conversation_id="c", origin=Origin.CHAT, now=clock.now(), language="en", user_id="u", is_admin=True
        )
        events = [e async for e in agent.turn(text, transcript=transcript, home=EMPTY, toolbox=Desk(), context=context)]
        transcript = transcript.extended(*messages_of(text, events))
        decided = [e.verdict.call for e in events if isinstance(e, Decided) and e.verdict.call is not None]
    return [(c.name, dict(c.args)) for c in decided], [a.prompt.text for a in engine.asked[known:] if a.grammar]


ASKED = "What is the toll of the road to Ostende?"


@pytest.mark.parametrize("later", ["I am starting from Gent.", "I mean the one from Gent.", "My town is Gent."])
async def test_what_is_told_after_a_refusal_belongs_to_the_request(later, clock):
    call = written("road_toll", start="Gent", end="Ostende")
    made, prompts = await talk(clock, ASKED, later, outputs=(REFUSED, REFUSED, call))
    assert made == [("road_toll", {"start": "Gent", "end": "Ostende"})]
    assert f"{ASKED} {later}" in prompts[0]


@pytest.mark.parametrize(
    "later",
    [
        "Tell me the toll of the road to Brugge.",  # a request of its own
        "Navigate to Brugge.",  # one that begins with a verb that the ear does not know
        "Find the toll to Brugge.",  # and one that begins with a verb that says nothing of the home
        "That is a pity.",  # tells no value
    ],
)
async def test_what_asks_for_something_or_tells_nothing_is_taken_alone(clock, later):
    _, prompts = await talk(clock, ASKED, later, outputs=(REFUSED,) * 6)
    assert all(f"{ASKED} {later}" not in prompt for prompt in prompts)


async def test_a_request_that_was_served_is_not_taken_up_again(clock):
    first = written("road_toll", start="Gent", end="Ostende")
    asked = "What is the toll of the road from Gent to Ostende?"
    _, prompts = await talk(clock, asked, "My brother lives in Brugge.", outputs=(first, *(REFUSED,) * 4))
    assert all(f"{asked} My brother" not in prompt for prompt in prompts)


async def test_a_number_in_another_unit_does_not_answer_for_it(clock):
    asked = "How many pints are those gallons?"
    made, _ = await talk(clock, asked, "I mean 20 liters.", outputs=(written("pints_of_gallons"), *(REFUSED,) * 6))
    assert ("pints_of_gallons", {"gallon": 20}) not in made
