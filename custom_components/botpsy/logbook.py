"""A line in the logbook for each turn, in the words that were said."""

from collections.abc import Callable
from typing import Any

from homeassistant.components.logbook.const import (
    LOGBOOK_ENTRY_ENTITY_ID,
    LOGBOOK_ENTRY_ICON,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
)
from homeassistant.core import Event, HomeAssistant, callback

from botpsy_core.domain.events import TurnStatus

from .const import DEFAULT_NAME, DOMAIN, EVENT_TURN

ICONS = {
    TurnStatus.DONE: "mdi:check",
    TurnStatus.REFUSED: "mdi:hand-back-right",
    TurnStatus.ASKED: "mdi:help",
    TurnStatus.FAILED: "mdi:alert",
    TurnStatus.UNCONFIRMED: "mdi:timer-sand",
}


@callback
def async_describe_events(
    hass: HomeAssistant, async_describe_event: Callable[[str, str, Callable[[Event], dict[str, Any]]], None]
) -> None:
    """Tell the logbook how to read our event."""

    @callback
    def describe(event: Event) -> dict[str, Any]:
        data = event.data
        status = TurnStatus(data["status"])
        agent = hass.states.get(str(data["agent_id"]))
        line = {
            LOGBOOK_ENTRY_NAME: agent.name if agent else DEFAULT_NAME,
            LOGBOOK_ENTRY_MESSAGE: _message(status, data),
            LOGBOOK_ENTRY_ICON: ICONS[status],
        }
        if agent:
            line[LOGBOOK_ENTRY_ENTITY_ID] = agent.entity_id
        return line

    async_describe_event(DOMAIN, EVENT_TURN, describe)


def _message(status: TurnStatus, data: Any) -> str:
    match status:
        case TurnStatus.DONE if not data["acts"]:
            return "answered"
        case TurnStatus.DONE:
            return f"acted: {data['reply']}"
        case _:
            return f"{status.value}: {data['reply']}"
