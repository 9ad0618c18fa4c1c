"""What is spoken of a state: its value as the frontend rounds it, and few of its attributes."""

from typing import Final

from homeassistant.components.sensor import DOMAIN as SENSOR_DOMAIN
from homeassistant.components.sensor import SensorDeviceClass, async_rounded_state
from homeassistant.const import ATTR_DEVICE_CLASS, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from botpsy_core.domain.values import JsonValue

ATTRIBUTES: Final = (
    "battery_level",
    "color_temp_kelvin",
    "current_humidity",
    "current_position",
    "current_temperature",
    "current_tilt_position",
    "fan_mode",
    "fan_modes",
    "fan_speed",
    "humidity",
    "hvac_action",
    "hvac_modes",
    "is_volume_muted",
    "max",
    "max_color_temp_kelvin",
    "max_humidity",
    "max_temp",
    "media_artist",
    "media_title",
    "min",
    "min_color_temp_kelvin",
    "min_humidity",
    "min_temp",
    "options",
    "percentage",
    "preset_mode",
    "preset_modes",
    "rgb_color",
    "source",
    "source_list",
    "step",
    "supported_features",
    "target_temp_high",
    "target_temp_low",
    "temperature",
)
"""The attributes that answers and checks need; the rest stays in Home Assistant."""


def spoken_state(hass: HomeAssistant, state: State) -> str | None:
    """Return the state as it is told: rounded, a time as local; None where nothing is known."""
    if state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
        return None
    if state.domain != SENSOR_DOMAIN:
        return state.state
    if state.attributes.get(ATTR_DEVICE_CLASS) == SensorDeviceClass.TIMESTAMP:
        when = dt_util.parse_datetime(state.state)
        return dt_util.as_local(when).isoformat() if when else state.state
    return async_rounded_state(hass, state.entity_id, state)


def attributes_of(state: State) -> dict[str, JsonValue]:
    """Return the attributes that are spoken of, with brightness and volume in percent."""
    raw = state.attributes
    attributes: dict[str, JsonValue] = {key: raw[key] for key in ATTRIBUTES if raw.get(key) is not None}
    if (brightness := raw.get("brightness")) is not None:
        attributes["brightness_pct"] = max(1, round(brightness / 2.55)) if brightness else 0
    if (volume := raw.get("volume_level")) is not None:
        attributes["volume_pct"] = round(volume * 100)
    return attributes
