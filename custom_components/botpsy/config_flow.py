"""The set-up in the UI.

Steps and fields, stable for programs that drive the flow over HTTP (`/api/config/config_entries/flow`):

- `user`: a menu; `{"next_step_id": "file" | "catalogue" | "server"}`, and `running` while a download is under way
- `file`: `{"path": "/path/to/model.gguf"}`
- `catalogue`: `{"model": "<key>/<quantisation>", "token": ""}`, the last may be left out
- `server`: `{"url": "http://host:8080", "model": "", "api_key": "", "fallback": "/path/to/model.gguf"}`, the last three
  may be left out
- `file` and `catalogue` begin with the menu `engine` where the engine's library is missing:
  `{"next_step_id": "install"}`
- then the flow answers `progress` while it downloads and tries the model; GET the flow until it answers something else
- the result is the entry, with one conversation agent as its subentry

Options: see options_flow.py. Further agents and MQTT devices are subentries: see subentry_flows.py.
"""

from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
)
from homeassistant.core import callback

from . import schema
from .const import (
    CONF_API_KEY,
    CONF_FALLBACK,
    CONF_MAX_HISTORY,
    CONF_MODEL,
    CONF_PATH,
    CONF_TOKEN,
    CONF_URL,
    DEFAULT_MAX_HISTORY,
    DEFAULT_NAME,
    DOMAIN,
    ENTRY_VERSION,
    SUBENTRY_CONVERSATION,
    SUBENTRY_DEVICE,
    SUBENTRY_TASK,
    ModelSource,
)
from .device_flow import DeviceFlow
from .downloads import async_begin, async_running
from .engines import Candidate, memory_mb, name_server
from .fetching_flow import FetchingFlow
from .model_choices import choices, title_of
from .options_flow import BotPsyOptionsFlow
from .subentry_flows import ConversationFlow, TaskFlow

SOURCES = (ModelSource.CATALOGUE, ModelSource.FILE, ModelSource.SERVER)

DEFAULT_AGENT = ConfigSubentryData(
    data={CONF_MAX_HISTORY: DEFAULT_MAX_HISTORY},
    subentry_type=SUBENTRY_CONVERSATION,
    title=DEFAULT_NAME,
    unique_id=None,
)


class BotPsyConfigFlow(FetchingFlow, domain=DOMAIN):
    """Choose a model and try it; one entry a model."""

    VERSION = ENTRY_VERSION
    MINOR_VERSION = 1

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask where the model comes from."""
        running = async_running(self.hass)
        options = ["running", *SOURCES] if running else list(SOURCES)
        return self.async_show_menu(step_id="user", menu_options=options)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Swap the model; agents and options stay."""
        return self.async_show_menu(step_id="reconfigure", menu_options=list(SOURCES))

    async def async_step_file(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take a GGUF file of this machine."""
        errors: dict[str, str] = {}
        placeholders: dict[str, str] = {}
        self._source = ModelSource.FILE
        if await self._async_lacks_engine():
            return await self.async_step_engine()
        if user_input is not None:
            errors, placeholders = await self._async_check(user_input[CONF_PATH])
            if not errors:
                return await self.async_step_trial()
        elif self._problem:
            errors, placeholders = {"base": "trial_failed"}, {"error": self._problem}
        return self.async_show_form(
            step_id="file",
            data_schema=self.add_suggested_values_to_schema(schema.FILE, user_input),
            errors=errors,
            description_placeholders=placeholders,
        )

    async def async_step_server(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take a server that runs a model."""
        if self._source is not ModelSource.SERVER:  # what went wrong before is not this form's
            self._source, self._problem = ModelSource.SERVER, ""
        errors = {"base": "trial_failed"} if self._problem else {}
        placeholders = {"error": self._problem}
        if user_input is not None:
            spare, errors = None, {}
            if path := user_input.get(CONF_FALLBACK):
                errors, placeholders = await self._async_check(path)
                spare = self._candidate
            if not errors:
                url, model, key = (user_input.get(each, "") for each in (CONF_URL, CONF_MODEL, CONF_API_KEY))
                self._candidate = name_server(url, model, key, spare)
                return await self.async_step_trial()
            errors = {CONF_FALLBACK: next(iter(errors.values()))}
        asked = user_input or (dict(self._candidate.data) if self._candidate else None)
        return self.async_show_form(
            step_id="server",
            data_schema=self.add_suggested_values_to_schema(schema.SERVER, asked),
            errors=errors,
            description_placeholders=placeholders,
        )

    async def async_step_catalogue(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Choose a model that is known by name, and fetch it."""
        self._source = ModelSource.CATALOGUE
        if await self._async_lacks_engine():
            return await self.async_step_engine()
        if user_input is not None:
            key = user_input[CONF_MODEL]
            title = await self.hass.async_add_executor_job(title_of, key)
            self._problem = ""
            self._download = async_begin(self.hass, key, title, user_input.get(CONF_TOKEN))
            return await self.async_step_download()
        memory = await self.hass.async_add_executor_job(memory_mb)
        known = await self.hass.async_add_executor_job(choices, memory)
        return self.async_show_form(
            step_id="catalogue",
            data_schema=schema.catalogue(known),
            errors={"base": "download_failed"} if self._problem else {},
            description_placeholders={"memory": str(memory), "error": self._problem},
        )

    async def async_step_finish(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Make the entry, or put the model into it."""
        candidate = self._candidate
        assert candidate is not None
        return await self._async_save(candidate)

    async def _async_save(self, candidate: Candidate) -> ConfigFlowResult:
        unique_id, title, data = candidate.unique_id, candidate.title, dict(candidate.data)
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
        return {SUBENTRY_CONVERSATION: ConversationFlow, SUBENTRY_DEVICE: DeviceFlow, SUBENTRY_TASK: TaskFlow}
