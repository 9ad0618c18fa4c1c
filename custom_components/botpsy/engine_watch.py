"""An engine that is watched: whether it can be used, and how fast it was."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from homeassistant.core import CALLBACK_TYPE, callback
from homeassistant.util import dt as dt_util

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.errors import EngineFailed, ModelFileInvalid
from botpsy_core.ports import Engine

from .const import LOGGER

SLOW_AFTER: Final = 2
"""Answers in a row that were not ready in time, from which the model counts as too slow."""


@dataclass(slots=True, kw_only=True)
class EngineHealth:
    """What is known of an engine; nothing of it says what was asked."""

    available: bool = True
    problem: str = ""
    """Why it is not available."""
    failures: int = 0
    """Since the entry was loaded."""
    last_failure: datetime | None = None
    model: ModelInfo | None = None
    tokens_per_second: float | None = None
    """Of the last generation that wrote at least one token."""
    cached_share: float | None = None
    """Of the last prompt, what did not have to be read again, 0 to 1."""
    slow: bool = False
    """True while the newest answers did not come in time."""
    waiting: int = 0
    """Generations that run or wait."""


class WatchedEngine:
    """Passes everything on to an engine and notes how it went."""

    def __init__(self, engine: Engine) -> None:
        """Take the engine that does the work."""
        self._engine = engine
        self._listeners: list[Callable[[], None]] = []
        self._late = 0
        self.health = EngineHealth()

    @callback
    def async_listen(self, changed: Callable[[], None]) -> CALLBACK_TYPE:
        """Call back after every change of `health`; return what stops it."""
        self._listeners.append(changed)
        return lambda: self._listeners.remove(changed)

    async def info(self) -> ModelInfo:
        """Return what is known of the model; raise EngineFailed or ModelFileInvalid."""
        try:
            self.health.model = await self._engine.info()
        except (EngineFailed, ModelFileInvalid) as error:
            self._failed(error)
            raise
        self._works()
        return self.health.model

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Yield what the engine yields; closing the iterator cancels the generation."""
        self.health.waiting += 1
        self._tell()
        try:
            async with aclosing(self._engine.generate(prompt, grammar, limits)) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    if isinstance(piece, Finished):
                        self._measure(piece)
                    yield piece
        except (EngineFailed, ModelFileInvalid) as error:
            self._failed(error)
            raise
        finally:
            self.health.waiting -= 1
            self._tell()

    async def prepare(self, prefix: str) -> None:
        """Let the engine read what never changes; raise EngineFailed."""
        try:
            await self._engine.prepare(prefix)
        except (EngineFailed, ModelFileInvalid) as error:
            self._failed(error)
            raise
        self._works()

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Return the log probability of each continuation, or None where it cannot be told."""
        try:
            return await self._engine.score(prompt, continuations)
        except (EngineFailed, ModelFileInvalid) as error:
            self._failed(error)
            raise

    async def close(self) -> None:
        """Free the model."""
        await self._engine.close()

    def _measure(self, finished: Finished) -> None:
        if finished.reason != "cancelled":
            self._late = self._late + 1 if finished.reason == "timeout" else 0
            self.health.slow = self._late >= SLOW_AFTER
        if finished.generated_tokens and finished.seconds > 0:
            self.health.tokens_per_second = round(finished.generated_tokens / finished.seconds, 1)
        if finished.prompt_tokens:
            self.health.cached_share = 1 - finished.prompt_tokens_evaluated / finished.prompt_tokens
        self._works()

    def _works(self) -> None:
        if not self.health.available:
            LOGGER.info("the model is available again")
        self.health.available, self.health.problem = True, ""
        self._tell()

    def _failed(self, error: EngineFailed | ModelFileInvalid) -> None:
        if self.health.available:
            LOGGER.warning("the model is not available: %s", error)
        self.health.available, self.health.problem = False, str(error)
        self.health.failures += 1
        self.health.last_failure = dt_util.utcnow()
        self._tell()

    def _tell(self) -> None:
        for changed in tuple(self._listeners):
            changed()
