"""What can be changed later: the PIN, who may ask over MQTT, what is kept among people, what the model may take.

Step `init` (`/api/config/config_entries/options/flow`), every field may be left out:
`{"pin": "1234", "remove_pin": false, "mqtt_requests": true, "request_users": ["<user id>"],
"private_calendars": ["calendar.x"], "recipients": ["notify.x"], "idle_unload": 30, "memory_limit": 1024}`; the last two
only where a model of this machine may run
"""

from typing import Any

from homeassistant.config_entries import ConfigFlowResult, OptionsFlow

from . import schema
from .const import CONF_PIN, CONF_PIN_HASH, CONF_REMOVE_PIN
from .engines import is_local
from .pins import hashed
from .subentry_flows import users_of


class BotPsyOptionsFlow(OptionsFlow):
    """The PIN, discretion, requests over MQTT, and the memory of a model here."""

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
        form = schema.options(
            await users_of(self.hass), pin_set=CONF_PIN_HASH in options, local=is_local(self.config_entry.data)
        )
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(form, user_input or options),
            errors=errors,
        )
