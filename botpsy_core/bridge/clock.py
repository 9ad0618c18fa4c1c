"""The clock of the machine."""

import time
from datetime import datetime


class SystemClock:
    """Time as the operating system tells it."""

    def now(self) -> datetime:
        """Return the current time in the machine's zone, which is the home's, aware."""
        return datetime.now().astimezone()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()
