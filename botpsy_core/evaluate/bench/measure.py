"""The measurements themselves, in the order that reads the long prompts as rarely as it can."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from botpsy_core.domain.values import JsonValue
from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.evaluate.bench.dialogue import Cost, hold, lags
from botpsy_core.evaluate.bench.figures import decodes, fresh, loop, over, size_ratio, wall
from botpsy_core.evaluate.bench.homes import COMMANDS, SIZES, home_of
from botpsy_core.evaluate.bench.rivals import LlamaServer, WholeHome, llama_server
from botpsy_core.evaluate.bench.rows import ROUNDS, Row
from botpsy_core.evaluate.bench.sameness import same_calls

_OWN = {
    "fresh_tokens",
    "size_ratio",
    "wall_over_engine",
    "decode_over_tokens",
    "loop_lag_p99_ms",
    "worker_overhead_mb",
}

WHOLE_HOME_CONTEXT = 8192
"""Tokens that the rival with the whole home in its prompt needs; ours runs as it ships."""


class Bench:
    """One run with one model."""

    def __init__(self, model: Path, *, rounds: int = ROUNDS, say: Callable[[str], object]) -> None:
        """Measure this file with so many dialogues for each size; `say` hears of the progress."""
        self._model = model
        self._rounds = rounds
        self._say = say

    async def rows(self, only: Sequence[str] = ()) -> AsyncIterator[Row]:
        """Yield each figure as it is known."""
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder)
            wanted = set(only)
            if not wanted or "restart_ratio" in wanted:
                self._say("a cold start and a restart")
                yield await self._restart(state)
            if not wanted or wanted & _OWN:
                for row in await self._own(state):
                    if not wanted or row.key in wanted:
                        yield row
            if not wanted or wanted & {"over_full_prompt", "over_llama_server"}:
                async for row in self._rivals(state, wanted):
                    yield row
            if not wanted or "identical_calls" in wanted:
                self._say("calls with and without snapshots, forced runs and shortlist")
                yield await same_calls(self._model, state)

    def _engine(self, state: Path) -> LocalEngine:
        return LocalEngine(EngineSettings(model=self._model, state_dir=state))

    async def _own(self, state: Path) -> list[Row]:
        """Measure our agent by itself."""
        engine = self._engine(state)
        dialogues: dict[int, list[list[Cost]]] = {}
        try:
            await engine.info()
            idle = await _lags_while(asyncio.sleep(3))
            busy: list[float] = []
            for size in SIZES:
                dialogues[size] = []
                for number in range(self._rounds):
                    self._say(f"{size} entities, dialogue {number + 1} of {self._rounds}")
                    busy += await _lags_while(self._keep(engine, size, dialogues[size]))
            stats = await engine.stats()
        finally:
            await engine.close()
        every = [cost for size in SIZES for costs in dialogues[size] for cost in costs]
        asked = [cost for cost in every if cost.generations]
        return [
            fresh(dialogues),
            size_ratio(dialogues),
            wall(asked),
            decodes(asked),
            loop(idle, busy),
            Row(
                key="worker_overhead_mb",
                what="worker memory beside the model's file and its state",
                value=stats.overhead_bytes / (1 << 20),
                bar=200,
                raw={**asdict(stats), "model_bytes": self._model.stat().st_size},
            ),
        ]

    @staticmethod
    async def _keep(engine: LocalEngine, size: int, into: list[list[Cost]]) -> None:
        into.append(await hold(engine, home_of(size)))

    async def _restart(self, state: Path) -> Row:
        """Compare the first command after a restart with the one after a cold start."""
        first = next(text for text in COMMANDS)
        read = []
        for _ in range(2):
            engine = self._engine(state)
            try:
                costs = await hold(engine, home_of(10), [first], warm=False)
            finally:
                await engine.close()
            read.append((costs[0].evaluated, costs[0].seconds))
        (cold, cold_s), (warm, warm_s) = read
        return Row(
            key="restart_ratio",
            what="prompt tokens read for the first command after a restart over those of a cold start",
            value=warm / cold if cold else None,
            bar=0.10,
            raw={"cold_tokens": cold, "restart_tokens": warm, "cold_s": cold_s, "restart_s": warm_s, "command": first},
        )

    async def _rivals(self, state: Path, wanted: set[str]) -> AsyncIterator[Row]:
        """Measure the same dialogue, ours and theirs, one after the other."""
        home = home_of(100)
        self._say("100 entities, our dialogue")
        engine = self._engine(state)
        try:
            ours = await hold(engine, home)
            threads = (await engine.stats()).threads
        finally:
            await engine.close()
        seconds = sum(cost.seconds for cost in ours)
        if not wanted or "over_full_prompt" in wanted:
            self._say("100 entities, the whole home in every prompt")
            engine = LocalEngine(EngineSettings(model=self._model, context_tokens=WHOLE_HOME_CONTEXT))
            try:
                theirs = await WholeHome(engine, await engine.info(), home).hold()
            finally:
                await engine.close()
            yield over("over_full_prompt", 0.2, seconds, sum(s for s, _ in theirs), {"read": [r for _, r in theirs]})
        if not wanted or "over_llama_server" in wanted:
            self._say("100 entities, llama-server with its prompt cache")
            yield await self._server_row(seconds, threads)

    async def _server_row(self, seconds: float, threads: int) -> Row:
        try:
            server = LlamaServer(self._model, context=16384, threads=threads)
        except OSError as error:
            return Row(key="over_llama_server", what="not measured", value=None, bar=0.5, raw={"problem": str(error)})
        try:
            costs = await llama_server(server.url, home_of(100))
        finally:
            server.close()
        raw: dict[str, JsonValue] = {"commands": [dict(cost) for cost in costs]}
        return over("over_llama_server", 0.5, seconds, sum(cost["seconds"] for cost in costs), raw)


async def _lags_while(work: Awaitable[None]) -> list[float]:
    stop = asyncio.Event()
    sampling = asyncio.create_task(lags(stop))
    try:
        await work
    finally:
        stop.set()
    return await sampling
