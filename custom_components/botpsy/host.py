"""What the core asks of its host besides an engine and toolboxes: the time, and a place to write down."""

from datetime import datetime
from time import monotonic
from typing import Final

from homeassistant.util import dt as dt_util

from botpsy_core.domain.values import JsonObject

JOURNAL_LENGTH: Final = 50


class HassClock:
    """Home Assistant's time."""

    def now(self) -> datetime:
        """Return the current time in the home's zone."""
        return dt_util.now()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return monotonic()


class RecentJournal:
    """Keeps the newest entries in memory, for diagnostics."""

    def __init__(self) -> None:
        """Begin empty."""
        self.entries: list[JsonObject] = []

    def record(self, entry: JsonObject) -> None:
        """Append an entry and forget the oldest."""
        self.entries.append(entry)
        del self.entries[:-JOURNAL_LENGTH]
