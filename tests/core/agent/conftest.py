"""A talk with a home in memory and a model that says what it was told to say."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from botpsy_core.agent import Agent
from botpsy_core.catalog import load_tools
from botpsy_core.engine import ScriptedEngine
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.evaluate.talk import Talk
from botpsy_core.safety import Confirmations, PinHash, load_policy

sys.path.insert(0, str(Path(__file__).parent))


class FrozenClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime(2026, 5, 4, 12, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def talk(clock) -> Callable[..., Talk]:
    """Start a talk; `outputs` are what the model writes, in order."""

    def start(*outputs, pin="1234", home=DEMO_HOME, policy=None, engine=..., journal=None, **more) -> Talk:
        if engine is ...:
            engine = ScriptedEngine(outputs=outputs)
        book = Confirmations(clock, pin=PinHash.of(pin) if pin else None)
        agent = Agent(engine=engine, policy=load_policy(policy), clock=clock, confirmations=book, journal=journal)
        simulated = SimulatedHome(home, load_tools(), now=clock.now)
        return Talk(agent=agent, home=simulated, engine=engine, clock=clock, **more)

    return start
