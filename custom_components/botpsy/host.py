"""What the core asks of its host besides an engine, toolboxes and a journal: the time."""

from datetime import datetime
from time import monotonic

from homeassistant.util import dt as dt_util


class HassClock:
    """Home Assistant's time."""

    def now(self) -> datetime:
        """Return the current time in the home's zone."""
        return dt_util.now()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return monotonic()
