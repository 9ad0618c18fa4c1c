"""Ten commands with our agent, and what each of them cost."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from botpsy_core.agent import Agent
from botpsy_core.bridge import SystemClock
from botpsy_core.catalog import load_tools
from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.domain.home import Home
from botpsy_core.evaluate.bench.homes import COMMANDS, later
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.evaluate.talk import Talk
from botpsy_core.ports import Engine
from botpsy_core.safety import load_policy


@dataclass(slots=True, kw_only=True)
class Cost:
    """What one command cost."""

    text: str
    seconds: float = 0.0
    words: int = 0
    """Tokens of the utterance alone."""
    calls: list[str] = field(default_factory=list)
    generations: list[Finished] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def evaluated(self) -> int:
        """Return the prompt tokens that were read for it."""
        return sum(g.prompt_tokens_evaluated for g in self.generations)

    @property
    def computed(self) -> float:
        """Return the seconds inside the model's library."""
        return sum(g.compute_seconds or 0.0 for g in self.generations)


class Recorder:
    """Passes everything on to an engine and keeps what each generation cost."""

    def __init__(self, engine: Engine) -> None:
        """Watch this engine."""
        self._engine = engine
        self.cost = Cost(text="")

    async def info(self) -> ModelInfo:
        """Pass on."""
        return await self._engine.info()

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Pass on and keep."""
        text = ""
        async for item in self._engine.generate(prompt, grammar, limits):
            if isinstance(item, Finished):
                self.cost.generations.append(item)
            else:
                text += item.text
            yield item
        self.cost.pieces.append(text)

    async def prepare(self, prefix: str) -> None:
        """Pass on."""
        await self._engine.prepare(prefix)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Pass on."""
        return await self._engine.score(prompt, continuations)

    async def close(self) -> None:
        """Pass on."""
        await self._engine.close()


async def hold(engine: Engine, home: Home, commands: Sequence[str] = COMMANDS, *, warm: bool = True) -> list[Cost]:
    """Hold a dialogue in a home whose states change between two commands; `warm` reads the fixed part first."""
    recorder, clock, tools = Recorder(engine), SystemClock(), load_tools()
    agent = Agent(engine=recorder, tools=tools, policy=load_policy({}), clock=clock)
    if warm:
        await agent.warm()
    talk = Talk(agent=agent, home=SimulatedHome(home, tools, now=clock.now), engine=None, clock=clock)
    costs = []
    for step, text in enumerate(commands):
        recorder.cost = cost = Cost(text=text)
        started = time.perf_counter()
        ended = await talk.say(text)
        cost.seconds = time.perf_counter() - started
        cost.calls = [f"{call.name} {dict(call.args)}" for call in ended.calls]
        costs.append(cost)
        talk.home = SimulatedHome(later(talk.home.home, step), tools, now=clock.now)
    await count_words(engine, costs)
    return costs


async def count_words(engine: Engine, costs: Sequence[Cost]) -> None:
    """Note how many tokens each utterance has."""
    for cost in costs:
        async for item in engine.generate(Prompt(prefix="", tail=cost.text), None, Limits(max_tokens=1)):
            if isinstance(item, Finished):
                cost.words = item.prompt_tokens


async def lags(stop: asyncio.Event, every_s: float = 0.005) -> list[float]:
    """Return by how many milliseconds the event loop came late, sampled until told to stop."""
    found = []
    while not stop.is_set():
        before = time.perf_counter()
        await asyncio.sleep(every_s)
        found.append(max(time.perf_counter() - before - every_s, 0.0) * 1000)
    return found
