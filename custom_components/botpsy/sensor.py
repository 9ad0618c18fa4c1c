"""What the agents did and refused, and how the model is doing."""

from datetime import datetime
from typing import Any, override

from homeassistant.components.sensor import RestoreSensor, SensorDeviceClass, SensorEntity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.event import async_track_time_change
from homeassistant.util import dt as dt_util

from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.plans import PlannedAct
from botpsy_core.domain.verdicts import Reason

from .chat_bridge import Deltas
from .entity import BotPsyModelEntity
from .entry import BotPsyConfigEntry
from .sensor_kinds import COUNTS, HEALTH, CountDescription, HealthDescription

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: BotPsyConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the sensors of one model."""
    async_add_entities(
        [
            *(HealthSensor(entry, each) for each in HEALTH),
            *(CountSensor(entry, each) for each in COUNTS),
            LastRefusalSensor(entry, "last_refusal"),
            PlannedSensor(entry, "planned"),
        ]
    )


class HealthSensor(BotPsyModelEntity, SensorEntity):
    """Shows one thing of the engine's health."""

    entity_description: HealthDescription

    def __init__(self, entry: BotPsyConfigEntry, description: HealthDescription) -> None:
        """Take what is shown."""
        super().__init__(entry, description.key)
        self.entity_description = description

    @property
    @override
    def available(self) -> bool:
        """Return True for the engine's state, which tells of a failure itself."""
        return self.entity_description.key == "engine" or super().available

    @property
    @override
    def native_value(self) -> str | float | None:
        """Return the value as it is now."""
        return self.entity_description.value(self.entry.runtime_data.engine.health)


class CountSensor(BotPsyModelEntity, RestoreSensor):
    """Counts from midnight on."""

    entity_description: CountDescription
    _attr_native_value: int = 0

    def __init__(self, entry: BotPsyConfigEntry, description: CountDescription) -> None:
        """Take what is counted."""
        super().__init__(entry, description.key)
        self.entity_description = description
        self._attr_last_reset = dt_util.start_of_local_day()

    @property
    @override
    def available(self) -> bool:
        """Return True: what was counted stays true."""
        return True

    @override
    async def async_added_to_hass(self) -> None:
        """Go on counting if it is still the same day."""
        await super().async_added_to_hass()
        last, state = await self.async_get_last_sensor_data(), await self.async_get_last_state()
        if last and state and state.last_updated >= dt_util.start_of_local_day():
            self._attr_native_value = int(str(last.native_value or 0))
        self.async_on_remove(self.entry.runtime_data.news.async_listen(self._turn_ended))
        self.async_on_remove(async_track_time_change(self.hass, self._new_day, hour=0, minute=0, second=0))

    @callback
    def _turn_ended(self, deltas: Deltas) -> None:
        self._attr_native_value += self.entity_description.count(deltas)
        self.async_write_ha_state()

    @callback
    def _new_day(self, now: datetime) -> None:
        self._attr_native_value = 0
        self._attr_last_reset = dt_util.start_of_local_day(now)
        self.async_write_ha_state()


class LastRefusalSensor(BotPsyModelEntity, RestoreSensor):
    """Shows why the last refused turn was refused."""

    _attr_device_class = SensorDeviceClass.ENUM
    _attr_options = [reason.value for reason in Reason]
    _attr_native_value: str | None = None

    @property
    @override
    def available(self) -> bool:
        """Return True: what happened stays true."""
        return True

    @override
    async def async_added_to_hass(self) -> None:
        """Show what was shown before, and follow the turns."""
        await super().async_added_to_hass()
        last = await self.async_get_last_sensor_data()
        if last and last.native_value in Reason:
            self._attr_native_value = str(last.native_value)
        self.async_on_remove(self.entry.runtime_data.news.async_listen(self._turn_ended))

    @callback
    def _turn_ended(self, deltas: Deltas) -> None:
        if deltas.ended and deltas.ended.status is TurnStatus.REFUSED and deltas.ended.reason:
            self._attr_native_value = deltas.ended.reason.value
            self.async_write_ha_state()


class PlannedSensor(BotPsyModelEntity, SensorEntity):
    """Shows how many acts are put off, and which."""

    _unrecorded_attributes = frozenset({"acts"})

    @property
    @override
    def available(self) -> bool:
        """Return True: what is planned stays planned while the model is away."""
        return True

    @property
    @override
    def native_value(self) -> int:
        """Return how many there are."""
        return len(self.entry.runtime_data.plans.acts)

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return what they are, soonest first."""
        acts = self.entry.runtime_data.plans.acts
        return {"acts": [_shown(each) for each in acts]}

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the book."""
        await super().async_added_to_hass()
        self.async_on_remove(self.entry.runtime_data.plans.on_change(self.async_write_ha_state))


def _shown(act: PlannedAct) -> dict[str, Any]:
    shown = {"id": act.id, "act": act.act, "at": act.at.isoformat()}
    return shown if act.on is None else {**shown, "when": act.on.said}
