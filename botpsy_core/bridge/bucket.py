"""A token bucket: so many at once, so many a second after that."""

from botpsy_core.ports import Clock


class Bucket:
    """Refills with time; takes constant memory whatever comes."""

    def __init__(self, clock: Clock, *, burst: int, per_second: float) -> None:
        self._clock = clock
        self._burst = float(burst)
        self._per_second = per_second
        self._level = float(burst)
        self._at = clock.monotonic()

    def take(self) -> bool:
        """Take one if there is one."""
        now = self._clock.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._per_second)
        self._at = now
        if self._level < 1.0:
            return False
        self._level -= 1.0
        return True
