"""The measurements themselves, one after the other; what goes wrong in one costs its own figures and no other."""

import asyncio
import statistics
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from botpsy_core.domain.values import JsonValue
from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.evaluate.bench import bare, server
from botpsy_core.evaluate.bench.dialogue import Cost, hold, lags
from botpsy_core.evaluate.bench.figures import decodes, fresh, loop, over, size_ratio, wall
from botpsy_core.evaluate.bench.homes import COMMANDS, SIZES, home_of
from botpsy_core.evaluate.bench.rows import ROUNDS, Row, row
from botpsy_core.evaluate.bench.sameness import same_calls
from botpsy_core.evaluate.bench.whole_home import WholeHome

WHOLE_HOME_CONTEXT = 8192
"""Tokens that the rival with the whole home in its prompt needs; ours runs as it ships."""

RIVAL_ENTITIES = 100
STEP_S = 900.0
"""Seconds after which a measurement is given up."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One measurement and the figures that come of it."""

    title: str
    keys: tuple[str, ...]
    work: Callable[[], Awaitable[list[Row]]]


class Bench:
    """One run with one model."""

    def __init__(self, model: Path, *, rounds: int = ROUNDS, say: Callable[[str], object]) -> None:
        """Measure this file with so many dialogues for each size; `say` hears of the progress."""
        self._model = model
        self._rounds = rounds
        self._say = say
        self._state: Path | None = None
        self._ours: list[list[Cost]] = []
        """Our dialogues in the home that the rivals get."""
        self._threads = 1

    async def rows(self, only: Sequence[str] = ()) -> AsyncIterator[Row]:
        """Yield each figure as it is known; one that could not be measured tells why."""
        wanted, began = set(only), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            self._state = Path(folder)
            for step in self._steps():
                if wanted and not wanted & set(step.keys):
                    continue
                self._say(f"{step.title} ({(time.monotonic() - began) / 60:.1f} minutes so far)")
                for each in await self._measured(step):
                    if not wanted or each.key in wanted:
                        yield each

    def _steps(self) -> tuple[_Step, ...]:
        own = ("fresh_tokens", "size_ratio", "wall_over_engine", "decode_over_tokens", "loop_lag_p99_ms")
        return (
            _Step("a cold start and a restart", ("restart_ratio",), self._restart),
            _Step("our dialogues", (*own, "worker_overhead_mb"), self._own),
            _Step("the whole home in every prompt", ("over_full_prompt",), self._over_full_prompt),
            _Step("the bare model with its prompt kept", ("over_bare",), self._over_bare),
            _Step("llama-server with its prompt cache", ("over_llama_server",), self._over_llama_server),
            _Step("calls with and without snapshots, forced runs, shortlist", ("identical_calls",), self._same),
        )

    async def _measured(self, step: _Step) -> list[Row]:
        try:
            async with asyncio.timeout(STEP_S):
                return await step.work()
        except Exception as error:  # noqa: BLE001 - a bench tells what failed and goes on
            self._say(traceback.format_exc())
            fault = f"{type(error).__name__}: {error}"
            return [row(key, None, faults=[fault]) for key in step.keys]

    def _engine(self) -> LocalEngine:
        return LocalEngine(EngineSettings(model=self._model, state_dir=self._state))

    async def _own(self) -> list[Row]:
        """Measure our agent by itself."""
        engine = self._engine()
        dialogues: dict[int, list[list[Cost]]] = {}
        try:
            await engine.info()
            idle = await _lags_while(asyncio.sleep(3))
            busy: list[float] = []
            for size in SIZES:
                dialogues[size] = []
                for number in range(self._rounds):
                    self._say(f"  {size} entities, dialogue {number + 1} of {self._rounds}")
                    busy += await _lags_while(self._keep(engine, size, dialogues[size]))
            stats = await engine.stats()
        finally:
            await engine.close()
        self._ours, self._threads = dialogues[RIVAL_ENTITIES], stats.threads
        every = [cost for size in SIZES for costs in dialogues[size] for cost in costs]
        asked = [cost for cost in every if cost.generations]
        used: dict[str, JsonValue] = {**asdict(stats), "model_bytes": self._model.stat().st_size}
        return [
            fresh(dialogues),
            size_ratio(dialogues),
            wall(asked),
            decodes(asked),
            loop(idle, busy),
            row("worker_overhead_mb", stats.overhead_bytes / (1 << 20), used),
        ]

    @staticmethod
    async def _keep(engine: LocalEngine, size: int, into: list[list[Cost]]) -> None:
        into.append(await hold(engine, home_of(size)))

    async def _restart(self) -> list[Row]:
        """Compare the first command after a restart with the one after a cold start."""
        first = COMMANDS[0]
        read = []
        for _ in range(2):
            engine = self._engine()
            try:
                costs = await hold(engine, home_of(10), [first], warm=False)
            finally:
                await engine.close()
            read.append((costs[0].evaluated, costs[0].seconds))
        (cold, cold_s), (warm, warm_s) = read
        raw: dict[str, JsonValue] = {
            "cold_tokens": cold,
            "restart_tokens": warm,
            "cold_s": cold_s,
            "restart_s": warm_s,
            "command": first,
        }
        return [row("restart_ratio", warm / cold if cold else None, raw)]

    async def _our_seconds(self) -> list[float]:
        """Return the median time of each command of our dialogue, held now where it was not yet."""
        if not self._ours:
            self._say(f"  {RIVAL_ENTITIES} entities, our dialogue")
            engine = self._engine()
            try:
                self._ours = [await hold(engine, home_of(RIVAL_ENTITIES))]
                self._threads = (await engine.stats()).threads
            finally:
                await engine.close()
        return [statistics.median(costs[place].seconds for costs in self._ours) for place in range(len(COMMANDS))]

    async def _over_full_prompt(self) -> list[Row]:
        ours = await self._our_seconds()
        engine = LocalEngine(EngineSettings(model=self._model, context_tokens=WHOLE_HOME_CONTEXT))
        try:
            rival = WholeHome(engine, await engine.info(), home_of(RIVAL_ENTITIES))
            theirs = await rival.hold(say=self._say)
        finally:
            await engine.close()
        return [over("over_full_prompt", ours, [s for s, _ in theirs], {"read_by_command": [r for _, r in theirs]})]

    async def _over_bare(self) -> list[Row]:
        ours = await self._our_seconds()
        engine = LocalEngine(EngineSettings(model=self._model, context_tokens=WHOLE_HOME_CONTEXT))
        try:
            theirs = await bare.hold(engine, home_of(RIVAL_ENTITIES), say=self._say)
        finally:
            await engine.close()
        return [over("over_bare", ours, theirs, {})]

    async def _over_llama_server(self) -> list[Row]:
        ours = await self._our_seconds()
        rival = await asyncio.to_thread(server.LlamaServer, self._model, threads=self._threads)
        try:
            costs = await server.hold(rival.url, home_of(RIVAL_ENTITIES), say=self._say)
        finally:
            rival.close()
        raw: dict[str, JsonValue] = {"by_command": [dict(cost) for cost in costs], "threads": self._threads}
        return [over("over_llama_server", ours, [cost["seconds"] for cost in costs], raw)]

    async def _same(self) -> list[Row]:
        assert self._state is not None
        return [await same_calls(self._model, self._state, say=self._say)]


async def _lags_while(work: Awaitable[None]) -> list[float]:
    stop = asyncio.Event()
    sampling = asyncio.create_task(lags(stop))
    try:
        await work
    finally:
        stop.set()
    return await sampling
