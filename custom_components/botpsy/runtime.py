"""The composition root inside Home Assistant: what one config entry is made of, and how a turn goes through it."""

from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from time import monotonic

from homeassistant.components.conversation import ChatLog
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, Context, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from botpsy_core.agent import Agent, Toolset
from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Role, ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import AskKind
from botpsy_core.errors import BotPsyError
from botpsy_core.ports import Toolbox
from botpsy_core.safety import Confirmations, Policy, load_policy

from .chat_bridge import Deltas, call_of, trace_of, transcript_of, verdict_word
from .const import CONF_PIN_HASH, DEFAULT_MAX_HISTORY, DOMAIN, EVENT_TURN
from .devices import MqttDevices, bound, subentries_of
from .engine_watch import WatchedEngine
from .engines import ENGINE_BUILDER, build_engine, check_still_there
from .hass_home import HassHome, area_of_device
from .hass_toolbox import HassToolbox
from .issues import MQTT_MISSING, async_raise
from .pins import restored

type BotPsyConfigEntry = ConfigEntry[BotPsyRuntime]

JOURNAL_LENGTH = 50


class HassClock:
    """Home Assistant's time."""

    def now(self) -> datetime:
        """Return the current time in the home's zone."""
        return dt_util.now()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return monotonic()


class RecentJournal:
    """Keeps the newest entries in memory, for diagnostics."""

    def __init__(self) -> None:
        """Begin empty."""
        self.entries: list[JsonObject] = []

    def record(self, entry: JsonObject) -> None:
        """Append an entry and forget the oldest."""
        self.entries.append(entry)
        del self.entries[:-JOURNAL_LENGTH]


@dataclass(slots=True, kw_only=True)
class BotPsyRuntime:
    """One loaded model with everything that works on it."""

    hass: HomeAssistant
    engine: WatchedEngine
    agent: Agent
    policy: Policy
    home: HassHome
    toolbox: Toolbox
    journal: RecentJournal
    devices: MqttDevices | None = None
    stops: list[CALLBACK_TYPE] = field(default_factory=list)

    async def async_talk(
        self,
        chat_log: ChatLog,
        text: str,
        *,
        context: TurnContext,
        agent_id: str,
        history: int = DEFAULT_MAX_HISTORY,
    ) -> Deltas:
        """Answer the newest utterance of a chat, which is `text`; calls enter the log after they happened."""
        events = self.agent.turn(
            text,
            transcript=transcript_of(chat_log, limit=history),
            home=self.home.home(context.language),
            toolbox=self.toolbox,
            context=context,
        )
        deltas = Deltas(events)
        async for _ in chat_log.async_add_delta_content_stream(agent_id, deltas):
            pass
        chat_log.async_trace(trace_of(deltas))
        self._announce(deltas, context, agent_id)
        return deltas

    async def async_confirm(
        self, pending_id: str | None, *, accept: bool | None, pin: str | None, context: TurnContext, agent_id: str
    ) -> Deltas:
        """Answer an open question by another way than words."""
        home = self.home.home(context.language)
        deltas = Deltas(
            self.agent.confirm(pending_id, accept=accept, pin=pin, home=home, toolbox=self.toolbox, context=context)
        )
        async for _ in deltas:
            pass
        self._announce(deltas, context, agent_id)
        return deltas

    @callback
    def _announce(self, deltas: Deltas, context: TurnContext, agent_id: str) -> None:
        """Tell automations, the logbook and our own entities how a turn ended; no words of the user."""
        if ended := deltas.ended:
            data = {
                "agent_id": agent_id,
                "conversation_id": context.conversation_id,
                "origin": context.origin.value,
                "device_id": context.device_id,
                "status": ended.status.value,
                "reason": ended.reason.value if ended.reason else None,
                "reply": ended.reply,
                "calls": [call_of(each.call, each.result.outcome.value) for each in deltas.executed],
                "verdicts": [verdict_word(each.verdict) for each in deltas.decided],
                "pending": ended.pending,
                "dry_run": context.dry_run,
                "usage": asdict(ended.usage),
            }
            asker = Context(user_id=context.user_id, id=context.hass_context_id)
            self.hass.bus.async_fire(EVENT_TURN, data, context=asker)

    @callback
    def names_that_need_a_pin(self) -> tuple[str, ...]:
        """Return the exposed things of which some act waits for the PIN."""
        specs = [spec for spec in self.toolbox.specs() if not spec.read_only]
        home = self.home.home(self.hass.config.language)
        return tuple(each.name for each in home.entities if any(self._needs_a_pin(spec, each) for spec in specs))

    def _needs_a_pin(self, spec: ToolSpec, entity: Entity) -> bool:
        takes = spec.target == entity.id or any(
            {entity.domain, entity.kind} & argument.kinds for argument in spec.arguments_of(Role.TARGET)
        )
        return takes and self.policy.stake(spec, (entity,)).confirm is AskKind.PIN

    @callback
    def async_start(self, entry: BotPsyConfigEntry) -> None:
        """Load the model and listen to the devices beside Home Assistant's own start; nobody waits for either."""
        entry.async_create_background_task(self.hass, self._warm_up(), name=f"{DOMAIN} warm-up")
        if self.devices:
            entry.async_create_background_task(self.hass, self._listen(entry), name=f"{DOMAIN} devices")

    async def _warm_up(self) -> None:
        # What goes wrong here is kept in the engine's health, from where the entities and the repair issue show it.
        with suppress(BotPsyError):
            await self.engine.info()
            await self.agent.warm()

    async def _listen(self, entry: BotPsyConfigEntry) -> None:
        if self.devices and not await self.devices.async_start():
            async_raise(self.hass, entry, MQTT_MISSING)

    async def async_close(self) -> None:
        """Stop listening and end the model's process."""
        for stop in self.stops:
            stop()
        if self.devices:
            await self.devices.async_close()
        await self.engine.close()


