"""The self-test in the panel: begun, stopped, followed."""

from typing import Any

from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.messages import event_message
from homeassistant.core import HomeAssistant, callback

from .entry import BotPsyConfigEntry
from .panel_waiting import frame_of


async def async_start(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Begin the self-test, or leave the one that runs."""
    test = entry.runtime_data.self_test
    test.async_start(hass, await frame_of(hass, connection, entry))
    return test.told()


async def async_stop(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> None:
    """Stop the self-test."""
    entry.runtime_data.self_test.async_stop()


async def async_subscribe(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> None:
    """Tell how far the self-test is and what it found, now and after every change."""
    test = entry.runtime_data.self_test

    @callback
    def changed() -> None:
        connection.send_message(event_message(msg["id"], test.told()))

    connection.subscriptions[msg["id"]] = test.async_listen(changed)
    changed()
