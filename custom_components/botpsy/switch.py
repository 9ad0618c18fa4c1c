"""A switch that lets the agents act, or only answer."""

from typing import Any, override

from homeassistant.components.switch import SwitchEntity
from homeassistant.const import STATE_OFF, EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.restore_state import RestoreEntity

from .entity import BotPsyModelEntity
from .entry import BotPsyConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: BotPsyConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entry's one switch."""
    async_add_entities([ActSwitch(entry, "act")])


class ActSwitch(BotPsyModelEntity, SwitchEntity, RestoreEntity):
    """Off: everything is answered and decided, nothing is done."""

    _attr_entity_category = EntityCategory.CONFIG

    @property
    @override
    def available(self) -> bool:
        """Return True: it can be switched off whether or not the model works."""
        return True

    @property
    @override
    def is_on(self) -> bool:
        """Return True while acts go out."""
        return self.entry.runtime_data.acting

    @override
    async def async_added_to_hass(self) -> None:
        """Take up where it was left."""
        await super().async_added_to_hass()
        last = await self.async_get_last_state()
        self.entry.runtime_data.acting = last is None or last.state != STATE_OFF

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Let acts go out."""
        self._set(acting=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Hold every act back."""
        self._set(acting=False)

    def _set(self, *, acting: bool) -> None:
        self.entry.runtime_data.acting = acting
        self.async_write_ha_state()
