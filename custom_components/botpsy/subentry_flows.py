"""The agents that an entry can hold; MQTT devices: see device_flow.py.

Steps and fields, stable for programs (`/api/config/config_entries/subentries/flow`, handler `[entry_id, type]`):

- `conversation`: step `user` `{"name", "prompt", "llm_hass_api", "policy", "max_history", "thinking",
  "users"}`, all but the name may be left out
- `ai_task_data`: step `user` `{"name", "prompt"}`
"""

from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_NAME
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.selector import SelectOptionDict, TextSelector

from . import schema
from .const import DEFAULT_NAME, DEFAULT_TASK_NAME


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
