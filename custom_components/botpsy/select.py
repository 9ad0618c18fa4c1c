"""How careful the agents of an entry are."""

from typing import override

from homeassistant.components.select import SelectEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.restore_state import RestoreEntity

from .const import Preset
from .entity import BotPsyModelEntity
from .entry import BotPsyConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: BotPsyConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entry's one choice."""
    async_add_entities([PolicySelect(entry, "policy")])


class PolicySelect(BotPsyModelEntity, SelectEntity, RestoreEntity):
    """The preset that stands over the default policy."""

    _attr_entity_category = EntityCategory.CONFIG
    _attr_options = [preset.value for preset in Preset]

    @property
    @override
    def available(self) -> bool:
        """Return True: it can be chosen whether or not the model works."""
        return True

    @property
    @override
    def current_option(self) -> str:
        """Return the preset in force."""
        return self.entry.runtime_data.preset.value

    @override
    async def async_added_to_hass(self) -> None:
        """Take up where it was left."""
        await super().async_added_to_hass()
        last = await self.async_get_last_state()
        if last and last.state in Preset:
            self.entry.runtime_data.async_use_preset(Preset(last.state))

    @override
    async def async_select_option(self, option: str) -> None:
        """Put another preset in force; open questions stay open."""
        self.entry.runtime_data.async_use_preset(Preset(option))
        self.async_write_ha_state()
