"""Devices on the broker that describe themselves, for the owner to accept; nothing of them reaches the model before."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import SelectOptionDict

from botpsy_core.bridge import Filter, Message, Profile, Proposal, announcement_filters, proposals

from .const import CONF_PROFILE, CONF_VARIABLES
from .device_profiles import subentries_of
from .hass_transport import HassTransport

LISTEN_S: Final = 1.5
"""Announcements are kept by the broker and come at once; a slow broker gets this long."""

MOST: Final = 200
"""Announcements that one look takes in."""


async def async_announced(hass: HomeAssistant, entry: ConfigEntry) -> tuple[Proposal, ...] | None:
    """Listen a moment and return what announces itself and is no device of this entry yet; None without a broker."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], Proposal] = {}

    def note(message: Message) -> None:
        for each in proposals(message):
            if len(found) < MOST:
                found.setdefault((each.profile, tuple(sorted(each.variables.items()))), each)

    transport = HassTransport(hass)
    if not transport.connected:
        return None
    stops = [await transport.subscribe(Filter(each), note) for each in announcement_filters()]
    try:
        await asyncio.sleep(LISTEN_S)
    finally:
        for stop in stops:
            stop()
    known = [(each.data[CONF_PROFILE], dict(each.data.get(CONF_VARIABLES, {}))) for each in subentries_of(entry)]
    return tuple(each for each in found.values() if not _is_known(each, known))


def choices(found: Iterable[Proposal], known: Mapping[str, Profile]) -> list[SelectOptionDict]:
    """Return what was found as choices: what it calls itself, quoted, its kind, and where it announced itself."""
    return [
        SelectOptionDict(
            value=str(number), label=f"“{each.announced_name}” · {known[each.profile].title} · {each.topic}"
        )
        for number, each in enumerate(found)
        if each.profile in known
    ]


def _is_known(proposal: Proposal, known: list[tuple[str, dict[str, str]]]) -> bool:
    """Return True if a device of the entry already has the proposal's profile and all of its values."""
    wanted = proposal.variables.items()
    return any(profile == proposal.profile and wanted <= values.items() for profile, values in known)
