"""What has to be so before a call is done first where the toolbox itself names it, and where it is harmless."""

import json
from dataclasses import dataclass, field, replace

import pytest

from botpsy_core.agent import Agent
from botpsy_core.catalog import foreign_tool
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Outcome, Risk, ToolResult
from botpsy_core.domain.verdicts import Readiness, Reason
from botpsy_core.engine import ScriptedEngine
from botpsy_core.safety import load_policy


def a_tool(name, description, risk=Risk.COMFORT, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    tool = foreign_tool({"name": name, "description": description, "parameters": parameters})
    return replace(tool, risk=risk)


HATCHES = {"type": "array", "items": {"type": "string"}, "description": 'Which. [Enum]: ["left", "right"]'}
LATCH = a_tool(
    "lock_hatches",
    "Locks the hatches of the boat.",
    unlock={"type": "boolean", "description": "True if the hatches are to be unlocked, False otherwise."},
    hatch=HATCHES,
)
LEVER = a_tool(
    "press_clutch_lever",
    "Presses the clutch lever.",
    position={"type": "number", "description": "Its position, between 0 (not pressed) and 1 (fully pressed)."},
)
START = a_tool(
    "start_motor",
    "Starts the motor of the boat.",
    mode={"type": "string", "description": 'What to do. [Enum]: ["START", "STOP"]'},
)


@dataclass
class Boat:
    """A boat whose motor starts once the hatches are locked and the lever is pressed."""

    tools: tuple = (LATCH, LEVER, START)
    made: list = field(default_factory=list)
    empty: bool = False
    foresees: bool = False
    """True where everything that is in the way is told at once."""

    def specs(self):
        return tuple(sorted(self.tools, key=lambda t: t.name))

    async def check(self, call, context):
        done = [name for name, _ in self.made]
        needs = {
            "All hatches must be locked before the motor starts. Unlocked: left.": "lock_hatches" not in done,
            "The clutch lever must be pressed before the motor starts.": "press_clutch_lever" not in done,
            "The tank is empty.": self.empty,
        }
        unmet = tuple(sentence for sentence, lacks in needs.items() if lacks and call.name == "start_motor")
        return Readiness(unmet=unmet if self.foresees else unmet[:1])

    async def execute(self, call, context):
        self.made.append((call.name, dict(call.args)))
        return ToolResult(call_id=call.id, outcome=Outcome.DONE, untrusted=True)


@pytest.fixture
def boat():
    return Boat()


async def say(boat, clock, text, *, dry_run=False):
    written = json.dumps({"name": "start_motor", "arguments": {"mode": "START"}})
    engine = ScriptedEngine(outputs=[f"<tool_call>\n{written}\n</tool_call>"])
    agent = Agent(engine=engine, policy=load_policy({}), clock=clock)
    context = TurnContext(conversation_id="t", origin=Origin.CHAT, now=clock.now(), user_id="u", dry_run=dry_run)
    turn = agent.turn(text, transcript=Transcript(), home=Home(), toolbox=boat, context=context)
    return [event async for event in turn][-1]


FIRST = [
    ("lock_hatches", {"unlock": False, "hatch": ["left", "right"]}),
    ("press_clutch_lever", {"position": 1}),
]


async def test_what_must_be_so_first_is_done_first(boat, clock):
    await say(boat, clock, "Please start the motor of the boat")

    assert boat.made == [*FIRST, ("start_motor", {"mode": "START"})]


async def test_nothing_is_half_done_where_all_that_is_in_the_way_is_known(boat, clock):
    boat.foresees = boat.empty = True

    ended = await say(boat, clock, "Please start the motor of the boat")

    assert boat.made == []
    assert ended.reason is Reason.UNSAFE_NOW


async def test_everything_that_is_known_to_be_in_the_way_is_mended_in_order(boat, clock):
    boat.foresees = True

    await say(boat, clock, "Please start the motor of the boat")

    assert boat.made == [*FIRST, ("start_motor", {"mode": "START"})]


async def test_what_no_tool_can_mend_is_told(boat, clock):
    boat.empty = True

    ended = await say(boat, clock, "Please start the motor of the boat")

    assert boat.made == FIRST
    assert "The tank is empty." in ended.reply


async def test_nothing_is_done_first_that_would_have_to_be_asked_about(boat, clock):
    boat.tools = (replace(LATCH, risk=Risk.HAZARD), LEVER, START)

    ended = await say(boat, clock, "Please start the motor of the boat")

    assert boat.made == []
    assert ended.reason is Reason.UNSAFE_NOW


@pytest.mark.parametrize("text", ["Don't start the motor of the boat", "If it rains, start the motor of the boat"])
async def test_nothing_is_done_first_for_what_is_not_done(boat, clock, text):
    await say(boat, clock, text)

    assert boat.made == []


async def test_a_dry_run_does_nothing_first(boat, clock):
    await say(boat, clock, "Please start the motor of the boat", dry_run=True)

    assert boat.made == []
