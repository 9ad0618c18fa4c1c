"""Every reason to ask or refuse can come out of a whole turn; a reason that none of these rows reaches fails here."""

from dataclasses import replace

import pytest
from eager_engine import EagerEngine

from botpsy_core.agent import run
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Entity
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult
from botpsy_core.domain.verdicts import Evidence, Readiness, Reason
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.hearing import hear

ON = "turn on the bedroom light"
PIN_WRONG = ("unlock the front door", "/pin 0000")
COMFORT = "comfort"
TWINS = replace(
    DEMO_HOME,
    entities=(*DEMO_HOME.entities, Entity(id="light.desk", name="Bedroom Light", area_id="hall", state="off")),
)


def policy_of(**changes):
    return {"classes": {COMFORT: changes}}


class Said:
    """The world says something about every call."""

    def __init__(self, home, **readiness):
        self._home = home
        self._readiness = Readiness(**readiness)

    def specs(self):
        return self._home.specs()

    async def check(self, call, context):
        return self._readiness

    async def execute(self, call, context):
        return ToolResult(call_id=call.id, outcome=Outcome.DONE)


ROWS = {
    Reason.NO_SUITABLE_TOOL: (["order a pizza"], {}),
    Reason.NOT_ENABLED: ([ON], {"policy": {"tools": {"turn_on": {"enabled": False}}}}),
    Reason.ABSENT_DEVICE: (["turn on the sauna"], {}),
    Reason.AMBIGUOUS_TARGET: ([ON], {"home": TWINS}),
    Reason.MISSING_ARGUMENT: (["set the thermostat"], {}),
    Reason.WRONG_ARGUMENT: (["set the thermostat to 90 degrees"], {}),
    Reason.NEGATED: (["don't turn on the bedroom light"], {}),
    Reason.QUESTION: (["how do I unlock the front door?"], {}),
    Reason.NOT_A_COMMAND: (["if it rains turn on the bedroom light"], {}),
    Reason.OPPOSITE: (["turn the kitchen light on off"], {"engine": EagerEngine(1)}),
    Reason.TOO_MANY_TARGETS: (["turn on all lights"], {"policy": policy_of(max_targets=1)}),
    Reason.RATE_LIMITED: ([ON, "turn on the ceiling light"], {"policy": policy_of(per_minute=1)}),
    Reason.EXCLUDED_TOPIC: (["transfer 100 euros to my landlord"], {}),
    Reason.NEEDS_CONFIRMATION: ([ON], {"policy": policy_of(confirm="confirm")}),
    Reason.NEEDS_PIN: (["unlock the front door"], {}),
    Reason.NO_PIN_SET: (["unlock the front door"], {"pin": None}),
    Reason.WRONG_PIN: (PIN_WRONG, {}),
    Reason.LOCKED_OUT: ((*PIN_WRONG, "/pin 1111", "/pin 2222"), {}),
    Reason.DENIED: (["unlock the front door", "no"], {}),
    Reason.EXPIRED: (["yes"], {}),
    Reason.TOO_LONG: (["please " * 400], {}),
}
"""What is said, in a home and under a policy."""

WORLDS = {
    Reason.UNSAFE_NOW: {"unmet": ("The car moves.",)},
    Reason.STALE_STATE: {"stale": ("The car is silent.",)},
    Reason.UNAVAILABLE: {"available": False, "problem": "Bedroom Light"},
    Reason.NOT_ALLOWED: {"allowed": False},
    Reason.NOT_EXPOSED: {"exposed": False},
}
"""What the world says of a plain command."""

ELSEWHERE = {Reason.TAINTED, Reason.UNGROUNDED, Reason.NOT_LATER}
"""Each has a test of its own: below, and beside what is put off."""


@pytest.mark.parametrize("reason", ROWS)
async def test_words_reach_the_reason(talk, reason):
    lines, more = ROWS[reason]
    line = talk(**{"engine": None, **more})
    for each in lines:
        ended = await line.say(each)
    assert ended.reason is reason, ended.reply
    assert ended.reply


@pytest.mark.parametrize("reason", WORLDS)
async def test_the_world_reaches_the_reason(talk, reason):
    line = talk(engine=None)
    assert (await said_in(line, Said(line.home, **WORLDS[reason]), ON)).reason is reason


async def test_a_thing_that_was_not_said_is_ungrounded(talk):
    line = talk(engine=None)
    stray = ToolCall(id="1", name="turn_on", args={"target": ["light.ceiling"]})
    assert (await judged(line, line.home, ON, stray, Evidence())).reason is Reason.UNGROUNDED


async def test_what_somebody_else_wrote_moves_nothing(talk):
    line = talk(engine=None)
    call = ToolCall(id="1", name="turn_on", args={"target": ["light.bedroom"]})
    vague = await judged(line, line.home, "bedroom light", call, Evidence(tainted=True))
    assert vague.reason is Reason.TAINTED


async def judged(line, toolbox, text, call, evidence):
    """Put a call to the gate as a model would have made it of some words."""
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=line.clock.now(), user_id="owner")
    turn = line.agent._turn(line.transcript, line.home.home, toolbox, context)
    heard = hear(text, home=line.home.home, transcript=line.transcript, context=context)
    spec = next(s for s in toolbox.specs() if s.name == call.name)
    offered = OfferedTool(tool=spec)
    async for _ in turn.judge(call, heard.clauses[0], heard, evidence=evidence, offered=offered):
        pass
    return turn.ended(0.0)


def test_no_reason_is_left_out():
    assert set(ROWS) | set(WORLDS) | ELSEWHERE == set(Reason)


async def said_in(line, toolbox, text):
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=line.clock.now(), user_id="owner")
    return await run(
        line.agent.turn(text, transcript=line.transcript, home=line.home.home, toolbox=toolbox, context=context)
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "text",
    ["set the coffee machine to 22 degrees", "turn on the coffee machine at 40 percent", "dim the coffee machine"],
)
async def test_a_value_or_a_way_that_a_thing_does_not_have_moves_nothing(talk, seed, text):
    line = talk(engine=EagerEngine(seed))
    before = line.home.home
    await line.say(text)
    assert line.home.home == before
