"""Triggers at the end of a turn: something was done, refused, asked, or did not work."""

from typing import Any, cast, override

import voluptuous as vol
from homeassistant.const import CONF_OPTIONS
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.trigger import Trigger, TriggerActionRunner, TriggerConfig, TriggerNotTriggeredReporter
from homeassistant.helpers.typing import ConfigType

from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.verdicts import Reason

from .const import ATTR_AGENT, ATTR_REASON, EVENT_TURN

AGENT = {vol.Optional(ATTR_AGENT): vol.All(cv.ensure_list, [cv.entity_id])}
REASONS = {vol.Optional(ATTR_REASON): vol.All(cv.ensure_list, [vol.In([reason.value for reason in Reason])])}


class TurnTrigger(Trigger):
    """Fires at the end of every turn that ended in one of some ways."""

    _statuses: frozenset[str]
    _schema = vol.Schema({vol.Required(CONF_OPTIONS, default=dict): AGENT})

    @classmethod
    @override
    async def async_validate_config(cls, hass: HomeAssistant, config: ConfigType) -> ConfigType:
        """Return the options with their defaults."""
        return cast("ConfigType", cls._schema(config))

    def __init__(self, hass: HomeAssistant, config: TriggerConfig) -> None:
        """Take which agents and reasons count."""
        super().__init__(hass, config)
        self._options: dict[str, Any] = config.options or {}

    @override
    async def async_attach_runner(
        self, run_action: TriggerActionRunner, did_not_trigger: TriggerNotTriggeredReporter | None = None
    ) -> CALLBACK_TYPE:
        """Follow the turns; return what stops it."""

        @callback
        def ended(event: Event) -> None:
            data = event.data
            if self._fits(data):
                run_action(dict(data), f"BotPsy: {data['status']}", event.context)

        return self._hass.bus.async_listen(EVENT_TURN, ended)

    def _fits(self, data: Any) -> bool:
        agents, reasons = self._options.get(ATTR_AGENT), self._options.get(ATTR_REASON)
        return (
            data["status"] in self._statuses
            and self._counts(data)
            and (not agents or data["agent_id"] in agents)
            and (not reasons or data["reason"] in reasons)
        )

    def _counts(self, data: Any) -> bool:
        return True


class DoneTrigger(TurnTrigger):
    """Fires when something was done; an answer to a question is not an act."""

    _statuses = frozenset({TurnStatus.DONE.value})

    @override
    def _counts(self, data: Any) -> bool:
        return bool(data["acts"])


class RefusedTrigger(TurnTrigger):
    """Fires when something was refused."""

    _statuses = frozenset({TurnStatus.REFUSED.value})
    _schema = vol.Schema({vol.Required(CONF_OPTIONS, default=dict): {**AGENT, **REASONS}})


class AskedTrigger(TurnTrigger):
    """Fires when an act waits for an answer."""

    _statuses = frozenset({TurnStatus.ASKED.value})


class FailedTrigger(TurnTrigger):
    """Fires when something did not work, or nobody knows whether it did."""

    _statuses = frozenset({TurnStatus.FAILED.value, TurnStatus.UNCONFIRMED.value})


TRIGGERS: dict[str, type[Trigger]] = {
    "asked": AskedTrigger,
    "done": DoneTrigger,
    "failed": FailedTrigger,
    "refused": RefusedTrigger,
}


async def async_get_triggers(hass: HomeAssistant) -> dict[str, type[Trigger]]:
    """Return the triggers by name."""
    return TRIGGERS
