"""An engine whose failure ends a measurement; the product itself would say so and go on."""

from collections.abc import AsyncIterator, Sequence

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.errors import HostFault
from botpsy_core.ports import Engine


class Watched:
    """Implements `ports.Engine` over another one and keeps what it failed with."""

    def __init__(self, engine: Engine) -> None:
        """Take the engine that answers."""
        self._engine = engine
        self._fault: HostFault | None = None

    def check(self) -> None:
        """Raise what the engine has failed with since the last check."""
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault

    async def info(self) -> ModelInfo:
        """Return the engine's own account."""
        try:
            return await self._engine.info()
        except HostFault as fault:
            self._fault = fault
            raise

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Yield what the engine yields."""
        try:
            async for part in self._engine.generate(prompt, grammar, limits):
                yield part
        except HostFault as fault:
            self._fault = fault
            raise

    async def prepare(self, prefix: str) -> None:
        """Let the engine read ahead."""
        await self._engine.prepare(prefix)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Return the engine's scores."""
        try:
            return await self._engine.score(prompt, continuations)
        except HostFault as fault:
            self._fault = fault
            raise

    async def close(self) -> None:
        """Free the engine."""
        await self._engine.close()
