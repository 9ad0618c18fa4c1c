"""The one table from the core's errors to what Home Assistant shows."""

from homeassistant.exceptions import HomeAssistantError, ServiceValidationError

from botpsy_core.errors import (
    BotPsyError,
    ConfigurationInvalid,
    EngineBusy,
    EngineFailed,
    ModelFault,
    ModelFileInvalid,
    ToolboxFailed,
    TransportLost,
    TurnTimeout,
)

from .const import DOMAIN

TABLE: tuple[tuple[type[BotPsyError], str], ...] = (
    (EngineBusy, "engine_busy"),
    (EngineFailed, "engine_failed"),
    (ModelFileInvalid, "model_file_invalid"),
    (ToolboxFailed, "toolbox_failed"),
    (TransportLost, "transport_lost"),
    (ConfigurationInvalid, "configuration_invalid"),
    (TurnTimeout, "turn_timeout"),
    (ModelFault, "model_fault"),
    (BotPsyError, "unexpected"),
)
"""The first class that matches gives the translation key."""


def key_of(error: BotPsyError) -> str:
    """Return the translation key of an error of the core."""
    return next(key for kind, key in TABLE if isinstance(error, kind))


def translated(error: BotPsyError) -> HomeAssistantError:
    """Return the error that Home Assistant shows in the user's language; raise it `from` the core's."""
    return HomeAssistantError(
        translation_domain=DOMAIN, translation_key=key_of(error), translation_placeholders={"error": str(error)}
    )


def invalid(key: str, **placeholders: str) -> ServiceValidationError:
    """Return the error for an action that was called wrongly."""
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders)
