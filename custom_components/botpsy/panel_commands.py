"""What the panel's web socket commands do."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import HomeAssistant

from . import panel_home, panel_journal, panel_policy, panel_self_test, panel_waiting
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
    "waiting/subscribe": panel_waiting.async_subscribe,
    "confirm": panel_waiting.async_confirm,
    "deny": panel_waiting.async_deny,
    "forget": panel_waiting.async_forget,
    "undo": panel_waiting.async_undo,
    "dry_run": panel_home.async_dry_run,
    "home": panel_home.async_home,
    "self_test/start": panel_self_test.async_start,
    "self_test/stop": panel_self_test.async_stop,
    "self_test/subscribe": panel_self_test.async_subscribe,
    "policy/get": panel_policy.async_get,
    "policy/set": panel_policy.async_set,
    "policy/preset": panel_policy.async_preset,
    "policy/preview": panel_policy.async_preview,
}
