"""The composition root inside Home Assistant: from a config entry to its runtime."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from homeassistant.components.notify.const import DOMAIN as NOTIFY
from homeassistant.components.notify.const import SERVICE_SEND_MESSAGE
from homeassistant.core import HomeAssistant

from botpsy_core.agent import ListToolbox, Plans, PlanToolbox, TimerToolbox
from botpsy_core.catalog import load_plan_tools, load_timer_tools, load_tools
from botpsy_core.domain.tools import ToolSpec
from botpsy_core.ports import Toolbox
from botpsy_core.safety import Confirmations

from .askers import Askers
from .attempt_store import HassAttemptStore
from .calendar_events import Calendars
from .calendar_toolbox import CalendarToolbox
from .const import CONF_PIN_HASH, DOMAIN, Preset
from .device_profiles import bound, subentries_of
from .devices import MqttDevices
from .discretion import Discretion
from .engine_watch import WatchedEngine
from .engines import async_build_engine, engine_data
from .entry import BotPsyConfigEntry
from .hass_home import HassHome
from .hass_toolbox import HassToolbox
from .host import HassClock
from .journal import HassJournal
from .list_keeper import HassLists
from .mqtt_requests import MqttRequests, async_request_users
from .news import News
from .people import People
from .pins import restored
from .plan_store import HassPlanStore
from .planned import Planner
from .policies import Rules, read_policies
from .policy_store import HassPolicyStore
from .runtime import BotPsyRuntime
from .self_test import SelfTest
from .speakers import speakers_of
from .timer_keeper import HassTimers


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
    attempts = HassAttemptStore(hass, entry.entry_id)
    discretion = Discretion.of(entry.options)
    toolboxes: list[Toolbox] = [
        PlanToolbox(plans, load_plan_tools()),
        TimerToolbox(_timers(hass, home, tools, discretion), plans, clock, load_timer_tools()),
        HassToolbox(hass, home, tools, askers, discretion),
        ListToolbox(HassLists(hass=hass, home=home, askers=askers), tools),
        CalendarToolbox(Calendars(hass), home, tools, askers, discretion),
    ]
    if devices:
        toolboxes.append(devices.toolbox)
    standard = rules.policies[Preset.STANDARD]
    runtime = BotPsyRuntime(
        hass=hass,
        engine=WatchedEngine(await async_build_engine(hass, engine_data(entry))),
        clock=clock,
        journal=journal,
        confirmations=Confirmations(
            clock,
            pin=restored(entry.options.get(CONF_PIN_HASH)),
            expires_s=standard.expires_s,
            tries=standard.tries,
            lockout_s=standard.lockout_s,
            attempts=await attempts.async_load(),
            keep_attempts=attempts.async_keep,
        ),
        rules=rules,
        self_test=SelfTest(entry),
        askers=askers,
        news=News(hass, askers),
        home=home,
        plans=plans,
        devices=devices,
        speakers=speakers_of(hass, entry, home, askers, toolboxes),
        stops=[home.async_listen(), askers.async_listen()],
    )
    planner = Planner(runtime, plans)
    planner.async_start()
    runtime.closers += [planner.async_close, attempts.async_close]
    if users := await async_request_users(hass, entry):
        runtime.requests = MqttRequests(runtime, users).server
    return runtime


def _timers(hass: HomeAssistant, home: HassHome, tools: Sequence[ToolSpec], discretion: Discretion) -> HassTimers:
    writer = next((t for t in tools if t.binding.get("action") == f"{NOTIFY}.{SERVICE_SEND_MESSAGE}"), None)
    return HassTimers(hass=hass, people=People(hass=hass, home=home, discretion=discretion), writer=writer)


def _read_data(folder: Path, own: Mapping[str, Any]) -> tuple[tuple[ToolSpec, ...], Rules]:
    load_timer_tools()
    load_plan_tools()  # from disk, before the loop asks for them
    return load_tools(), read_policies(folder, own)


async def _build_devices(
    hass: HomeAssistant, entry: BotPsyConfigEntry, clock: HassClock, journal: HassJournal
) -> MqttDevices | None:
    """Return the entry's MQTT devices, or None where it has none and needs nothing of `mqtt`."""
    if not subentries_of(entry):
        return None
    devices = await hass.async_add_executor_job(bound, hass, entry)
    return MqttDevices(hass, devices, clock=clock, journal=journal)
