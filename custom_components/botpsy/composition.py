"""The composition root inside Home Assistant: from a config entry to its runtime."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.core import HomeAssistant

from botpsy_core.agent import Plans, PlanToolbox, Toolset
from botpsy_core.catalog import load_plan_tools, load_tools
from botpsy_core.domain.tools import ToolSpec
from botpsy_core.ports import Toolbox
from botpsy_core.safety import Confirmations

from .askers import Askers
from .calendar_events import Calendars
from .calendar_toolbox import CalendarToolbox
from .const import (
    CONF_MAX_HISTORY,
    CONF_PIN_HASH,
    CONF_POLICY,
    CONF_USERS,
    DEFAULT_MAX_HISTORY,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    Preset,
)
from .device_profiles import bound, subentries_of
from .devices import MqttDevices
from .discretion import Discretion
from .engine_watch import WatchedEngine
from .engines import async_build_engine
from .entry import BotPsyConfigEntry
from .hass_home import HassHome
from .hass_toolbox import HassToolbox
from .host import HassClock
from .journal import HassJournal
from .mqtt_requests import MqttRequests, async_request_users
from .news import News
from .pins import restored
from .plan_store import HassPlanStore
from .planned import Planner
from .policies import Rules, read_policies
from .policy_store import HassPolicyStore
from .runtime import BotPsyRuntime, Speaker
from .self_test import SelfTest
from .tool_bridge import ForeignToolbox


async def async_build_runtime(hass: HomeAssistant, entry: BotPsyConfigEntry) -> BotPsyRuntime:
    """Put an entry's parts together; nothing is started but what listens.

    Raises ConfigurationInvalid for a policy or a device's profile.
    """
    own = await HassPolicyStore(hass, entry.entry_id).async_load()
    tools, rules = await hass.async_add_executor_job(_read_data, Path(hass.config.path(DOMAIN)), own)
    clock, journal, askers = HassClock(), HassJournal(hass, entry.entry_id), Askers(hass)
    devices = await _build_devices(hass, entry, clock, journal)
    home = HassHome(hass, others=devices.entities) if devices else HassHome(hass)
    plans = Plans(HassPlanStore(hass, entry.entry_id), clock)
    await plans.load()
    discretion = Discretion.of(entry.options)
    toolboxes: list[Toolbox] = [
        PlanToolbox(plans, load_plan_tools()),
        HassToolbox(hass, home, tools, askers, discretion),
        CalendarToolbox(Calendars(hass), home, tools, askers, discretion),
    ]
    if devices:
        toolboxes.append(devices.toolbox)
    standard = rules.policies[Preset.STANDARD]
    runtime = BotPsyRuntime(
        hass=hass,
        engine=WatchedEngine(await async_build_engine(hass, entry.data)),
        clock=clock,
        journal=journal,
        confirmations=Confirmations(
            clock,
            pin=restored(entry.options.get(CONF_PIN_HASH)),
            expires_s=standard.expires_s,
            tries=standard.tries,
            lockout_s=standard.lockout_s,
        ),
        rules=rules,
        self_test=SelfTest(entry),
        askers=askers,
        news=News(hass, askers),
        home=home,
        plans=plans,
        devices=devices,
        speakers=_speakers(hass, entry, home, askers, toolboxes),
        stops=[home.async_listen(), askers.async_listen()],
    )
    planner = Planner(runtime, plans)
    planner.async_start()
    runtime.closers.append(planner.async_close)
    if users := await async_request_users(hass, entry):
        runtime.requests = MqttRequests(runtime, users).server
    return runtime


def _read_data(folder: Path, own: Mapping[str, Any]) -> tuple[tuple[ToolSpec, ...], Rules]:
    load_plan_tools()  # from disk, before the loop asks for them
    return load_tools(), read_policies(folder, own)


def _speakers(
    hass: HomeAssistant, entry: BotPsyConfigEntry, home: HassHome, askers: Askers, toolboxes: Sequence[Toolbox]
) -> Mapping[str, Speaker]:
    """Return what each agent has to itself; one without other integrations' tools shares the entry's toolbox."""
    shared = Toolset(toolboxes)
    speakers = {"": Speaker(instructions="", toolbox=shared)}
    for key, each in entry.subentries.items():
        if each.subentry_type == SUBENTRY_CONVERSATION:
            apis = each.data.get(CONF_LLM_HASS_API)
            foreign = ForeignToolbox(hass, home, askers, apis) if apis else None
            preset = str(each.data.get(CONF_POLICY, ""))
            speakers[key] = Speaker(
                instructions=str(each.data.get(CONF_PROMPT, "")),
                toolbox=Toolset([*toolboxes, foreign]) if foreign else shared,
                preset=Preset(preset) if preset in Preset else None,
                users=frozenset(each.data.get(CONF_USERS, ())),
                history=int(each.data.get(CONF_MAX_HISTORY, DEFAULT_MAX_HISTORY)),
                foreign=foreign,
            )
    return speakers


async def _build_devices(
    hass: HomeAssistant, entry: BotPsyConfigEntry, clock: HassClock, journal: HassJournal
) -> MqttDevices | None:
    """Return the entry's MQTT devices, or None where it has none and needs nothing of `mqtt`."""
    if not subentries_of(entry):
        return None
    devices = await hass.async_add_executor_job(bound, hass, entry)
    return MqttDevices(hass, devices, clock=clock, journal=journal)
