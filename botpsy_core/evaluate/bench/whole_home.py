"""The first rival: the same model with the whole home, state by state, in every prompt."""

import re
import time
from collections.abc import Callable, Sequence

from botpsy_core.agent.prompt import system_of
from botpsy_core.catalog import load_tools
from botpsy_core.dialect import Renderer, build_grammar
from botpsy_core.domain.engine import Finished, Limits, ModelInfo
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import AssistantMessage, Transcript, UserMessage
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Role, ToolSpec
from botpsy_core.evaluate.bench.homes import COMMANDS, later, listing
from botpsy_core.evaluate.bench.rows import PATIENCE_S
from botpsy_core.ports import Engine

MAX_TOKENS = 256


class WholeHome:
    """Every entity and state in each prompt.

    Generous to the rival: it has our engine with all its reuse and forced runs, our short form of the tools, and the
    tools stand before the home, where they stay read.
    """

    def __init__(self, engine: Engine, info: ModelInfo, home: Home) -> None:
        """Ask this engine."""
        self._engine = engine
        self._home = home
        self._tools = load_tools()
        self._renderer = Renderer(info)
        self._grammar = build_grammar(self._renderer.family, _everything(self._tools, home))
        self._transcript = Transcript()

    async def hold(
        self, commands: Sequence[str] = COMMANDS, *, say: Callable[[str], object] = str
    ) -> list[tuple[float, int]]:
        """Hold the dialogue, as far as the patience goes; return seconds and tokens read by command.

        The fixed part of the prompt is read before, and not counted.
        """
        await self._engine.prepare(self._renderer.render(system_of(self._tools), (), Transcript(), "hello").prefix)
        costs: list[tuple[float, int]] = []
        began = time.perf_counter()
        for step, text in enumerate(commands):
            started = time.perf_counter()
            answer, read = await self._ask(text)
            costs.append((time.perf_counter() - started, read))
            say(f"  {text}: {costs[-1][0]:.1f} s, {read} tokens read")
            if time.perf_counter() - began > PATIENCE_S:
                break
            self._transcript = self._transcript.extended(UserMessage(text=text), AssistantMessage(text=answer))
            self._home = later(self._home, step)
        return costs

    async def _ask(self, text: str) -> tuple[str, int]:
        system = system_of(self._tools)
        prompt = self._renderer.render(system, (), self._transcript, text, note=listing(self._home))
        answer, read = "", 0
        async for item in self._engine.generate(prompt, self._grammar, Limits(max_tokens=MAX_TOKENS, timeout_s=300)):
            if isinstance(item, Finished):
                read = item.prompt_tokens_evaluated
            else:
                answer += item.text
        return re.sub(r"[<>{}]", " ", answer), read


def _everything(tools: Sequence[ToolSpec], home: Home) -> Offer:
    """Return an offer of every tool on everything."""
    names = tuple(Choice(label=e.id, value=[e.id]) for e in home.entities)
    offered = []
    for tool in tools:
        slots = [
            Slot(argument=a, choices=names if a.role is Role.TARGET else (), required=a.required)
            for a in tool.arguments
        ]
        offered.append(OfferedTool(tool=tool, slots=tuple(slots)))
    return Offer(tools=tuple(offered))
