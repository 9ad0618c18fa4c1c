"""The set-up in the UI.

Steps and fields, stable for programs that drive the flow over HTTP (`/api/config/config_entries/flow`):

- `user`: a menu; `{"next_step_id": "file" | "catalogue" | "server"}`
- `file`: `{"path": "/path/to/model.gguf"}`
- `server`: `{"url": "http://host:8080", "model": "", "api_key": ""}`, the last two may be left out
- the result is the entry, with one conversation agent as its subentry

Options (`/api/config/config_entries/options/flow`), step `init`, every field may be left out:
`{"pin": "1234", "remove_pin": false, "mqtt_requests": true, "request_users": ["<user id>"]}`

Further agents and MQTT devices are subentries: see subentry_flows.py.
"""

from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.core import callback

from botpsy_core.errors import ModelFileInvalid

from . import schema
from .const import (
    CONF_DIGEST,
    CONF_MAX_HISTORY,
    CONF_PATH,
    CONF_PIN,
    CONF_PIN_HASH,
    CONF_REMOVE_PIN,
    CONF_SOURCE,
    DEFAULT_MAX_HISTORY,
    DEFAULT_NAME,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    SUBENTRY_DEVICE,
    ModelSource,
)
from .engines import CheckedFile, check_file, memory_mb
from .pins import hashed
from .subentry_flows import ConversationFlow, DeviceFlow, users_of

DEFAULT_AGENT = ConfigSubentryData(
    data={CONF_MAX_HISTORY: DEFAULT_MAX_HISTORY},
    subentry_type=SUBENTRY_CONVERSATION,
    title=DEFAULT_NAME,
    unique_id=None,
)


class BotPsyConfigFlow(ConfigFlow, domain=DOMAIN):
    """Choose a model and try it; one entry a model."""

    VERSION = 1
    MINOR_VERSION = 1

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask where the model comes from."""
        return self.async_show_menu(step_id="user", menu_options=[ModelSource.FILE])

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Swap the model; agents and options stay."""
        return self.async_show_menu(step_id="reconfigure", menu_options=[ModelSource.FILE])

    async def async_step_file(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take a GGUF file of this machine."""
        errors: dict[str, str] = {}
        placeholders: dict[str, str] = {}
        if user_input is not None:
            try:
                checked = await self.hass.async_add_executor_job(check_file, user_input[CONF_PATH])
            except ModelFileInvalid as error:
                errors[CONF_PATH] = "model_file_invalid"
                placeholders["error"] = str(error)
            else:
                memory = await self.hass.async_add_executor_job(memory_mb)
                if not memory or checked.needed_mb <= memory:
                    return await self._async_finish(checked)
                errors[CONF_PATH] = "memory_too_small"
                placeholders = {"needed": str(checked.needed_mb), "memory": str(memory)}
        return self.async_show_form(
            step_id="file",
            data_schema=self.add_suggested_values_to_schema(schema.FILE, user_input),
            errors=errors,
            description_placeholders=placeholders,
        )

    async def _async_finish(self, checked: CheckedFile) -> ConfigFlowResult:
        data = {CONF_SOURCE: ModelSource.FILE, CONF_PATH: str(checked.path), CONF_DIGEST: checked.digest}
        return await self._async_save(checked.digest, checked.title, data)

    async def _async_save(self, unique_id: str, title: str, data: dict[str, Any]) -> ConfigFlowResult:
        await self.async_set_unique_id(unique_id, raise_on_progress=False)
        if self.source == SOURCE_RECONFIGURE:
            entry = self._get_reconfigure_entry()
            if unique_id != entry.unique_id:
                self._abort_if_unique_id_configured()
            # A loaded entry listens to its own changes and reloads itself; one that failed does not.
            update = self.async_update_and_abort if entry.update_listeners else self.async_update_reload_and_abort
            return update(entry, unique_id=unique_id, title=title, data=data)
        self._abort_if_unique_id_configured()
        return self.async_create_entry(title=title, data=data, subentries=[DEFAULT_AGENT])

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> BotPsyOptionsFlow:
        """Return the flow for what can be changed later."""
        return BotPsyOptionsFlow()

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(cls, config_entry: ConfigEntry) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what an entry can hold."""
        return {SUBENTRY_CONVERSATION: ConversationFlow, SUBENTRY_DEVICE: DeviceFlow}


class BotPsyOptionsFlow(OptionsFlow):
    """The PIN, the vehicles, and requests over MQTT."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show everything on one page; the PIN goes in and never comes out."""
        options = self.config_entry.options
        errors: dict[str, str] = {}
        if user_input is not None:
            pin = user_input.pop(CONF_PIN, "")
            remove = user_input.pop(CONF_REMOVE_PIN, False)
            try:
                pin_hash = await self.hass.async_add_executor_job(hashed, pin) if pin else options.get(CONF_PIN_HASH)
            except ValueError:
                errors[CONF_PIN] = "pin_too_short"
            else:
                if pin_hash and not remove:
                    user_input[CONF_PIN_HASH] = pin_hash
                return self.async_create_entry(data=user_input)
        form = schema.options(users=await users_of(self.hass), pin_set=CONF_PIN_HASH in options)
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(form, user_input or options),
            errors=errors,
        )
