"""Load the model before somebody needs it, and again when it was lost."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later

from botpsy_core.errors import BotPsyError

from .const import DOMAIN
from .engine_watch import WatchedEngine

RETRY_S: Final = (5.0, 30.0, 120.0, 600.0)
"""Waits before a lost model is loaded again without anybody asking; a turn tries at once."""


class Recovery:
    """Warms the model up in the background, for as long as the entry is loaded."""

    def __init__(
        self, hass: HomeAssistant, entry: ConfigEntry, engine: WatchedEngine, warm: Callable[[], Awaitable[None]]
    ) -> None:
        """Take the engine to watch and what loads it."""
        self._hass = hass
        self._entry = entry
        self._engine = engine
        self._warm = warm
        self._tried = 0
        self._timer: CALLBACK_TYPE | None = None

    @callback
    def async_start(self) -> CALLBACK_TYPE:
        """Warm up now, and follow the engine's health; return what stops it."""
        stop_listening = self._engine.async_listen(self._health_changed)
        self._begin()

        @callback
        def stop() -> None:
            stop_listening()
            self._forget_timer()

        return stop

    @callback
    def _begin(self, _now: datetime | None = None) -> None:
        self._timer = None
        self._entry.async_create_background_task(self._hass, self._try(), name=f"{DOMAIN} warm-up")

    async def _try(self) -> None:
        # What goes wrong is kept in the engine's health, from where entities and the repair issue show it.
        with suppress(BotPsyError):
            await self._warm()

    @callback
    def _health_changed(self) -> None:
        if self._engine.health.available:
            self._tried = 0
            self._forget_timer()
        elif self._timer is None:
            wait_s = RETRY_S[min(self._tried, len(RETRY_S) - 1)]
            self._tried += 1
            self._timer = async_call_later(self._hass, wait_s, self._begin)

    def _forget_timer(self) -> None:
        if self._timer:
            self._timer()
            self._timer = None
