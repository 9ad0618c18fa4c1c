"""The clock of the machine."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Time as the operating system tells it."""

    def now(self) -> datetime:
        """Return the current time in UTC, aware."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()
