"""Where wrong PINs and the lock-out after them are kept, so that a restart gives no fresh tries."""

from typing import TYPE_CHECKING, Any, Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from .const import DOMAIN

if TYPE_CHECKING:
    from botpsy_core.safety import Attempts

STORE_VERSION: Final = 1


class HassAttemptStore:
    """One entry's wrong PINs in Home Assistant's storage folder: how many, never which."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        """Name the file after the entry."""
        self._store: Store[dict[str, Any]] = Store(hass, STORE_VERSION, f"{DOMAIN}.attempts.{entry_id}", private=True)
        self._unsaved: dict[str, Any] | None = None

    async def async_load(self) -> Attempts:
        """Return what was kept last."""
        from botpsy_core.safety import Attempts  # whoever counts attempts has loaded it

        data = await self._store.async_load() or {}
        until = dt_util.parse_datetime(data.get("locked_until") or "")
        return Attempts(wrong=data.get("wrong", 0), locked_until=until)

    @callback
    def async_keep(self, attempts: Attempts) -> None:
        """Write a change down as soon as the loop is free."""
        until = attempts.locked_until
        self._unsaved = {"wrong": attempts.wrong, "locked_until": None if until is None else until.isoformat()}
        self._store.async_delay_save(self._told)

    async def async_close(self) -> None:
        """Write what is not written yet, before another entry's part of the same name reads it."""
        if self._unsaved is not None:
            await self._store.async_save(self._unsaved)

    async def async_remove(self) -> None:
        """Forget everything, with the entry."""
        await self._store.async_remove()

    @callback
    def _told(self) -> dict[str, Any]:
        assert self._unsaved is not None
        return self._unsaved
