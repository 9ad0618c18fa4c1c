"""Latency of a command, a flood of requests, a fleet that talks all the time."""

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from botpsy_core.bridge import (
    Filter,
    ProfileToolbox,
    Request,
    RequestServer,
    RequestSettings,
    SystemClock,
    Transport,
    UseTool,
)
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall
from botpsy_core.domain.values import JsonObject
from tests.core.bridge.brokers import ROOT, Mosquitto
from tests.core.bridge.lots_of_cars import Cars
from tests.soak.connections import cars, connected, listening, own
from tests.soak.echo import Echo
from tests.soak.publisher import VEHICLES

PROBE_S = 0.01


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]


async def latency(kind: str, folder: Path, *, runs: int, nodelay: bool) -> dict[str, tuple[float, float]]:
    """Return median and p99 in seconds: of a raw publish and echo, of a request to its acknowledged command, and on."""
    # as it is installed, mosquitto lets a message wait 40 ms for TCP's delayed acknowledgement, ours and the bare alike
    broker = Mosquitto(folder, "allow_anonymous true", f"set_tcp_nodelay {str(nodelay).lower()}")
    peer = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.soak.peer", str(broker.port), cwd=ROOT)
    plain: list[float] = []
    acknowledged: list[float] = []
    answered: list[float] = []
    ends: list[float] = []
    try:
        async with connected(kind, broker.port) as transport, listening(cars(["car0"]), transport) as toolbox:
            raw = Echo(broker.port, "raw/back")
            asker = Echo(broker.port, "botpsy/response/soak")
            server = _server(toolbox, transport, ends=ends)
            await server.start()
            await asyncio.sleep(1)
            for number in range(runs):
                plain.append(await asyncio.to_thread(raw.round_trip, "raw/there", "climatecontrol on"))
                toolbox._courier._ledger._sent.clear()
                command = f"car0_{'start' if number % 2 == 0 else 'stop'}_climate"
                request = json.dumps({"id": f"r{number}", "tool": command})
                answered.append(await asyncio.to_thread(asker.round_trip, "botpsy/request/soak", request))
                acknowledged.append(ends[-1] - asker.started)
            assert server.counts.done == runs
            await server.close()
            raw.close()
            asker.close()
    finally:
        peer.terminate()
        await peer.wait()
        broker.stop()
    return {"raw": spread(plain), "acknowledged": spread(acknowledged), "answered": spread(answered)}


def _server(
    toolbox: ProfileToolbox, transport: Transport, *, ends: list[float] | None = None, **settings: int
) -> RequestServer:
    async def run(request: Request) -> JsonObject:
        assert isinstance(request.ask, UseTool)
        context = TurnContext(
            conversation_id=request.id, origin=Origin.MQTT, now=SystemClock().now(), deadline_s=request.deadline_s
        )
        result = await toolbox.execute(ToolCall(id=request.id, name=request.ask.tool, args=request.ask.args), context)
        if ends is not None:
            assert result.outcome is Outcome.DONE, result
            ends.append(time.perf_counter())
        return {"status": result.outcome, "calls": [], "reason": None, "reply": ""}

    limits = {"burst": 1_000_000, "per_minute": 1_000_000} | settings
    server = RequestServer(transport, SystemClock(), run, RequestSettings(users={"soak": "soak"}, **limits))
    if not settings:
        for user in server._users.values():
            user.answers._burst = user.answers._level = 1e9
    return server


async def lag(seconds: float) -> list[float]:
    """Return by how much each wake-up of the event loop came late."""
    late: list[float] = []
    until = time.perf_counter() + seconds
    while (now := time.perf_counter()) < until:
        await asyncio.sleep(PROBE_S)
        late.append(max(0.0, time.perf_counter() - now - PROBE_S))
    return late


async def publisher(port: int, rate: int, seconds: float, what: str) -> asyncio.subprocess.Process:
    """Start the publishing program."""
    command = (sys.executable, "-m", "tests.soak.publisher", str(port), str(rate), str(seconds), what)
    return await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)


async def flood(folder: Path, *, rate: int, seconds: float) -> dict[str, float]:
    """Return loop lag before and during a flood of requests, the growth of memory, and what was answered."""
    broker = Mosquitto(folder)
    fleet = Cars(broker.port, ["car0"])
    answers = 0

    def count(_message: object) -> None:
        nonlocal answers
        answers += 1

    try:
        async with own(broker.port) as transport, listening(cars(["car0"]), transport) as toolbox:
            server = _server(toolbox, transport, burst=6, per_minute=20)
            await server.start()
            await transport.subscribe(Filter("botpsy/response/#"), count)
            calm = spread(await lag(3))
            process = await publisher(broker.port, rate, seconds, "requests")
            await asyncio.sleep(2)
            before = _resident_mb()
            busy = spread(await lag(seconds - 3))
            after = _resident_mb()
            out, _ = await process.communicate()
            await server.close()
            return {
                "sent": float(out),
                "answered": float(answers),
                "done": server.counts.done,
                "dropped": server.counts.dropped,
                "lag_p99_calm_ms": calm[1] * 1e3,
                "lag_p99_ms": busy[1] * 1e3,
                "memory_growth_mb": after - before,
            }
    finally:
        fleet.close()
        broker.stop()


async def fleet_lag(kind: str, folder: Path, *, rate: int, seconds: float, rounds: int) -> dict[str, float]:
    """Return loop lag under a fleet's flood: with one bare subscription, and with the toolbox."""
    broker = Mosquitto(folder)
    bare: list[float] = []
    ours: list[float] = []
    heard = [0, 0]
    names = [f"car{i}" for i in range(VEHICLES)]

    def bare_heard(_message: object) -> None:
        heard[0] += 1

    try:
        for _ in range(rounds):
            async with connected(kind, broker.port) as transport:
                await transport.subscribe(Filter("ovms/lots/#"), bare_heard)
                bare += await _lag_under(broker.port, rate, seconds)
            async with connected(kind, broker.port) as transport:
                toolbox = ProfileToolbox(cars(names), transport, SystemClock())
                await toolbox.start()
                stop = toolbox.on_change(lambda _slug: None)
                ours += await _lag_under(broker.port, rate, seconds)
                heard[1] += sum(toolbox.reading(name, "speed").live for name in names)
                stop()
                await toolbox.close()
    finally:
        broker.stop()
    return {
        "bare_p99_ms": spread(bare)[1] * 1e3,
        "ours_p99_ms": spread(ours)[1] * 1e3,
        "ratio": spread(ours)[1] / spread(bare)[1],
        "bare_median_ms": spread(bare)[0] * 1e3,
        "ours_median_ms": spread(ours)[0] * 1e3,
        "heard_per_s": heard[0] / (rounds * seconds),
        "live_vehicles": heard[1] / rounds,
    }


async def _lag_under(port: int, rate: int, seconds: float) -> list[float]:
    process = await publisher(port, rate, seconds, "fleet")
    await asyncio.sleep(1.5)
    late = await lag(seconds - 2)
    await process.communicate()
    return late


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