async def async_build_runtime(hass: HomeAssistant, entry: BotPsyConfigEntry) -> BotPsyRuntime:
    """Put an entry's parts together; nothing is started but what listens.

    Raises ModelFileInvalid for the model and ConfigurationInvalid for a device's profile.
    """
    await hass.async_add_executor_job(check_still_there, entry.data)
    tools, policy = await hass.async_add_executor_job(_read_data)
    clock, journal = HassClock(), RecentJournal()
    devices = await _build_devices(hass, entry, clock, journal)
    home = HassHome(hass, others=devices.entities) if devices else HassHome(hass)
    toolboxes: list[Toolbox] = [HassToolbox(hass, home, tools)]
    if devices:
        toolboxes.append(devices.toolbox)
    toolbox = Toolset(toolboxes)
    engine = WatchedEngine(hass.data.get(ENGINE_BUILDER, build_engine)(hass, entry.data))
    return BotPsyRuntime(
        hass=hass,
        engine=engine,
        agent=Agent(
            engine=engine,
            tools=toolbox.specs(),
            policy=policy,
            clock=clock,
            journal=journal,
            confirmations=Confirmations(
                clock,
                pin=restored(entry.options.get(CONF_PIN_HASH)),
                expires_s=policy.expires_s,
                tries=policy.tries,
                lockout_s=policy.lockout_s,
            ),
        ),
        policy=policy,
        home=home,
        toolbox=toolbox,
        journal=journal,
        devices=devices,
        stops=[home.async_listen()],
    )


async def _build_devices(
    hass: HomeAssistant, entry: BotPsyConfigEntry, clock: HassClock, journal: RecentJournal
) -> MqttDevices | None:
    """Return the entry's MQTT devices, or None where it has none and needs nothing of `mqtt`."""
    if not subentries_of(entry):
        return None
    devices = await hass.async_add_executor_job(bound, hass, entry)
    return MqttDevices(hass, devices, clock=clock, journal=journal)


def _read_data() -> tuple[tuple[ToolSpec, ...], Policy]:
    return load_tools(), load_policy()


async def async_context(
    hass: HomeAssistant,
    *,
    origin: Origin,
    conversation_id: str,
    context: Context,
    language: str | None = None,
    device_id: str | None = None,
) -> TurnContext:
    """Return the frame of a turn that Home Assistant asked for."""
    user = await hass.auth.async_get_user(context.user_id) if context.user_id else None
    return TurnContext(
        conversation_id=conversation_id,
        origin=origin,
        now=dt_util.now(),
        language=language or hass.config.language,
        user_id=context.user_id,
        is_admin=bool(user and user.is_admin),
        device_id=device_id,
        area_id=area_of_device(hass, device_id),
        hass_context_id=context.id,
    )
