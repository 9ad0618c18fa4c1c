"""Where an entry's planned acts are kept over a restart."""

from collections.abc import Sequence
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store

from botpsy_core.domain.values import JsonObject

from .const import DOMAIN

STORE_VERSION: Final = 1


class HassPlanStore:
    """One entry's planned acts in Home Assistant's storage folder."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        """Name the file after the entry."""
        self._store: Store[dict[str, Any]] = Store(hass, STORE_VERSION, f"{DOMAIN}.planned.{entry_id}", private=True)

    async def load(self) -> Sequence[JsonObject]:
        """Return what was saved last."""
        data = await self._store.async_load()
        return data["acts"] if data else ()

    async def save(self, acts: Sequence[JsonObject]) -> None:
        """Write at once: an act that has begun must be known to have begun."""
        await self._store.async_save({"acts": list(acts)})

    async def async_remove(self) -> None:
        """Forget everything, with the entry."""
        await self._store.async_remove()
