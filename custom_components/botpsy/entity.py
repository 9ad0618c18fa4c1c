"""What every entity of the integration has in common."""

from typing import override

from homeassistant.config_entries import ConfigSubentry
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import Entity

from .const import DOMAIN, MANUFACTURER
from .entry import BotPsyConfigEntry


class BotPsyEntity(Entity):
    """An entity that follows the health of its entry's model."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, entry: BotPsyConfigEntry) -> None:
        """Take the entry that it belongs to."""
        self.entry = entry

    @property
    @override
    def available(self) -> bool:
        """Return False while the model cannot be used."""
        return self.entry.runtime_data.engine.health.available

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the engine's health."""
        await super().async_added_to_hass()
        self.async_on_remove(self.entry.runtime_data.engine.async_listen(self.async_write_ha_state))


class BotPsyAgentEntity(BotPsyEntity):
    """An entity of one agent; the agent is a device."""

    def __init__(self, entry: BotPsyConfigEntry, subentry: ConfigSubentry) -> None:
        """Name the agent's device after its subentry."""
        super().__init__(entry)
        self.subentry = subentry
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer=MANUFACTURER,
            model=entry.title,
            entry_type=DeviceEntryType.SERVICE,
        )


class BotPsyModelEntity(BotPsyEntity):
    """An entity of the model itself."""

    def __init__(self, entry: BotPsyConfigEntry, key: str) -> None:
        """Name the model's device after its entry."""
        super().__init__(entry)
        self._attr_translation_key = key
        self._attr_unique_id = f"{entry.entry_id}_{key}"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, entry.entry_id)},
            name=entry.title,
            manufacturer=MANUFACTURER,
            entry_type=DeviceEntryType.SERVICE,
        )
