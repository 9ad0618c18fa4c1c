"""What people would run instead: the whole home in the prompt, and a llama-server as Home Assistant drives it."""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp

from botpsy_core.agent.prompt import system_of
from botpsy_core.catalog import load_tools
from botpsy_core.dialect import Renderer, build_grammar
from botpsy_core.domain.engine import Finished, Limits, ModelInfo
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import AssistantMessage, Transcript, UserMessage
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Role, ToolSpec
from botpsy_core.evaluate.bench.homes import COMMANDS, later, listing, overview
from botpsy_core.ports import Engine

SYSTEM = "You control a home. Call the tool that does what the user asks."
MAX_TOKENS = 256
"""Home Assistant's integration allows 3,000; a small model that rambles would make the comparison too easy."""

MAX_ROUNDS = 10
"""Home Assistant's own bound of tool calls in one turn."""

_SERVER = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel, params.port = sys.argv[1], int(sys.argv[2]), 1, 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[3])
params.verbosity = 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
time.sleep(7200)
"""


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

    async def hold(self, commands: Sequence[str] = COMMANDS) -> list[tuple[float, int]]:
        """Hold the dialogue and return seconds and tokens read by command, after a first reading not counted."""
        await self._ask("hello")
        costs = []
        for step, text in enumerate(commands):
            started = time.perf_counter()
            answer, read = await self._ask(text)
            costs.append((time.perf_counter() - started, read))
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


class LlamaServer:
    """A real llama-server with its prompt cache, in a process of its own."""

    def __init__(self, model: Path, *, context: int, threads: int) -> None:
        """Start it; raise OSError where there is none."""
        command = [sys.executable, "-c", _SERVER, str(model), str(context), str(threads)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().decode().strip()
        if not self.url:
            self.close()
            raise OSError("no llama-server: the package xllamacpp is not installed, or the model cannot be loaded")

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


async def llama_server(url: str, home: Home, commands: Sequence[str] = COMMANDS) -> list[dict[str, float]]:
    """Hold the dialogue over chat completions, as Home Assistant's integration does; return costs by command."""
    tools = [_function(tool) for tool in load_tools()]
    messages: list[dict[str, Any]] = [{"role": "system", "content": f"{SYSTEM}\n{overview(home)}"}]
    costs = []
    async with aiohttp.ClientSession() as session:
        await _complete(session, url, [*messages, {"role": "user", "content": "hello"}], tools, limit=1)
        for text in commands:
            messages.append({"role": "user", "content": text})
            started = time.perf_counter()
            read = written = 0.0
            for _ in range(MAX_ROUNDS):
                data = await _complete(session, url, messages, tools, limit=MAX_TOKENS)
                read += float(data["timings"]["prompt_n"])
                written += float(data["timings"]["predicted_n"])
                message = data["choices"][0]["message"]
                messages.append({k: v for k, v in message.items() if k in {"role", "content", "tool_calls"}})
                if not message.get("tool_calls"):
                    break
                messages += [
                    {"role": "tool", "tool_call_id": call["id"], "content": json.dumps({"success": True})}
                    for call in message["tool_calls"]
                ]
            costs.append({"seconds": time.perf_counter() - started, "read": read, "written": written})
            await asyncio.sleep(0)
    return costs


async def _complete(
    session: aiohttp.ClientSession, url: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]], *, limit: int
) -> dict[str, Any]:
    request = {"messages": messages, "tools": tools, "max_tokens": limit, "temperature": 0.7, "top_p": 1.0, "seed": 1}
    async with session.post(
        f"{url}/v1/chat/completions", json=request, timeout=aiohttp.ClientTimeout(600), headers={"connection": "close"}
    ) as reply:
        reply.raise_for_status()
        data: dict[str, Any] = await reply.json()
        return data


def _function(tool: ToolSpec) -> dict[str, Any]:
    properties = {a.name: a.schema for a in tool.arguments}
    required = [a.name for a in tool.arguments if a.required]
    parameters = {"type": "object", "properties": properties, "required": required}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": parameters},
    }
