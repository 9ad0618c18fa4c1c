"""The form of a vehicle or another device on MQTT.

Steps and fields, stable for programs (`/api/config/config_entries/subentries/flow`, handler `[entry_id, "device"]`):

- `user`: `{"name": "Car", "profile": "<profile id>"}`
- `device`: one field for each variable and secret of the profile, and
  `{"commands": ["unlock"], "aliases": [], "area": "<area id>"}`; `commands` are those switched on that start
  switched off
- with the profile `announced`, the step `announced` comes between: `{"announced": "<number>"}`, one of the devices that
  describe themselves on the broker
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_NAME
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import SelectOptionDict

from botpsy_core.errors import ConfigurationInvalid

from . import schema
from .const import (
    CONF_ALIASES,
    CONF_ANNOUNCED,
    CONF_AREA,
    CONF_COMMANDS,
    CONF_PROFILE,
    CONF_SECRETS,
    CONF_SLUG,
    CONF_VARIABLES,
)
from .device_profiles import problem_of, profiles, slug_of

if TYPE_CHECKING:
    from botpsy_core.bridge import Profile, Proposal

type Look = Callable[[HomeAssistant, ConfigEntry], Awaitable[tuple[Proposal, ...] | None]]
type Choices = Callable[[Iterable[Proposal], Mapping[str, Profile]], list[SelectOptionDict]]


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
        kinds.insert(0, SelectOptionDict(value=CONF_ANNOUNCED, label=CONF_ANNOUNCED))  # translated by its value
        return self.async_show_form(step_id="user", data_schema=schema.profile(kinds))

    async def async_step_announced(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Accept one of the devices that describe themselves; its name is the owner's."""
        if user_input is not None:
            accepted = self._found[int(user_input[CONF_ANNOUNCED])]
            self._profile, self._announced = self._known[accepted.profile], accepted.variables
            return await self.async_step_device()
        look, choices = await self.hass.async_add_import_executor_job(_looking)
        found = await look(self.hass, self._get_entry())
        if found is None:
            return self.async_abort(reason="mqtt_missing")
        self._found = found
        if not (listed := choices(found, self._known)):
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
            problem = await self.hass.async_add_executor_job(problem_of, profile, self._name, data)
            if not problem:
                if self._before:
                    return self.async_update_and_abort(self._get_entry(), self._get_reconfigure_subentry(), data=data)
                return self.async_create_entry(title=self._name, data=data)
        form = await self.hass.async_add_executor_job(schema.device, profile)
        shown = user_input or {**self._announced, **self._before, **self._before.get(CONF_VARIABLES, {})}
        return self.async_show_form(
            step_id="device",
            data_schema=self.add_suggested_values_to_schema(form, shown),
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
        runtime = getattr(self._get_entry(), "runtime_data", None) if self._before else None
        if runtime is None or runtime.devices is None:
            return ""
        slug = self._before[CONF_SLUG]
        own = {key: why for key, why in runtime.devices.toolbox.unoffered().items() if key.startswith(f"{slug}_")}
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


def _looking() -> tuple[Look, Choices]:
    """Load what listens on the broker; blocks."""
    from .announced import async_announced, choices

    return async_announced, choices
