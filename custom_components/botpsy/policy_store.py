"""Where the rules are kept that the owner made in the panel."""

from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store

from .const import DOMAIN

STORE_VERSION: Final = 1


class HassPolicyStore:
    """One entry's rules in Home Assistant's storage folder; they have the form of the owner's policy file."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        """Name the file after the entry."""
        self._store: Store[dict[str, Any]] = Store(hass, STORE_VERSION, f"{DOMAIN}.policy.{entry_id}", private=True)

    async def async_load(self) -> dict[str, Any]:
        """Return what was saved last; empty where nothing was."""
        return await self._store.async_load() or {}

    async def async_save(self, rules: dict[str, Any]) -> None:
        """Write at once: a rule that was shown as kept is kept."""
        await self._store.async_save(rules)

    async def async_remove(self) -> None:
        """Forget everything, with the entry."""
        await self._store.async_remove()
