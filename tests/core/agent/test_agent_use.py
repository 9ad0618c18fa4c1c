"""A tool called by name, by somebody who has no words: another agent, a program."""

import pytest

from botpsy_core.agent import Agent, run
from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.verdicts import Reason
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.safety import load_policy


@pytest.fixture
def use(clock):
    async def used(name, **args):
        home = SimulatedHome(DEMO_HOME, load_tools(), now=clock.now)
        agent = Agent(engine=None, policy=load_policy(), clock=clock)
        context = TurnContext(conversation_id="c", origin=Origin.AGENT, now=clock.now())
        return await run(agent.use(name, args, home=DEMO_HOME, toolbox=home, context=context))

    return used


@pytest.fixture
def light() -> str:
    return next(each.id for each in DEMO_HOME.entities if each.domain == "light")


async def test_a_harmless_act_is_done_without_words(use, light):
    ended = await use("turn_on", target=[light])

    assert ended.status is TurnStatus.DONE
    assert [call.args for call in ended.calls] == [{"target": [light]}]


@pytest.mark.parametrize(
    ("name", "args", "reason"),
    [
        ("fly", {}, Reason.NO_SUITABLE_TOOL),
        ("turn_on", {"target": ["light.nowhere"]}, Reason.NOT_EXPOSED),
        ("unlock", {"target": ["lock.front_door"]}, Reason.NOT_ALLOWED),
    ],
)
async def test_everything_else_is_refused_as_it_would_be_with_words(use, name, args, reason):
    ended = await use(name, **args)

    assert (ended.status, ended.reason, ended.calls) == (TurnStatus.REFUSED, reason, ())


@pytest.mark.parametrize("args", [{}, {"brightness": 400}])
async def test_what_is_missing_or_out_of_range_is_asked_about(use, light, args):
    ended = await use("set_brightness", target=[light], **args)

    assert ended.status is TurnStatus.ASKED
    assert ended.calls == ()
