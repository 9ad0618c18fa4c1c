"""Two engines as one: the strong one far away, the small one here for when it is gone."""

import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.errors import EngineBusy, EngineFailed
from botpsy_core.ports import Engine

LOG = logging.getLogger(__name__)

RETRY_S = 30.0
"""Seconds for which the first engine is left alone after a failure."""


class FallbackEngine:
    """Implements `ports.Engine`: `info` chooses, and everything up to the next `info` goes to what it chose.

    A prompt is written for one model's template, so the engine never changes between the two.
    """

    def __init__(self, first: Engine, second: Engine, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Prefer the first."""
        self._first = first
        self._second = second
        self._clock = clock
        self._current = first
        self._again_at = 0.0

    @property
    def on_second(self) -> bool:
        """Return True while the second engine answers."""
        return self._current is self._second

    async def info(self) -> ModelInfo:
        """Return what is known of the engine that answers from here on; raise EngineFailed where neither does."""
        if self._clock() >= self._again_at:
            try:
                info = await self._first.info()
            except (EngineFailed, EngineBusy) as error:
                self._down(error)
            else:
                self._current = self._first
                return info
        self._current = self._second
        return await self._second.info()

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Pass on; a failure of the first costs this turn, the next one goes to the second."""
        engine = self._current
        try:
            async for item in engine.generate(prompt, grammar, limits):
                yield item
        except (EngineFailed, EngineBusy) as error:
            if engine is self._first:
                self._down(error)
            raise

    async def prepare(self, prefix: str) -> None:
        """Pass on."""
        await self._current.prepare(prefix)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Pass on."""
        engine = self._current
        try:
            return await engine.score(prompt, continuations)
        except (EngineFailed, EngineBusy) as error:
            if engine is self._first:
                self._down(error)
            raise

    async def close(self) -> None:
        """Free both."""
        await self._first.close()
        await self._second.close()

    def _down(self, error: Exception) -> None:
        LOG.warning("the first engine is not used for %d seconds: %s", RETRY_S, error)
        self._again_at = self._clock() + RETRY_S
