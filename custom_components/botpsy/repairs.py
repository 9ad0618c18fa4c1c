"""The ways to mend what a repair issue tells of."""

from typing import Any, Final, override

import voluptuous as vol
from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from botpsy_core.errors import EngineFailed, ModelFileInvalid

from . import schema
from .const import CONF_PATH, CONF_PIN, CONF_PIN_HASH, CONF_SOURCE, DOMAIN, ModelSource
from .engine_library import async_install, is_missing
from .engines import check_file
from .errors import translated
from .home_checks import async_prefer_ours
from .issues import ENGINE_FAILED, LOCAL_INTENTS, MODEL_CHANGED, MODEL_INVALID, PIN_MISSING, async_clear
from .pins import hashed

PIN: Final = vol.Schema({vol.Required(CONF_PIN): schema.PASSWORD})


class ModelFlow(RepairsFlow):
    """Name another file for a model that is gone or damaged."""

    def __init__(self, entry: ConfigEntry) -> None:
        """Take the entry whose model it is."""
        self._entry = entry

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin; what comes in is the issue, no input."""
        return await self.async_step_file()

    async def async_step_file(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Show where the file was, and take where it is."""
        errors: dict[str, str] = {}
        error_text = ""
        if user_input is not None:
            try:
                checked = await self.hass.async_add_executor_job(check_file, user_input[CONF_PATH])
            except ModelFileInvalid as error:
                errors[CONF_PATH], error_text = "model_file_invalid", str(error)
            else:
                data = {**self._entry.data, **checked.data}
                self.hass.config_entries.async_update_entry(self._entry, data=data, unique_id=checked.unique_id)
                self.hass.config_entries.async_schedule_reload(self._entry.entry_id)
                return self.async_create_entry(data={})
        return self.async_show_form(
            step_id="file",
            data_schema=self.add_suggested_values_to_schema(schema.FILE, user_input or self._entry.data),
            errors=errors,
            description_placeholders={"title": self._entry.title, "error": error_text},
        )


class PinFlow(RepairsFlow):
    """Set the PIN that an exposed lock or door waits for."""

    def __init__(self, entry: ConfigEntry) -> None:
        """Take the entry that has none."""
        self._entry = entry

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin; what comes in is the issue, no input."""
        return await self.async_step_pin()

    async def async_step_pin(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Take a PIN and keep its hash."""
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                kept = await self.hass.async_add_executor_job(hashed, user_input[CONF_PIN])
            except ValueError:
                errors[CONF_PIN] = "pin_too_short"
            else:
                options = {**self._entry.options, CONF_PIN_HASH: kept}
                self.hass.config_entries.async_update_entry(self._entry, options=options)
                return self.async_create_entry(data={})
        return self.async_show_form(step_id="pin", data_schema=PIN, errors=errors)


class ConfirmFlow(RepairsFlow):
    """Ask once, then mend."""

    def __init__(self, entry: ConfigEntry) -> None:
        """Take the entry."""
        self._entry = entry

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin; what comes in is the issue, no input."""
        return await self.async_step_confirm()

    async def async_step_confirm(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Mend after a yes."""
        if user_input is None:
            placeholders = {"title": self._entry.title, **self._placeholders()}
            return self.async_show_form(
                step_id="confirm", data_schema=vol.Schema({}), description_placeholders=placeholders
            )
        await self._mend()
        return self.async_create_entry(data={})

    def _placeholders(self) -> dict[str, str]:
        return {}

    async def _mend(self) -> None:
        raise NotImplementedError


class RestartFlow(ConfirmFlow):
    """Load the entry anew, which starts the model's process anew."""

    @override
    def _placeholders(self) -> dict[str, str]:
        runtime = getattr(self._entry, "runtime_data", None)
        return {"error": str(runtime.engine.health.problem) if runtime else ""}

    @override
    async def _mend(self) -> None:
        # An update of Home Assistant's container takes along what was installed into it.
        local = self._entry.data[CONF_SOURCE] != ModelSource.SERVER
        if local and await self.hass.async_add_executor_job(is_missing, self.hass):
            try:
                await async_install(self.hass)
            except EngineFailed as error:
                raise translated(error) from error
        self.hass.config_entries.async_schedule_reload(self._entry.entry_id)


class ModelChangedFlow(ConfirmFlow):
    """Take the file that is there now for the entry's model."""

    @override
    def _placeholders(self) -> dict[str, str]:
        return {"path": str(self._entry.data[CONF_PATH])}

    @override
    async def _mend(self) -> None:
        source = ModelSource(self._entry.data[CONF_SOURCE])
        checked = await self.hass.async_add_executor_job(check_file, self._entry.data[CONF_PATH], source)
        self.hass.config_entries.async_update_entry(
            self._entry, data={**self._entry.data, **checked.data}, unique_id=checked.unique_id
        )


class LocalIntentsFlow(ConfirmFlow):
    """Let every sentence reach the agent that it was said to."""

    @override
    async def _mend(self) -> None:
        await async_prefer_ours(self.hass)
        async_clear(self.hass, self._entry, LOCAL_INTENTS)


FLOWS = {
    ENGINE_FAILED: RestartFlow,
    LOCAL_INTENTS: LocalIntentsFlow,
    MODEL_CHANGED: ModelChangedFlow,
    MODEL_INVALID: ModelFlow,
    PIN_MISSING: PinFlow,
}


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow that mends an issue."""
    data = data or {}
    entry = hass.config_entries.async_get_entry(str(data.get("entry_id")))
    if entry is None:
        return ConfirmRepairFlow()
    flow = FLOWS.get(str(data.get("kind")))
    if flow is None:
        raise HomeAssistantError(translation_domain=DOMAIN, translation_key="unknown_issue")
    return flow(entry)
