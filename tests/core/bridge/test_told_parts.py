"""A question about a vehicle is answered from the part that it asks about, and never wrongly."""

import pytest
from bridge_bench import Car, ShiftedClock, car_device

from botpsy_core.agent import Agent
from botpsy_core.bridge import InMemoryTransport, ProfileToolbox
from botpsy_core.bridge.request_parse import Request, Say
from botpsy_core.bridge.service import AgentRunner
from botpsy_core.safety import load_policy


@pytest.fixture
async def ask():
    clock = ShiftedClock()
    transport = InMemoryTransport(clock)
    toolbox = ProfileToolbox([car_device()], transport, clock)
    await toolbox.start()
    car = Car(transport)
    car.metrics |= {"v/e/locked": "no", "v/d/fl": "yes", "v/b/soc": "62"}
    car.come_online()
    runner = AgentRunner(Agent(engine=None, policy=load_policy(), clock=clock), toolbox, clock)

    async def ask(text):
        answer = await runner(Request(id="1", user="anna", ask=Say(text=text), deadline_s=5))
        assert not [call for call in answer["calls"] if call["name"] != "get_state"]
        return answer["reply"]

    return ask


@pytest.mark.parametrize(
    ("question", "told", "never"),
    [
        ("how much battery does the car have", "62", "online"),
        ("what is the battery level of the car", "62", "online"),
        ("is the car locked", "unlocked", "Yes"),
        ("is the car unlocked", "unlocked", "No,"),
        ("what is the charge current of the car", "16", "62"),
    ],
)
async def test_the_part_is_told(ask, question, told, never):
    reply = await ask(question)
    assert told in reply
    assert never not in reply
