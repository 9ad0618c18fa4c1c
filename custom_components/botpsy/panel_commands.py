"""What the panel's web socket commands do."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import HomeAssistant

from . import panel_journal
from .entry import BotPsyConfigEntry, async_ready
from .websocket import Command


async def _info(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Return what the panel has to know before it shows anything."""
    runtime, admin = entry.runtime_data, connection.user.is_admin
    users = await hass.auth.async_get_users() if admin else [connection.user]
    return {
        "admin": admin,
        "entries": [{"entry_id": each.entry_id, "title": each.title} for each in async_ready(hass)],
        "people": {each.id: each.name or "" for each in users if not each.system_generated},
        "acting": runtime.acting,
        "pin_set": runtime.confirmations.pin_set,
    }


HANDLERS: Final[Mapping[str, Command]] = {
    "info": _info,
    "journal/list": panel_journal.async_list,
    "journal/entry": panel_journal.async_entry,
    "journal/subscribe": panel_journal.async_subscribe,
}
