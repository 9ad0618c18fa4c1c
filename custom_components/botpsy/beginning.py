"""The work of an entry that Home Assistant's start does not wait for."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.start import async_at_started
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN

WAIT_S: Final = 30.0
"""How long a caller waits for an entry that is still beginning."""

BEGINNINGS: HassKey[dict[str, Beginning]] = HassKey(f"{DOMAIN}_beginnings")
"""By entry; those that have not ended."""


class Beginning:
    """Begins once Home Assistant has started, or sooner for whoever cannot wait that long."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry, begin: Callable[[], Awaitable[None]]) -> None:
        """Take what is to be done."""
        self._hass = hass
        self._entry = entry
        self._begin = begin
        self._task: asyncio.Task[None] | None = None
        self._stop_waiting: CALLBACK_TYPE | None = None

    @callback
    def async_wait_for_start(self) -> None:
        """Begin when Home Assistant has started."""
        self._hass.data.setdefault(BEGINNINGS, {})[self._entry.entry_id] = self
        self._stop_waiting = async_at_started(self._hass, self._started)

    @callback
    def async_hurry(self) -> asyncio.Task[None]:
        """Return the work, which begins now where it has not yet."""
        if self._task is None:
            self._task = self._entry.async_create_background_task(self._hass, self._run(), name=f"{DOMAIN} begins")
        return self._task

    @callback
    def async_stop(self) -> None:
        """Let go of it; the work itself ends with the entry's other tasks."""
        self._forget()
        if self._stop_waiting:
            self._stop_waiting()

    @callback
    def _started(self, hass: HomeAssistant) -> None:
        self.async_hurry()

    async def _run(self) -> None:
        try:
            await self._begin()
        finally:
            self._forget()

    def _forget(self) -> None:
        self._hass.data.get(BEGINNINGS, {}).pop(self._entry.entry_id, None)


async def async_begun(hass: HomeAssistant) -> None:
    """Wait until no entry is beginning any more, at most for as long as a caller would."""
    beginnings = tuple(hass.data.get(BEGINNINGS, {}).values())
    if works := [each.async_hurry() for each in beginnings]:
        await asyncio.wait(works, timeout=WAIT_S)
