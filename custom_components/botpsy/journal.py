"""An entry's journal: the newest entries at hand, all of them in Home Assistant's storage folder."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers.storage import STORAGE_DIR
from homeassistant.util import dt as dt_util

from botpsy_core.agent import FileJournal, Page, Row, entries_since, entry_at, page_of
from botpsy_core.domain.values import JsonObject

from .const import DOMAIN

AT_HAND: Final = 50
"""Entries in memory, for diagnostics."""

MOST_BYTES: Final = 8_000_000
"""Of each of the two files; about five thousand turns."""

type RowListener = Callable[[Row], None]


def journal_file(hass: HomeAssistant, entry_id: str) -> Path:
    """Return where an entry's journal is kept."""
    return Path(hass.config.path(STORAGE_DIR, f"{DOMAIN}.journal.{entry_id}.jsonl"))


def remove_journal(file: Path) -> None:
    """Forget everything that an entry has written down; blocks."""
    for each in (file, file.with_name(f"{file.name}.1")):
        each.unlink(missing_ok=True)


class HassJournal:
    """Writes in a thread of its own, and tells on the loop of what is safe."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        """Begin where the file ends."""
        self._hass = hass
        self._file = journal_file(hass, entry_id)
        self._listeners: list[RowListener] = []
        self._writer = FileJournal(self._file, max_bytes=MOST_BYTES, written=self._written)
        self.entries: list[JsonObject] = []
        self._stop = hass.bus.async_listen(EVENT_HOMEASSISTANT_FINAL_WRITE, self._ends)

    def record(self, entry: JsonObject) -> None:
        """Append an entry; one that names no time is of now."""
        entry = {"at": dt_util.now().isoformat(), **entry}
        self.entries.append(entry)
        del self.entries[:-AT_HAND]
        self._writer.record(entry)

    @callback
    def async_listen(self, listener: RowListener) -> CALLBACK_TYPE:
        """Call back with every entry once it is written; return what stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def async_page(self, *, before: str | None, count: int, keep: Callable[[JsonObject], bool]) -> Page:
        """Return entries before a mark, newest first, that are for this reader."""
        return await self._hass.async_add_executor_job(
            lambda: page_of(self._file, before=before, count=count, keep=keep)
        )

    async def async_since(self, since: datetime, *, keep: Callable[[JsonObject], bool]) -> Sequence[JsonObject]:
        """Return the entries from a time on that are for this reader, newest first."""
        return await self._hass.async_add_executor_job(entries_since, self._file, since, keep)

    async def async_entry(self, mark: str) -> JsonObject | None:
        """Return one entry whole, or None where it is there no more."""
        return await self._hass.async_add_executor_job(entry_at, self._file, mark)

    async def async_close(self) -> None:
        """Write what waits, and stop."""
        self._stop()
        await self._ends()

    async def _ends(self, _event: Event | None = None) -> None:
        await self._hass.async_add_executor_job(self._writer.close)

    def _written(self, mark: str, entry: JsonObject) -> None:
        if self._listeners:
            self._hass.loop.call_soon_threadsafe(self._tell, Row(mark=mark, entry=entry))

    @callback
    def _tell(self, row: Row) -> None:
        for listener in tuple(self._listeners):
            listener(row)
