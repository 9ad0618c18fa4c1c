"""A config entry of ours, as every module may name it without loading what works behind it."""

from typing import TYPE_CHECKING

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN

if TYPE_CHECKING:
    from .runtime import BotPsyRuntime

type BotPsyConfigEntry = ConfigEntry[BotPsyRuntime]


@callback
def async_ready(hass: HomeAssistant) -> list[BotPsyConfigEntry]:
    """Return the entries that are at work; one that still waits for Home Assistant's start is none of them."""
    loaded: list[BotPsyConfigEntry] = hass.config_entries.async_loaded_entries(DOMAIN)
    return [entry for entry in loaded if hasattr(entry, "runtime_data")]
