"""What the owner should mend, as repair issues that come and go with their cause."""

from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN

MODEL_INVALID: Final = "model_invalid"
ENGINE_FAILED: Final = "engine_failed"
ENGINE_SLOW: Final = "engine_slow"
PIN_MISSING: Final = "pin_missing"
MQTT_MISSING: Final = "mqtt_missing"
MODEL_CHANGED: Final = "model_changed"
MEMORY_SMALL: Final = "memory_small"
LOCAL_INTENTS: Final = "local_intents"
GUARD_BYPASSED: Final = "guard_bypassed"
MQTT_ANONYMOUS: Final = "mqtt_anonymous"
MQTT_RETAINED: Final = "mqtt_retained"
MQTT_UNOFFERED: Final = "mqtt_unoffered"

KINDS: Final = (
    MODEL_INVALID,
    ENGINE_FAILED,
    ENGINE_SLOW,
    PIN_MISSING,
    MQTT_MISSING,
    MODEL_CHANGED,
    MEMORY_SMALL,
    LOCAL_INTENTS,
    GUARD_BYPASSED,
    MQTT_ANONYMOUS,
    MQTT_RETAINED,
    MQTT_UNOFFERED,
)
FIXABLE: Final = frozenset({MODEL_INVALID, ENGINE_FAILED, PIN_MISSING, MODEL_CHANGED, LOCAL_INTENTS})
"""Those that a form here can mend; the others say what to do elsewhere."""


def issue_id(kind: str, entry: ConfigEntry) -> str:
    """Return the id of an entry's issue of one kind."""
    return f"{kind}_{entry.entry_id}"


@callback
def async_raise(hass: HomeAssistant, entry: ConfigEntry, kind: str, **placeholders: str) -> None:
    """Show an issue of an entry."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id(kind, entry),
        data={"entry_id": entry.entry_id, "kind": kind},
        is_fixable=kind in FIXABLE,
        severity=ir.IssueSeverity.ERROR if kind in (MODEL_INVALID, ENGINE_FAILED) else ir.IssueSeverity.WARNING,
        translation_key=kind,
        translation_placeholders={"title": entry.title, **placeholders},
    )


@callback
def async_clear(hass: HomeAssistant, entry: ConfigEntry, *kinds: str) -> None:
    """Take issues back whose cause is gone; all of an entry where none is named."""
    for kind in kinds or KINDS:
        ir.async_delete_issue(hass, DOMAIN, issue_id(kind, entry))
