"""What an entry can hold: conversation agents and MQTT devices.

Steps and fields, stable for programs (`/api/config/config_entries/subentries/flow`, handler `[entry_id, type]`):

- `conversation`: step `user` `{"name", "prompt", "llm_hass_api", "max_history", "users"}`, all but the name
  may be left out
- `ai_task_data`: step `user` `{"name", "prompt"}`
- `device`: step `user` `{"name": "Car", "profile": "<profile id>"}`, then step `device` with one field for each
  variable and secret of the profile, and `{"commands": ["unlock"], "aliases": [], "area": "<area id>"}`; `commands`
  are those switched on that start switched off. With the profile `announced`, the step `announced` comes between:
  `{"announced": "<number>"}`, one of the devices that describe themselves on the broker
"""

from collections.abc import Mapping
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_NAME
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.selector import SelectOptionDict, TextSelector

from botpsy_core.bridge import Profile, Proposal, bind, new_variable
from botpsy_core.errors import ConfigurationInvalid

from . import schema
from .announced import async_announced, choices
from .const import (
    CONF_ALIASES,
    CONF_ANNOUNCED,
    CONF_AREA,
    CONF_COMMANDS,
    CONF_PROFILE,
    CONF_SECRETS,
    CONF_SLUG,
    CONF_VARIABLES,
    DEFAULT_NAME,
    DEFAULT_TASK_NAME,
)
from .devices import profiles, settings_of, slug_of
from .hass_transport import HassTransport


