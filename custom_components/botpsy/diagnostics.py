"""What a user can attach to a bug report; no words, names, PINs or keys."""

from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.const import CONF_PROMPT
from homeassistant.core import HomeAssistant

from .const import CONF_API_KEY, CONF_FALLBACK, CONF_PATH, CONF_PIN_HASH, CONF_REQUEST_USERS, CONF_URL, CONF_USERS
from .entry import BotPsyConfigEntry

if TYPE_CHECKING:
    from .runtime import BotPsyRuntime

TO_REDACT: Final = {
    CONF_API_KEY,
    CONF_FALLBACK,
    CONF_PATH,
    CONF_PIN_HASH,
    CONF_PROMPT,
    CONF_REQUEST_USERS,
    CONF_URL,
    CONF_USERS,
    "aliases",
    "args",
    "clause",
    "conversation_id",
    "detail",
    "device_id",
    "entities",
    "heard",
    "name",
    "options",
    "reply",
    "secrets",
    "targets",
    "text",
    "user_id",
    "utterance",
    "variables",
}
"""Keys whose values may say who lives here, what they said, or what they own."""

KEPT_IN_ENTRIES: Final = frozenset(
    {"at", "by_code", "event", "outcome", "reason", "seconds", "status", "tool", "verdict"}
)
"""What of a journal entry says nothing about people."""


async def async_get_config_entry_diagnostics(hass: HomeAssistant, entry: BotPsyConfigEntry) -> dict[str, Any]:
    """Return what is known of an entry and its engine."""
    about: dict[str, Any] = {
        "core": version("botpsy-core"),
        "entry": {
            "version": f"{entry.version}.{entry.minor_version}",
            "data": async_redact_data(entry.data, TO_REDACT),
            "options": async_redact_data(entry.options, TO_REDACT),
            "subentries": [
                {"type": each.subentry_type, "data": async_redact_data(each.data, TO_REDACT)}
                for each in entry.subentries.values()
            ],
        },
    }
    # An entry that could not be set up is the one that people ask about.
    return about | _at_work(hass, entry.runtime_data) if hasattr(entry, "runtime_data") else about


def _at_work(hass: HomeAssistant, runtime: BotPsyRuntime) -> dict[str, Any]:
    health = runtime.engine.health
    home = runtime.home.home(hass.config.language)
    return {
        "engine": {
            **{key: value for key, value in asdict(health).items() if key != "model"},
            "model": _model(health.model),
        },
        "home": {
            "entities": len(home.entities),
            "areas": len(home.areas),
            "kinds": sorted({each.kind for each in home.entities}),
        },
        "tools": [spec.name for spec in runtime.toolbox.specs()],
        "journal": [{k: v for k, v in each.items() if k in KEPT_IN_ENTRIES} for each in runtime.journal.entries],
    }


def _model(model: Any) -> dict[str, Any] | None:
    """Return the model's own facts; its template is long and of no use here."""
    if model is None:
        return None
    facts = asdict(model)
    facts["template"] = len(facts["template"])
    return facts
