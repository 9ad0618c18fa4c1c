"""Count acts by class over a sliding minute."""

from collections import deque
from collections.abc import Mapping

from botpsy_core.domain.tools import Risk
from botpsy_core.ports import Clock

_WINDOW_S = 60.0


class RateLimiter:
    """Remembers when acts of each class went out."""

    def __init__(self, clock: Clock) -> None:
        """Take the clock that counts."""
        self._clock = clock
        self._acts: dict[Risk, deque[float]] = {risk: deque(maxlen=1000) for risk in Risk}

    def note(self, risk: Risk) -> None:
        """Count one act of this class now."""
        self._acts[risk].append(self._clock.monotonic())

    def last_minute(self) -> Mapping[Risk, int]:
        """Return how many acts of each class the last sixty seconds saw."""
        since = self._clock.monotonic() - _WINDOW_S
        for times in self._acts.values():
            while times and times[0] <= since:
                times.popleft()
        return {risk: len(times) for risk, times in self._acts.items()}
