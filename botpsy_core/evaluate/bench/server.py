"""The second rival: a real llama-server with its prompt cache, driven as Home Assistant's own integration drives it."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import aiohttp

from botpsy_core.domain.home import Home
from botpsy_core.errors import EngineFailed
from botpsy_core.evaluate.bench import assist
from botpsy_core.evaluate.bench.homes import COMMANDS
from botpsy_core.evaluate.bench.rows import PATIENCE_S

MAX_TOKENS = 256
"""Home Assistant's integration allows 3,000; a small model that rambles would make the comparison too easy."""

MAX_ROUNDS = 10
"""Home Assistant's own bound of tool calls in one turn."""

CONTEXT = 16384
_ANSWER_S = 600
_KEPT = frozenset({"role", "content", "tool_calls"})

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


class LlamaServer:
    """A real llama-server in a process of its own."""

    def __init__(self, model: Path, *, context: int = CONTEXT, threads: int) -> None:
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


async def hold(
    url: str, home: Home, commands: Sequence[str] = COMMANDS, *, say: Callable[[str], object] = str
) -> list[dict[str, float]]:
    """Hold the dialogue over chat completions, as far as the patience goes; return costs by command.

    Tools and static context are read before, and not counted; they do not change with the states, so they stay cached.
    """
    messages: list[Mapping[str, Any]] = [{"role": "system", "content": assist.system_of(home)}]
    costs: list[dict[str, float]] = []
    async with aiohttp.ClientSession() as session:
        await _complete(session, url, [*messages, {"role": "user", "content": "hello"}], limit=1)
        began = time.perf_counter()
        for text in commands:
            messages.append({"role": "user", "content": text})
            costs.append(await _turn(session, url, messages))
            say(f"  {text}: {costs[-1]}")
            if time.perf_counter() - began > PATIENCE_S:
                break
    return costs


async def _turn(session: aiohttp.ClientSession, url: str, messages: list[Mapping[str, Any]]) -> dict[str, float]:
    """Ask until the model calls no more tools."""
    started = time.perf_counter()
    read = written = rounds = 0
    while rounds < MAX_ROUNDS:
        rounds += 1
        data = await _complete(session, url, messages, limit=MAX_TOKENS)
        read += int(data["timings"]["prompt_n"])
        written += int(data["timings"]["predicted_n"])
        message = data["choices"][0]["message"]
        messages.append({key: value for key, value in message.items() if key in _KEPT})
        calls = message.get("tool_calls") or []
        if not calls:
            break
        messages += [
            {
                "role": "tool",
                "tool_call_id": call["id"],
                "content": json.dumps(assist.result_of(call["function"]["name"])),
            }
            for call in calls
        ]
    return {"seconds": time.perf_counter() - started, "read": read, "written": written, "rounds": rounds}


async def _complete(
    session: aiohttp.ClientSession, url: str, messages: Sequence[Mapping[str, Any]], *, limit: int
) -> dict[str, Any]:
    request = {
        "messages": list(messages),
        "tools": assist.functions(),
        "max_tokens": limit,
        "temperature": 0.7,
        "top_p": 1.0,
        "seed": 1,
    }
    async with session.post(
        f"{url}/v1/chat/completions",
        json=request,
        timeout=aiohttp.ClientTimeout(_ANSWER_S),
        headers={"connection": "close"},
    ) as reply:
        data: dict[str, Any] = await reply.json(content_type=None)
        if reply.status >= 400:
            raise EngineFailed(f"llama-server answered {reply.status}: {str(data)[:300]}")
        return data
