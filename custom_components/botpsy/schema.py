"""The forms of the config flow, the options and the subentries."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import voluptuous as vol
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
from homeassistant.helpers.selector import (
    AreaSelector,
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from .const import (
    CONF_ALIASES,
    CONF_ANNOUNCED,
    CONF_API_KEY,
    CONF_AREA,
    CONF_COMMANDS,
    CONF_FALLBACK,
    CONF_IDLE_UNLOAD,
    CONF_MAX_HISTORY,
    CONF_MEMORY_LIMIT,
    CONF_MODEL,
    CONF_MQTT_REQUESTS,
    CONF_PATH,
    CONF_PIN,
    CONF_POLICY,
    CONF_PRIVATE_CALENDARS,
    CONF_PROFILE,
    CONF_RECIPIENTS,
    CONF_REMOVE_PIN,
    CONF_REQUEST_USERS,
    CONF_THINKING,
    CONF_TOKEN,
    CONF_URL,
    CONF_USERS,
    DEFAULT_MAX_HISTORY,
    Preset,
)

if TYPE_CHECKING:
    from botpsy_core.bridge import Profile

PASSWORD = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="new-password"))
URL = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))

FILE = vol.Schema({vol.Required(CONF_PATH): TextSelector()})

SERVER = vol.Schema(
    {
        vol.Required(CONF_URL): URL,
        vol.Optional(CONF_MODEL): TextSelector(),
        vol.Optional(CONF_API_KEY): PASSWORD,
        vol.Optional(CONF_FALLBACK): TextSelector(),
    }
)


PRESETS = SelectSelector(
    SelectSelectorConfig(
        options=[each.value for each in Preset], mode=SelectSelectorMode.DROPDOWN, translation_key="policy"
    )
)

IDLE_UNLOAD = NumberSelector(
    NumberSelectorConfig(min=1, max=1440, step=1, unit_of_measurement="min", mode=NumberSelectorMode.BOX)
)
MEMORY_LIMIT = NumberSelector(
    NumberSelectorConfig(min=256, max=65536, step=1, unit_of_measurement="MB", mode=NumberSelectorMode.BOX)
)

INSTRUCTIONS = TextSelector(TextSelectorConfig(multiline=True))

TASK = vol.Schema({vol.Optional(CONF_PROMPT): INSTRUCTIONS})


def catalogue(models: Sequence[SelectOptionDict]) -> vol.Schema:
    """Return the form that chooses one of the models, the one that fits best first."""
    chosen = SelectSelector(SelectSelectorConfig(options=list(models), mode=SelectSelectorMode.LIST))
    return vol.Schema(
        {vol.Required(CONF_MODEL, default=models[0]["value"]): chosen, vol.Optional(CONF_TOKEN): PASSWORD}
    )


def options(users: Sequence[SelectOptionDict], *, pin_set: bool, local: bool) -> vol.Schema:
    """Return the form of the options; the PIN is never shown, what a model here may take only where one is `local`."""
    fields: dict[vol.Marker, object] = {vol.Optional(CONF_PIN): PASSWORD}
    if pin_set:
        fields[vol.Optional(CONF_REMOVE_PIN, default=False)] = BooleanSelector()
    fields[vol.Optional(CONF_MQTT_REQUESTS, default=False)] = BooleanSelector()
    fields[vol.Optional(CONF_REQUEST_USERS)] = SelectSelector(SelectSelectorConfig(options=list(users), multiple=True))
    fields[vol.Optional(CONF_PRIVATE_CALENDARS)] = EntitySelector(
        EntitySelectorConfig(domain="calendar", multiple=True)
    )
    fields[vol.Optional(CONF_RECIPIENTS)] = EntitySelector(EntitySelectorConfig(domain="notify", multiple=True))
    if local:
        fields |= {vol.Optional(CONF_IDLE_UNLOAD): IDLE_UNLOAD, vol.Optional(CONF_MEMORY_LIMIT): MEMORY_LIMIT}
    return vol.Schema(fields)


def conversation(users: Sequence[SelectOptionDict], apis: Sequence[SelectOptionDict]) -> vol.Schema:
    """Return the form of a conversation agent, without its name."""
    history = NumberSelectorConfig(min=0, max=100, step=1, mode=NumberSelectorMode.BOX)
    return vol.Schema(
        {
            vol.Optional(CONF_PROMPT): INSTRUCTIONS,
            vol.Optional(CONF_LLM_HASS_API): SelectSelector(SelectSelectorConfig(options=list(apis), multiple=True)),
            vol.Optional(CONF_POLICY): PRESETS,
            vol.Required(CONF_MAX_HISTORY, default=DEFAULT_MAX_HISTORY): NumberSelector(history),
            vol.Optional(CONF_THINKING, default=False): BooleanSelector(),
            vol.Optional(CONF_USERS): SelectSelector(SelectSelectorConfig(options=list(users), multiple=True)),
        }
    )


def profile(profiles: Sequence[SelectOptionDict]) -> vol.Schema:
    """Return the form that names a device and says what kind it is."""
    kinds = SelectSelector(
        SelectSelectorConfig(options=list(profiles), mode=SelectSelectorMode.DROPDOWN, translation_key=CONF_PROFILE)
    )
    return vol.Schema({vol.Required(CONF_NAME): TextSelector(), vol.Required(CONF_PROFILE): kinds})


def announced(found: Sequence[SelectOptionDict]) -> vol.Schema:
    """Return the form that accepts one of the devices that describe themselves."""
    listed = SelectSelector(SelectSelectorConfig(options=list(found), mode=SelectSelectorMode.LIST))
    return vol.Schema({vol.Required(CONF_ANNOUNCED): listed})


def device(chosen: Profile) -> vol.Schema:
    """Return the form of a device: what its profile leaves open, and the commands that start switched off; blocks."""
    from botpsy_core.bridge import new_variable

    fields: dict[vol.Marker, object] = {}
    for name, var in chosen.vars.items():
        default = var.default or (new_variable() if var.generate else vol.UNDEFINED)
        fields[vol.Required(name, default=default)] = TextSelector()
    fields |= {vol.Optional(name): PASSWORD for name in chosen.secrets}
    off = [name for name, command in chosen.commands.items() if not command.enabled_by_default]
    if off:
        fields[vol.Optional(CONF_COMMANDS)] = SelectSelector(SelectSelectorConfig(options=off, multiple=True))
    fields[vol.Optional(CONF_ALIASES)] = TextSelector(TextSelectorConfig(multiple=True))
    fields[vol.Optional(CONF_AREA)] = AreaSelector()
    return vol.Schema(fields)
