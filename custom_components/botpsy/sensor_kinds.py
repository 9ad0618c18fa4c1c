"""What the sensors show that read one value: the engine's health, and what is counted in a day."""

from collections.abc import Callable
from dataclasses import dataclass

from homeassistant.components.sensor import SensorDeviceClass, SensorEntityDescription, SensorStateClass
from homeassistant.const import PERCENTAGE, EntityCategory

from botpsy_core.domain.events import TurnStatus

from .chat_bridge import Deltas
from .engine_watch import EngineHealth


@dataclass(frozen=True, kw_only=True)
class HealthDescription(SensorEntityDescription):
    """One number or word of the engine's health."""

    value: Callable[[EngineHealth], str | float | None]


@dataclass(frozen=True, kw_only=True)
class CountDescription(SensorEntityDescription):
    """Something that is counted from midnight to midnight."""

    count: Callable[[Deltas], int]


def engine_state(health: EngineHealth) -> str:
    """Return the engine's state as one word."""
    if not health.available:
        return "failed"
    if health.waiting:
        return "busy"
    return "ready" if health.model else "starting"


def _refusals(deltas: Deltas) -> int:
    return int(deltas.ended is not None and deltas.ended.status is TurnStatus.REFUSED)


HEALTH = (
    HealthDescription(
        key="engine",
        translation_key="engine",
        entity_category=EntityCategory.DIAGNOSTIC,
        device_class=SensorDeviceClass.ENUM,
        options=["starting", "ready", "busy", "failed"],
        value=engine_state,
    ),
    HealthDescription(
        key="tokens_per_second",
        translation_key="tokens_per_second",
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        native_unit_of_measurement="tokens/s",
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=lambda health: health.tokens_per_second,
    ),
    HealthDescription(
        key="prompt_from_cache",
        translation_key="prompt_from_cache",
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=lambda health: None if health.cached_share is None else round(health.cached_share * 100, 1),
    ),
    HealthDescription(
        key="queue",
        translation_key="queue",
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        state_class=SensorStateClass.MEASUREMENT,
        value=lambda health: health.waiting,
    ),
)

COUNTS = (
    CountDescription(
        key="acts_today",
        translation_key="acts_today",
        state_class=SensorStateClass.TOTAL,
        count=lambda deltas: len(deltas.acts),
    ),
    CountDescription(
        key="refusals_today", translation_key="refusals_today", state_class=SensorStateClass.TOTAL, count=_refusals
    ),
)
