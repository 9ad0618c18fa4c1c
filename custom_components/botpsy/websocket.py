"""The panel's web socket commands as they are called; panel_commands.py does them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import voluptuous as vol
from homeassistant.components.websocket_api import async_register_command
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.decorators import async_response, require_admin
from homeassistant.components.websocket_api.messages import BASE_COMMAND_MESSAGE_SCHEMA
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import config_validation as cv

from .beginning import async_begun
from .const import DOMAIN, Preset
from .entry import BotPsyConfigEntry, async_ready

ATTR_ENTRY: Final = "entry_id"

type Command = Callable[[HomeAssistant, ActiveConnection, dict[str, Any], BotPsyConfigEntry], Awaitable[Any]]

MARK = vol.All(cv.string, vol.Length(max=80))
WORDS = vol.All(cv.string, vol.Length(max=2000))

COMMANDS: Final[Mapping[str, Mapping[vol.Marker, Any]]] = {
    "info": {},
    "journal/list": {
        vol.Optional("before"): MARK,
        vol.Optional("count", default=100): vol.All(int, vol.Range(min=1, max=500)),
        vol.Optional("status"): vol.In(("done", "refused", "asked", "failed", "unconfirmed")),
        vol.Optional("words"): WORDS,
    },
    "journal/entry": {vol.Required("mark"): MARK},
    "journal/subscribe": {},
    "waiting/subscribe": {},
    "confirm": {vol.Required("pending"): MARK, vol.Optional("pin"): vol.All(cv.string, vol.Length(max=40))},
    "deny": {vol.Required("pending"): MARK},
    "forget": {vol.Required("ids"): [MARK]},
    "undo": {vol.Required("talk"): vol.All(cv.string, vol.Length(max=200))},
    "dry_run": {vol.Required("text"): WORDS, vol.Optional("language"): cv.string},
    "home": {},
}
"""What every user may call; what they see is theirs."""

CLOCK = vol.All(cv.string, cv.matches_regex(r"^([01][0-9]|2[0-3]):[0-5][0-9]$"))
RULE = vol.Schema(
    {
        vol.Optional("enabled"): bool,
        vol.Optional("risk"): vol.In(("read", "comfort", "cost", "security", "hazard", "forbidden")),
        vol.Optional("confirm"): vol.In((None, "confirm", "pin")),
        vol.Optional("hours"): vol.All([CLOCK], vol.Length(min=2, max=2)),
        vol.Optional("users"): [cv.string],
        vol.Optional("admins_only"): bool,
    }
)

ADMIN_COMMANDS: Final[Mapping[str, Mapping[vol.Marker, Any]]] = {
    "self_test/start": {},
    "self_test/stop": {},
    "self_test/subscribe": {},
    "policy/get": {},
    "policy/set": {vol.Required("entity_id"): cv.entity_id, vol.Required("rule"): vol.Any(None, RULE)},
    "policy/preset": {vol.Required("preset"): vol.In([each.value for each in Preset])},
    "policy/preview": {
        vol.Optional("entity_id"): cv.entity_id,
        vol.Optional("rule"): vol.Any(None, RULE),
        vol.Optional("preset"): vol.In([each.value for each in Preset]),
    },
}
"""What the server refuses to everybody but administrators."""


@callback
def async_register_commands(hass: HomeAssistant) -> None:
    """Register the commands once, whether or not an entry is loaded."""
    for name, fields in COMMANDS.items():
        _register(hass, name, fields, async_response(_do))
    for name, fields in ADMIN_COMMANDS.items():
        _register(hass, name, fields, require_admin(async_response(_do)))


@callback
def _register(hass: HomeAssistant, name: str, fields: Mapping[vol.Marker, Any], handler: Any) -> None:
    schema = BASE_COMMAND_MESSAGE_SCHEMA.extend(
        {vol.Required("type"): f"{DOMAIN}/{name}", vol.Optional(ATTR_ENTRY): cv.string, **fields}
    )
    async_register_command(hass, f"{DOMAIN}/{name}", handler, schema)


async def _do(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Do what a command says for the entry that is meant, once it is at work."""
    await async_begun(hass)
    meant = msg.get(ATTR_ENTRY)
    entry = next((each for each in async_ready(hass) if meant in {None, each.entry_id}), None)
    if entry is None:
        connection.send_error(msg["id"], "not_loaded", "no entry of this integration is loaded")
        return
    handlers = await hass.async_add_import_executor_job(_handlers)
    connection.send_result(
        msg["id"], await handlers[msg["type"].removeprefix(f"{DOMAIN}/")](hass, connection, msg, entry)
    )


def _handlers() -> Mapping[str, Command]:
    """Load what the commands do; blocks."""
    from .panel_commands import HANDLERS

    return HANDLERS
