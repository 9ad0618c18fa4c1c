"""A model in a child process that may be lost at any moment: started, watched, ended and started anew."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from enum import StrEnum
from itertools import count
from typing import Any

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.engine.exchange import Exchange, failure
from botpsy_core.engine.process import WorkerDied, WorkerProcess
from botpsy_core.engine.settings import EngineSettings
from botpsy_core.engine.turnstile import Turnstile
from botpsy_core.errors import EngineFailed, ModelFileInvalid

LOG = logging.getLogger(__name__)

BACK_OFF_S = (0.0, 2.0, 10.0, 30.0, 300.0)
"""Wait after the first, second ... failed start in a row; the last one is what giving up means."""

CANCEL_S = 2.0
"""Seconds after which a worker that does not obey a cancel is killed."""

SCORE_TIMEOUT_S = 60.0


class EngineState(StrEnum):
    """What an entity may show."""

    STOPPED = "stopped"
    """Not loaded; the next request starts it."""
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


class LocalEngine:
    """Implements `ports.Engine` with a supervised worker."""

    def __init__(self, settings: EngineSettings, *, on_state: Callable[[EngineState, str], None] | None = None) -> None:
        """Start nothing yet; `on_state` hears of every change with its reason."""
        self.settings = settings
        self.state = EngineState.STOPPED
        self.reason = ""
        self._on_state = on_state
        self._turnstile = Turnstile(settings.queue_size)
        self._numbers = count(1)
        self._worker: WorkerProcess | None = None
        self._info: ModelInfo | None = None
        self._failures = 0
        self._retry_at = 0.0
        self._idle: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        """Return the worker's process id, or None where none runs."""
        return self._worker.pid if self._worker is not None and self._worker.alive else None

    async def info(self) -> ModelInfo:
        """Return what is known of the model, starting it where needed; raise EngineFailed or ModelFileInvalid."""
        if self._info is None:
            async with self._turnstile.inside(self.settings.start_timeout_s):
                await self._running()
        assert self._info is not None
        return self._info

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Yield pieces as they come and one Finished at the end; raise EngineFailed, EngineBusy or ModelFileInvalid."""
        request = {
            "op": "generate",
            "lark": grammar.lark if grammar is not None else None,
            "max_tokens": limits.max_tokens,
            "stop": list(limits.stop),
        }
        async with self._request(prompt, request, limits.timeout_s) as exchange:
            while not exchange.over:
                frame = await exchange.receive()
                kind = Piece if frame["event"] == "piece" else Finished
                yield kind(**{field.name: frame[field.name] for field in fields(kind)})

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Return the summed natural log probability of each continuation; raise EngineFailed or EngineBusy."""
        if not continuations:
            return ()
        request = {"op": "score", "continuations": list(continuations)}
        async with self._request(prompt, request, SCORE_TIMEOUT_S) as exchange:
            return tuple((await exchange.receive())["scores"])

    async def close(self) -> None:
        """Free the model; a later call starts it anew."""
        self._failures, self._retry_at = 0, 0.0
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._unload()

    @asynccontextmanager
    async def _request(self, prompt: Prompt, body: dict[str, Any], timeout_s: float) -> AsyncIterator[Exchange]:
        """Hold the worker for one request; what it does not finish is cancelled, where it dies or hangs it is lost."""
        await self._turnstile.enter(timeout_s)
        exchange: Exchange | None = None
        try:
            worker = await self._running()
            exchange = Exchange(worker, next(self._numbers), timeout_s + self.settings.grace_s)
            await exchange.send({**body, "prefix": prompt.prefix, "tail": prompt.tail, "timeout_s": timeout_s})
            yield exchange
        except WorkerDied as error:
            self._lost(str(error))
            raise EngineFailed(f"the model's process ended: {error}") from error
        except TimeoutError as error:
            self._lost("it did not answer in time")
            raise EngineFailed("the model's process hung and was ended") from error
        finally:
            if exchange is None or exchange.over or self._worker is not exchange.worker:
                self._rest()
            else:
                self._spawn(self._cancel(exchange))

    async def _running(self) -> WorkerProcess:
        """Return a worker that is ready, starting one where needed."""
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._worker is not None:
            if self._worker.alive:
                return self._worker
            self._lost(await self._worker.last_words())
        wait = self._retry_at - time.monotonic()
        if wait > 0:
            raise EngineFailed(f"{self.reason}; next try in {wait:.0f} seconds")
        self._become(EngineState.STARTING, "")
        try:
            self._worker = await self._start()
        except (EngineFailed, ModelFileInvalid) as error:
            self._retry_at = time.monotonic() + BACK_OFF_S[min(self._failures, len(BACK_OFF_S) - 1)]
            self._failures += 1
            self._become(EngineState.FAILED, str(error))
            raise
        except BaseException:
            self._become(EngineState.STOPPED, "")
            raise
        self._failures = 0
        self._become(EngineState.READY, "")
        return self._worker

    async def _start(self) -> WorkerProcess:
        began = time.monotonic()
        worker = await WorkerProcess.start()
        settings = self.settings
        request = {
            "op": "load",
            "id": 0,
            "model": str(settings.model),
            "context_tokens": settings.context_tokens,
            "threads": settings.threads,
            "state_dir": str(settings.state_dir) if settings.state_dir is not None else None,
            "memory_limit_mb": settings.memory_limit_mb,
            "nice": settings.nice,
            "reuse": settings.reuse,
            "forced_runs": settings.forced_runs,
        }
        try:
            async with asyncio.timeout(settings.start_timeout_s):
                await worker.send(request)
                answer = await worker.receive()
        except WorkerDied as error:
            raise EngineFailed(f"the model could not be started: {error}") from error
        except TimeoutError as error:
            worker.kill()
            raise EngineFailed(f"the model was not loaded within {settings.start_timeout_s:.0f} seconds") from error
        except BaseException:
            worker.kill()
            raise
        if answer["event"] == "failed":
            await worker.close()
            raise failure(answer)
        self._info = ModelInfo(**{field.name: answer[field.name] for field in fields(ModelInfo)})
        LOG.info("model %s loaded in %.1f s, process %d", self._info.name, time.monotonic() - began, worker.pid)
        return worker

    async def _cancel(self, exchange: Exchange) -> None:
        """Stop a request that nobody waits for; its turn is over when the worker has stopped."""
        try:
            await exchange.cancel(CANCEL_S)
        except (WorkerDied, TimeoutError) as error:
            self._lost(str(error) or "it did not stop when told to")
        finally:
            self._rest()

    def _lost(self, reason: str) -> None:
        """Be rid of the worker; the next request starts another."""
        LOG.warning("the model's process is lost: %s", reason)
        if self._worker is not None:
            self._worker.kill()
        self._worker = None
        self._become(EngineState.STOPPED, reason)

    def _rest(self) -> None:
        """Let the next request in, and unload later where nobody comes."""
        self._turnstile.leave()
        if self.settings.idle_unload_s is not None and self._worker is not None:
            if self._idle is not None:
                self._idle.cancel()
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(self.settings.idle_unload_s, lambda: self._spawn(self._unload_if_idle()))

    async def _unload_if_idle(self) -> None:
        if not self._turnstile.busy:
            async with self._turnstile.inside(1):
                await self._unload()

    async def _unload(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.close()
        self._become(EngineState.STOPPED, "")

    def _become(self, state: EngineState, reason: str) -> None:
        if (state, reason) == (self.state, self.reason):
            return
        self.state, self.reason = state, reason
        if self._on_state is not None:
            self._on_state(state, reason)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work, name="botpsy engine")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
