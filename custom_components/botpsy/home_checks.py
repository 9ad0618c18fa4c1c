"""What is looked at once the home is there: whether something goes around the guard, or is missing for it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.importlib import async_import_module

from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Role, ToolSpec
from botpsy_core.domain.verdicts import AskKind

from .const import CONF_PIN_HASH, DOMAIN
from .issues import (
    GUARD_BYPASSED,
    LOCAL_INTENTS,
    MQTT_ANONYMOUS,
    MQTT_RETAINED,
    MQTT_UNOFFERED,
    PIN_MISSING,
    async_clear,
    async_raise,
)

if TYPE_CHECKING:
    from .runtime import BotPsyRuntime

AGAIN: Final = timedelta(minutes=30)
"""Assistants, exposure and brokers change without telling us."""

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1", "core-mosquitto"})
"""Brokers that only this machine reaches; the last is the add-on, which asks for accounts by itself."""

PIPELINES: Final = "homeassistant.components.assist_pipeline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """One voice assistant, as far as it matters here."""

    id: str
    name: str
    ours: bool
    prefers_local: bool


async def async_assistants(hass: HomeAssistant) -> list[Assistant]:
    """Return the voice assistants of this Home Assistant; none where there is no pipeline."""
    if "assist_pipeline" not in hass.config.components:
        return []
    module = await async_import_module(hass, PIPELINES)
    registry = er.async_get(hass)
    return [
        Assistant(
            id=each.id,
            name=each.name,
            ours=bool((entry := registry.async_get(each.conversation_engine)) and entry.platform == DOMAIN),
            prefers_local=each.prefer_local_intents,
        )
        for each in module.async_get_pipelines(hass)
    ]


async def async_prefer_ours(hass: HomeAssistant) -> None:
    """Let every sentence that is said to one of our assistants reach it."""
    ours = {each.id for each in await async_assistants(hass) if each.ours and each.prefers_local}
    module = await async_import_module(hass, PIPELINES)
    for pipeline in module.async_get_pipelines(hass):
        if pipeline.id in ours:
            await module.async_update_pipeline(hass, pipeline, prefer_local_intents=False)


async def async_check(hass: HomeAssistant, entry: ConfigEntry, runtime: BotPsyRuntime) -> None:
    """Raise the issues whose cause is there, and take back the others."""
    assistants = await async_assistants(hass)
    guarded = names_that_need_a_pin(hass, runtime)
    local = [each.name for each in assistants if each.ours and each.prefers_local]
    around = [each.name for each in assistants if not each.ours] if guarded else []
    causes = {
        PIN_MISSING: {"names": ", ".join(guarded)} if guarded and CONF_PIN_HASH not in entry.options else None,
        LOCAL_INTENTS: {"assistants": ", ".join(local)} if local else None,
        GUARD_BYPASSED: {"assistants": ", ".join(around), "names": ", ".join(guarded)} if around else None,
        MQTT_ANONYMOUS: anonymous_broker(hass) if runtime.devices or runtime.requests else None,
        MQTT_RETAINED: await _kept_commands(runtime),
        MQTT_UNOFFERED: _unoffered(runtime),
    }
    for kind, placeholders in causes.items():
        if placeholders is None:
            async_clear(hass, entry, kind)
        else:
            async_raise(hass, entry, kind, **placeholders)


@callback
def names_that_need_a_pin(hass: HomeAssistant, runtime: BotPsyRuntime) -> tuple[str, ...]:
    """Return the exposed things of which some act waits for the PIN, with any of the entry's agents."""
    policies = {id(policy): policy for policy in map(runtime.policy_of, runtime.speakers.values())}
    specs = [spec for spec in runtime.toolbox.specs() if not spec.read_only]
    return tuple(
        each.name
        for each in runtime.home.home(hass.config.language).entities
        if any(
            policy.stake(spec, (each,)).confirm is AskKind.PIN
            for spec in specs
            if _takes(spec, each)
            for policy in policies.values()
        )
    )


def _takes(spec: ToolSpec, entity: Entity) -> bool:
    return spec.target == entity.id or any(
        {entity.domain, entity.kind} & argument.kinds for argument in spec.arguments_of(Role.TARGET)
    )


async def _kept_commands(runtime: BotPsyRuntime) -> dict[str, str] | None:
    """Return the command topics on which the broker keeps a message, or None."""
    if not runtime.devices or not runtime.devices.connected:
        return None
    kept = await runtime.devices.toolbox.retained_commands()
    return {"topics": ", ".join(kept)} if kept else None


def _unoffered(runtime: BotPsyRuntime) -> dict[str, str] | None:
    """Return the commands that the owner switched on and that cannot be offered, with the reason, or None."""
    if not runtime.devices:
        return None
    toolbox = runtime.devices.toolbox
    wanted = {
        f"{device.slug}_{name}"
        for device in toolbox.devices
        for name in device.enabled
        if device.secrets or not device.commands[name].enabled_by_default
    }
    told = [f"{name} ({why})" for name, why in sorted(toolbox.unoffered().items()) if name in wanted]
    return {"commands": ", ".join(told)} if told else None


def anonymous_broker(hass: HomeAssistant) -> dict[str, str] | None:
    """Return the broker that anybody in the network can speak to, or None."""
    for entry in hass.config_entries.async_entries("mqtt", include_ignore=False, include_disabled=False):
        broker = str(entry.data.get("broker", ""))
        if broker not in LOOPBACK and not entry.data.get("username"):
            return {"broker": broker}
    return None
