"""Keeps one worker alive: starts it, notices its death, starts another, gives up with a reason, unloads when idle."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import fields
from enum import StrEnum
from typing import Any

from botpsy_core.domain.engine import ModelInfo
from botpsy_core.engine.exchange import failure
from botpsy_core.engine.process import WorkerDied, WorkerProcess
from botpsy_core.engine.settings import EngineSettings
from botpsy_core.engine.turnstile import Turnstile
from botpsy_core.errors import EngineBusy, EngineFailed, ModelFileInvalid

LOG = logging.getLogger(__name__)

BACK_OFF_S = (0.0, 2.0, 10.0, 30.0, 300.0)
"""Wait after the first, second ... failed start in a row; the last one is what giving up means."""

REVIVE_S = 1.0
MOST_REVIVE_S = 60.0


class EngineState(StrEnum):
    """What an entity may show."""

    STOPPED = "stopped"
    """Not loaded; the next request starts it."""
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


class Keeper:
    """Holds the worker for whoever has passed the turnstile."""

    def __init__(
        self, settings: EngineSettings, turnstile: Turnstile, on_state: Callable[[EngineState, str], None] | None
    ) -> None:
        """Start nothing yet."""
        self.state = EngineState.STOPPED
        self.reason = ""
        self.worker: WorkerProcess | None = None
        self.info: ModelInfo | None = None
        self.settings = settings
        self._turnstile = turnstile
        self._on_state = on_state
        self._failures = 0
        """Starts in a row that went wrong."""
        self._deaths = 0
        """Deaths in a row without an answer between them."""
        self._retry_at = 0.0
        self._idle: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._burials: set[asyncio.Task[None]] = set()

    async def running(self) -> WorkerProcess:
        """Return a worker that is ready, starting one where needed; raise EngineFailed or ModelFileInvalid."""
        self._stop_clock()
        if self.worker is not None:
            if self.worker.alive:
                return self.worker
            self.lost(self.worker, await self.worker.last_words())
        wait = self._retry_at - time.monotonic()
        if wait > 0:
            raise EngineFailed(f"{self.reason}; next try in {wait:.0f} seconds")
        self._become(EngineState.STARTING, "")
        try:
            self.worker = await self._start()
        except (EngineFailed, ModelFileInvalid) as error:
            self._retry_at = time.monotonic() + BACK_OFF_S[min(self._failures, len(BACK_OFF_S) - 1)]
            self._failures += 1
            self._become(EngineState.FAILED, str(error))
            raise
        except BaseException:
            self._become(EngineState.STOPPED, "")
            raise
        self._failures = 0
        self.spawn(self._watch(self.worker))
        self._become(EngineState.READY, "")
        return self.worker

    def answered(self) -> None:
        """Note that the worker does its work."""
        self._deaths = 0

    def lost(self, worker: WorkerProcess, reason: str) -> None:
        """Be rid of a worker and start another soon; do nothing where it was already given up."""
        if self.worker is not worker:
            return
        LOG.warning("the model's process is lost: %s", reason)
        self._bury(worker)
        self.worker = None
        self._become(EngineState.FAILED, reason)
        self.spawn(self._revive(min(REVIVE_S * 2**self._deaths, MOST_REVIVE_S)))
        self._deaths += 1

    def rest(self) -> None:
        """Unload later where nobody comes."""
        self._stop_clock()
        if self.settings.idle_unload_s is not None and self.worker is not None:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(self.settings.idle_unload_s, lambda: self.spawn(self._unload_if_idle()))

    async def close(self) -> None:
        """End the worker and everything that waits to start another; forget past failures."""
        self._failures, self._retry_at, self._deaths = 0, 0.0, 0
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._unload()
        await asyncio.gather(*self._burials, return_exceptions=True)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that nobody waits for."""
        task = asyncio.get_running_loop().create_task(work, name="botpsy engine")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _start(self) -> WorkerProcess:
        began, settings = time.monotonic(), self.settings
        worker = await WorkerProcess.start()
        try:
            async with asyncio.timeout(settings.start_timeout_s):
                await worker.send({"op": "load", "id": 0, **settings.as_request()})
                answer = await worker.receive()
        except WorkerDied as error:
            self._bury(worker)
            raise EngineFailed(f"the model could not be started: {error}") from error
        except TimeoutError as error:
            self._bury(worker)
            raise EngineFailed(f"the model was not loaded within {settings.start_timeout_s:.0f} seconds") from error
        except BaseException:
            self._bury(worker)
            raise
        if answer["event"] == "failed":
            self._bury(worker)
            raise failure(answer)
        known = {field.name: answer[field.name] for field in fields(ModelInfo)}
        self.info = ModelInfo(**{**known, "special": tuple(known["special"])})
        LOG.info("model %s loaded in %.1f s, process %d", self.info.name, time.monotonic() - began, worker.pid)
        return worker

    def _bury(self, worker: WorkerProcess) -> None:
        """End a worker and leave nothing of it behind, while the turn goes on."""
        worker.kill()
        task = asyncio.get_running_loop().create_task(worker.end(), name="botpsy engine end")
        self._burials.add(task)
        task.add_done_callback(self._burials.discard)

    async def _revive(self, seconds: float) -> None:
        """Start a worker again without being asked, until that has failed too often."""
        await asyncio.sleep(seconds)
        while self.worker is None and self._failures < len(BACK_OFF_S):
            try:
                async with self._turnstile.inside(self.settings.start_timeout_s):
                    await self.running()
                    self.rest()
            except EngineBusy, EngineFailed, ModelFileInvalid:
                await asyncio.sleep(max(self._retry_at - time.monotonic(), REVIVE_S))

    async def _watch(self, worker: WorkerProcess) -> None:
        """Notice a death between two requests."""
        await worker.wait()
        if not self._turnstile.busy:
            self.lost(worker, await worker.last_words())

    async def _unload_if_idle(self) -> None:
        if not self._turnstile.busy:
            async with self._turnstile.inside(1):
                await self._unload()

    async def _unload(self) -> None:
        self._stop_clock()
        worker, self.worker = self.worker, None
        if worker is not None:
            await worker.close()
        self._become(EngineState.STOPPED, "")

    def _stop_clock(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _become(self, state: EngineState, reason: str) -> None:
        if (state, reason) == (self.state, self.reason):
            return
        self.state, self.reason = state, reason
        if self._on_state is not None:
            self._on_state(state, reason)
