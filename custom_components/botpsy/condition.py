"""Conditions: how the last turn ended, and whether acts go out at all."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Unpack, cast, override

import voluptuous as vol
from homeassistant.const import CONF_OPTIONS
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.condition import Condition, ConditionCheckParams, ConditionConfig
from homeassistant.helpers.typing import ConfigType
from homeassistant.util import dt as dt_util

from botpsy_core.domain.events import TurnStatus

from .const import ATTR_STATUS, ATTR_WITHIN
from .entry import async_ready

if TYPE_CHECKING:
    from .runtime import BotPsyRuntime

LAST_TURN = vol.Schema(
    {
        vol.Required(CONF_OPTIONS): {
            vol.Required(ATTR_STATUS): vol.All(cv.ensure_list, [vol.In([status.value for status in TurnStatus])]),
            vol.Optional(ATTR_WITHIN): cv.positive_time_period,
        }
    }
)
ACTING = vol.Schema({vol.Required(CONF_OPTIONS, default=dict): {}})


def _runtimes(hass: HomeAssistant) -> list[BotPsyRuntime]:
    return [entry.runtime_data for entry in async_ready(hass)]


class LastTurnCondition(Condition):
    """Holds if the newest turn ended in one of some ways, not longer ago than said."""

    @classmethod
    @override
    async def async_validate_config(cls, hass: HomeAssistant, config: ConfigType) -> ConfigType:
        """Return the options with their defaults."""
        return cast("ConfigType", LAST_TURN(config))

    def __init__(self, hass: HomeAssistant, config: ConditionConfig) -> None:
        """Take which endings count."""
        super().__init__(hass, config)
        options: dict[str, Any] = config.options or {}
        self._statuses = frozenset(options[ATTR_STATUS])
        self._within: timedelta | None = options.get(ATTR_WITHIN)

    @override
    def _async_check(self, **kwargs: Unpack[ConditionCheckParams]) -> bool:
        """Return whether the newest turn of all agents counts."""
        turns = [runtime.news.last_turn for runtime in _runtimes(self._hass) if runtime.news.last_turn]
        newest = max(turns, key=lambda turn: turn.at, default=None)
        if newest is None or newest.status.value not in self._statuses:
            return False
        return self._within is None or dt_util.utcnow() - newest.at <= self._within


class ActingCondition(Condition):
    """Holds while acts go out: the switch is on and the model works."""

    @classmethod
    @override
    async def async_validate_config(cls, hass: HomeAssistant, config: ConfigType) -> ConfigType:
        """Return the options with their defaults."""
        return cast("ConfigType", ACTING(config))

    @override
    def _async_check(self, **kwargs: Unpack[ConditionCheckParams]) -> bool:
        """Return whether any model is there to act."""
        return any(runtime.acting and runtime.engine.health.available for runtime in _runtimes(self._hass))


CONDITIONS: dict[str, type[Condition]] = {"is_acting": ActingCondition, "last_turn": LastTurnCondition}


async def async_get_conditions(hass: HomeAssistant) -> dict[str, type[Condition]]:
    """Return the conditions by name."""
    return CONDITIONS