class ConversationFlow(ConfigSubentryFlow):
    """A conversation agent."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add an agent."""
        if user_input is not None:
            return self.async_create_entry(title=user_input.pop(CONF_NAME), data=user_input)
        form = schema.conversation(await users_of(self.hass), apis_of(self.hass))
        named = vol.Schema({vol.Required(CONF_NAME, default=DEFAULT_NAME): TextSelector(), **form.schema})
        return self.async_show_form(step_id="user", data_schema=named)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Change an agent."""
        subentry = self._get_reconfigure_subentry()
        if user_input is not None:
            return self.async_update_and_abort(self._get_entry(), subentry, data=user_input)
        form = schema.conversation(await users_of(self.hass), apis_of(self.hass))
        return self.async_show_form(
            step_id="reconfigure", data_schema=self.add_suggested_values_to_schema(form, subentry.data)
        )


class TaskFlow(ConfigSubentryFlow):
    """An agent for AI tasks."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add an agent."""
        if user_input is not None:
            return self.async_create_entry(title=user_input.pop(CONF_NAME), data=user_input)
        named = {vol.Required(CONF_NAME, default=DEFAULT_TASK_NAME): TextSelector(), **schema.TASK.schema}
        return self.async_show_form(step_id="user", data_schema=vol.Schema(named))

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Change an agent."""
        subentry = self._get_reconfigure_subentry()
        if user_input is not None:
            return self.async_update_and_abort(self._get_entry(), subentry, data=user_input)
        return self.async_show_form(
            step_id="reconfigure", data_schema=self.add_suggested_values_to_schema(schema.TASK, subentry.data)
        )


class DeviceFlow(ConfigSubentryFlow):
    """A vehicle or another device on MQTT, described by a profile."""

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self._name = ""
        self._profile: Profile | None = None
        self._before: Mapping[str, Any] = {}
        self._known: Mapping[str, Profile] = {}
        self._found: tuple[Proposal, ...] = ()
        self._announced: Mapping[str, str] = {}

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Choose a name and a profile."""
        try:
            known = await self.hass.async_add_executor_job(profiles, self.hass)
        except ConfigurationInvalid as error:
            return self.async_abort(reason="profiles_invalid", description_placeholders={"error": str(error)})
        if user_input is not None:
            self._name = user_input[CONF_NAME]
            if user_input[CONF_PROFILE] == CONF_ANNOUNCED:
                self._known = known
                return await self.async_step_announced()
            self._profile = known[user_input[CONF_PROFILE]]
            return await self.async_step_device()
        kinds = [SelectOptionDict(value=each.id, label=each.title) for each in known.values()]
        kinds.insert(0, SelectOptionDict(value=CONF_ANNOUNCED, label="Look for devices that describe themselves"))
        return self.async_show_form(step_id="user", data_schema=schema.profile(kinds))

    async def async_step_announced(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Accept one of the devices that describe themselves; its name is the owner's."""
        if user_input is not None:
            accepted = self._found[int(user_input[CONF_ANNOUNCED])]
            self._profile, self._announced = self._known[accepted.profile], accepted.variables
            return await self.async_step_device()
        if not HassTransport(self.hass).connected:
            return self.async_abort(reason="mqtt_missing")
        self._found = await async_announced(self.hass, self._get_entry())
        if not (listed := choices(self._found, self._known)):
            return self.async_abort(reason="none_announced")
        return self.async_show_form(
            step_id="announced",
            data_schema=schema.announced(listed),
            description_placeholders={"name": self._name},
        )

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Change a device; its profile and its name in tools stay."""
        subentry = self._get_reconfigure_subentry()
        try:
            known = await self.hass.async_add_executor_job(profiles, self.hass)
        except ConfigurationInvalid as error:
            return self.async_abort(reason="profiles_invalid", description_placeholders={"error": str(error)})
        self._name, self._profile, self._before = subentry.title, known[subentry.data[CONF_PROFILE]], subentry.data
        return await self.async_step_device()

    async def async_step_device(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Fill the profile's variables in, and switch its risky commands on."""
        profile = self._profile
        assert profile is not None
        problem = ""
        if user_input is not None:
            data = self._data(profile, user_input)
            try:
                bind(profile, settings_of(self._name, data))
            except ConfigurationInvalid as error:
                problem = str(error)
            else:
                if self._before:
                    return self.async_update_and_abort(self._get_entry(), self._get_reconfigure_subentry(), data=data)
                return self.async_create_entry(title=self._name, data=data)
        shown = user_input or {**self._announced, **self._before, **self._before.get(CONF_VARIABLES, {})}
        return self.async_show_form(
            step_id="device",
            data_schema=self.add_suggested_values_to_schema(schema.device(profile, new_variable), shown),
            errors={"base": "device_invalid"} if problem else None,
            description_placeholders={
                "name": self._name,
                "error": problem,
                "variables": "\n".join(f"- `{key}`: {each.title}" for key, each in profile.vars.items()),
                "unoffered": self._unoffered(),
            },
        )

    def _unoffered(self) -> str:
        """Return the commands of the device that is changed which are no tool now, with the reason."""
        entry = self._get_entry()
        devices = entry.runtime_data.devices if self._before and entry.state is ConfigEntryState.LOADED else None
        if devices is None:
            return ""
        slug = self._before[CONF_SLUG]
        own = {key: why for key, why in devices.toolbox.unoffered().items() if key.startswith(f"{slug}_")}
        return "\n".join(f"- `{key.removeprefix(f'{slug}_')}`: {why}" for key, why in sorted(own.items()))

    def _data(self, profile: Profile, user_input: Mapping[str, Any]) -> dict[str, Any]:
        return {
            CONF_PROFILE: profile.id,
            CONF_SLUG: self._before.get(CONF_SLUG) or slug_of(self._name),
            CONF_VARIABLES: {key: user_input[key] for key in profile.vars if user_input.get(key)},
            CONF_SECRETS: {key: user_input[key] for key in profile.secrets if user_input.get(key)}
            or dict(self._before.get(CONF_SECRETS, {})),
            CONF_COMMANDS: user_input.get(CONF_COMMANDS, []),
            CONF_ALIASES: user_input.get(CONF_ALIASES, []),
            CONF_AREA: user_input.get(CONF_AREA),
        }


async def users_of(hass: HomeAssistant) -> list[SelectOptionDict]:
    """Return the people of this Home Assistant as choices."""
    users = await hass.auth.async_get_users()
    return [
        SelectOptionDict(value=user.id, label=user.name or user.id)
        for user in users
        if user.is_active and not user.system_generated
    ]


def apis_of(hass: HomeAssistant) -> list[SelectOptionDict]:
    """Return the LLM APIs of this Home Assistant as choices."""
    return [SelectOptionDict(value=api.id, label=api.name) for api in llm.async_get_apis(hass)]
