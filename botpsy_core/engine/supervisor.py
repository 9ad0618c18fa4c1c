"""A model in a child process that may be lost at any moment, as `ports.Engine`."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import fields
from itertools import count
from typing import Any

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.engine.exchange import Exchange, Request
from botpsy_core.engine.keeper import EngineState, Keeper
from botpsy_core.engine.process import WorkerDied
from botpsy_core.engine.settings import EngineSettings
from botpsy_core.engine.stats import EngineStats
from botpsy_core.engine.turnstile import Turnstile
from botpsy_core.errors import EngineFailed

CANCEL_S = 2.0
"""Seconds after which a worker that does not obey a cancel is killed."""

SCORE_TIMEOUT_S = 60.0

PREPARE_TIMEOUT_S = 600.0
"""Seconds for 128 tokens; the slowest machine reads one in a second."""


class LocalEngine:
    """Asks a supervised worker, one request at a time."""

    def __init__(self, settings: EngineSettings, *, on_state: Callable[[EngineState, str], None] | None = None) -> None:
        """Start nothing yet; `on_state` hears of every change with its reason."""
        self.settings = settings
        self._turnstile = Turnstile(settings.queue_size)
        self._keeper = Keeper(settings, self._turnstile, on_state)
        self._numbers = count(1)

    @property
    def state(self) -> EngineState:
        """Return what the worker is doing."""
        return self._keeper.state

    @property
    def reason(self) -> str:
        """Return why the state is FAILED, empty otherwise."""
        return self._keeper.reason

    @property
    def pid(self) -> int | None:
        """Return the worker's process id, or None where none runs."""
        worker = self._keeper.worker
        return worker.pid if worker is not None and worker.alive else None

    async def info(self) -> ModelInfo:
        """Return what is known of the model, starting it where needed; raise EngineFailed or ModelFileInvalid."""
        if self._keeper.info is None:
            async with self._turnstile.inside(self.settings.start_timeout_s):
                await self._keeper.running()
                self._keeper.rest()
        assert self._keeper.info is not None
        return self._keeper.info

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncGenerator[Piece | Finished]:
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

    async def prepare(self, prefix: str) -> None:
        """Read a prefix ahead of its first use, giving way to every request; raise EngineFailed or ModelFileInvalid."""
        left = 1
        while left:
            async with self._request(Prompt(prefix=prefix, tail=""), {"op": "prepare"}, PREPARE_TIMEOUT_S) as exchange:
                left = int((await exchange.receive())["left"])

    async def stats(self) -> EngineStats:
        """Return what the worker uses, starting it where needed; raise EngineFailed or EngineBusy."""
        async with self._request(Prompt(prefix="", tail=""), {"op": "stats"}, SCORE_TIMEOUT_S) as exchange:
            told = await exchange.receive()
            return EngineStats.of(exchange.worker.pid, told)

    async def close(self) -> None:
        """Free the model; a later call starts it anew."""
        await self._keeper.close()

    def _request(self, prompt: Prompt, body: dict[str, Any], timeout_s: float) -> _Held:
        frame = {**body, "prefix": prompt.prefix, "tail": prompt.tail, "timeout_s": timeout_s}
        return _Held(self._keeper, self._turnstile, Request(next(self._numbers), frame, timeout_s))


class _Held:
    """Holds the worker for one request; what it does not finish is cancelled, where it dies or hangs it is lost."""

    def __init__(self, keeper: Keeper, turnstile: Turnstile, request: Request) -> None:
        self._keeper = keeper
        self._turnstile = turnstile
        self._request = request
        self._exchange: Exchange | None = None

    async def __aenter__(self) -> Exchange:
        await self._turnstile.enter(self._request.timeout_s)
        try:
            try:
                return await self._begin()
            except WorkerDied as error:
                if self._exchange is None or self._exchange.begun:
                    raise
                self._keeper.lost(self._exchange.worker, str(error))  # it died unused; nobody need notice
                return await self._begin()
        except BaseException as error:
            self._end(error)
            raise

    async def _begin(self) -> Exchange:
        self._exchange = None
        worker = await self._keeper.running()
        self._exchange = Exchange(worker, self._request, self._keeper.settings.grace_s)
        await self._exchange.begin()
        return self._exchange

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._end(error)

    def _end(self, error: BaseException | None) -> None:
        """Let the next request in, at once or as soon as the worker has stopped with this one."""
        exchange = self._exchange
        if exchange is None:
            self._leave()
            return
        if exchange.over:
            self._keeper.answered()
        if isinstance(error, WorkerDied | TimeoutError):
            self._keeper.lost(exchange.worker, str(error) or "it did not answer in time")
        if exchange.over or self._keeper.worker is not exchange.worker:
            self._leave()
        else:
            self._keeper.spawn(self._cancel(exchange))
        match error:
            case WorkerDied():
                raise EngineFailed(f"the model's process ended: {error}") from error
            case TimeoutError():
                raise EngineFailed("the model's process hung and was ended") from error
            case _:
                return

    async def _cancel(self, exchange: Exchange) -> None:
        """Stop a request that nobody waits for."""
        try:
            await exchange.cancel(CANCEL_S)
        except (WorkerDied, TimeoutError) as error:
            self._keeper.lost(exchange.worker, str(error) or "it did not stop when told to")
        finally:
            self._leave()

    def _leave(self) -> None:
        self._turnstile.leave()
        self._keeper.rest()
