"""A bounded queue in front of the one model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from botpsy_core.errors import EngineBusy


class Turnstile:
    """Lets one through at a time, in order; few may wait, and none for ever."""

    def __init__(self, size: int) -> None:
        """Let so many wait behind the one inside."""
        self._size = size
        self._waiting = 0
        self._lock = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """Return how many wait."""
        return self._waiting

    @property
    def busy(self) -> bool:
        """Return True while one is inside."""
        return self._lock.locked()

    async def enter(self, seconds: float) -> None:
        """Wait for the turn; raise EngineBusy where too many wait or it takes too long."""
        if self._lock.locked() and self._waiting >= self._size:
            raise EngineBusy(f"{self._waiting} requests wait already")
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self._lock.acquire()
        except TimeoutError as error:
            raise EngineBusy(f"the model was busy for {seconds:.0f} seconds") from error
        finally:
            self._waiting -= 1

    def leave(self) -> None:
        """Let the next one in."""
        self._lock.release()

    @asynccontextmanager
    async def inside(self, seconds: float) -> AsyncIterator[None]:
        """Hold the turn."""
        await self.enter(seconds)
        try:
            yield
        finally:
            self.leave()
