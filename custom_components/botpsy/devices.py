"""The MQTT devices of an entry, over Home Assistant's connection, and an own one for what is secret."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.util import slugify

from botpsy_core.bridge import (
    Device,
    DeviceSettings,
    PahoTransport,
    Profile,
    ProfileToolbox,
    Secret,
    bind,
    load_profiles,
)
from botpsy_core.domain.home import Entity
from botpsy_core.ports import Clock, Journal

from .const import (
    CONF_ALIASES,
    CONF_AREA,
    CONF_COMMANDS,
    CONF_PROFILE,
    CONF_SECRETS,
    CONF_SLUG,
    CONF_VARIABLES,
    DOMAIN,
    SUBENTRY_DEVICE,
)
from .hass_transport import HassTransport
from .own_connection import own_broker

PROFILES_FOLDER: Final = "profiles"
"""Below `botpsy` in the configuration folder: the owner's own profiles."""

LONGEST_SLUG: Final = 31


def profiles(hass: HomeAssistant) -> Mapping[str, Profile]:
    """Return the shipped profiles and the owner's; blocks; raise ConfigurationInvalid."""
    return load_profiles(Path(hass.config.path(DOMAIN, PROFILES_FOLDER)))


def slug_of(name: str) -> str:
    """Return a short name as tools and entity ids carry it; a letter comes first."""
    slug = slugify(name)
    return (slug if slug[:1].isalpha() else f"device_{slug}")[:LONGEST_SLUG].rstrip("_")


def settings_of(name: str, data: Mapping[str, Any]) -> DeviceSettings:
    """Return a subentry's data as the bridge reads it."""
    return DeviceSettings(
        profile=data[CONF_PROFILE],
        slug=data[CONF_SLUG],
        name=name,
        aliases=tuple(data.get(CONF_ALIASES, ())),
        area_id=data.get(CONF_AREA),
        variables=data.get(CONF_VARIABLES, {}),
        secrets={key: Secret(value) for key, value in data.get(CONF_SECRETS, {}).items()},
        enabled=frozenset(data.get(CONF_COMMANDS, ())),
    )


def subentries_of(entry: ConfigEntry) -> tuple[ConfigSubentry, ...]:
    """Return the subentries that describe devices."""
    return tuple(each for each in entry.subentries.values() if each.subentry_type == SUBENTRY_DEVICE)


def bound(hass: HomeAssistant, entry: ConfigEntry) -> tuple[Device, ...]:
    """Return an entry's devices; blocks; raise ConfigurationInvalid."""
    known = profiles(hass)
    return tuple(
        bind(known[each.data[CONF_PROFILE]], settings_of(each.title, each.data)) for each in subentries_of(entry)
    )


class MqttDevices:
    """The toolbox of an entry's devices; listens as soon as the `mqtt` integration is there."""

    def __init__(self, hass: HomeAssistant, devices: tuple[Device, ...], *, clock: Clock, journal: Journal) -> None:
        """Take the devices; nothing is subscribed yet. A device with a secret gets an own connection besides."""
        broker = own_broker(hass) if any(device.secrets for device in devices) else None
        self._own = PahoTransport(broker, clock) if broker else None
        self._shared = HassTransport(hass)
        self.toolbox = ProfileToolbox(devices, self._shared, clock, private=self._own, journal=journal)

    @property
    def connected(self) -> bool:
        """Return True while Home Assistant is connected to its broker."""
        return self._shared.connected

    def entities(self) -> tuple[Entity, ...]:
        """Return the devices and their signals as things of the home."""
        return self.toolbox.entities()

    async def async_start(self) -> None:
        """Subscribe; the broker's client must be there."""
        if self._own:
            await self._own.start()
        await self.toolbox.start()

    async def async_close(self) -> None:
        """Unsubscribe."""
        await self.toolbox.close()
        if self._own:
            await self._own.close()
