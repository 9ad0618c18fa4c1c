"""The MQTT devices that an entry's subentries describe, by the profiles that are shipped and the owner's own.

Whatever reads a profile runs in a thread and loads the bridge there: forms need nothing of it before.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.util import slugify

from botpsy_core.errors import ConfigurationInvalid

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

if TYPE_CHECKING:
    from botpsy_core.bridge import Device, DeviceSettings, Profile

PROFILES_FOLDER: Final = "profiles"
"""Below `botpsy` in the configuration folder: the owner's own profiles."""

LONGEST_SLUG: Final = 31


def profiles(hass: HomeAssistant) -> Mapping[str, Profile]:
    """Return the shipped profiles and the owner's; blocks; raise ConfigurationInvalid."""
    from botpsy_core.bridge import load_profiles

    return load_profiles(Path(hass.config.path(DOMAIN, PROFILES_FOLDER)))


def slug_of(name: str) -> str:
    """Return a short name as tools and entity ids carry it; a letter comes first."""
    slug = slugify(name)
    return (slug if slug[:1].isalpha() else f"device_{slug}")[:LONGEST_SLUG].rstrip("_")


def settings_of(name: str, data: Mapping[str, Any]) -> DeviceSettings:
    """Return a subentry's data as the bridge reads it; blocks."""
    from botpsy_core.bridge import DeviceSettings, Secret

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
    from botpsy_core.bridge import bind

    known = profiles(hass)
    return tuple(
        bind(known[each.data[CONF_PROFILE]], settings_of(each.title, each.data)) for each in subentries_of(entry)
    )


def problem_of(profile: Profile, name: str, data: Mapping[str, Any]) -> str:
    """Return why a device cannot be made from what was filled in, or nothing; blocks."""
    from botpsy_core.bridge import bind

    try:
        bind(profile, settings_of(name, data))
    except ConfigurationInvalid as error:
        return str(error)
    return ""
