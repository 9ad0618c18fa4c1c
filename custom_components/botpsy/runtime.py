"""What one loaded config entry is made of, and how a turn goes through it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.components.conversation import ChatLog
from homeassistant.const import Platform
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback

from botpsy_core.agent import Agent, NoJournal, Plans, Toolset, read_ahead
from botpsy_core.bridge import RequestServer
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.events import TurnEvent
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.values import JsonObject
from botpsy_core.ports import Journal
from botpsy_core.safety import Confirmations, Policy

from .askers import Askers
from .chat_bridge import Deltas, trace_of, transcript_of
from .const import DOMAIN, Preset
from .devices import MqttDevices, async_listen
from .engine_watch import WatchedEngine
from .entry import BotPsyConfigEntry
from .hass_home import HassHome
from .host import HassClock
from .journal import HassJournal
from .news import News
from .policies import Rules
from .recovery import Recovery
from .self_test import SelfTest
from .speakers import Speaker


@dataclass(slots=True, kw_only=True)
class BotPsyRuntime:
    """One loaded model with everything that works on it."""

    hass: HomeAssistant
    engine: WatchedEngine
    clock: HassClock
    journal: HassJournal
    confirmations: Confirmations
    rules: Rules
    askers: Askers
    news: News
    home: HassHome
    plans: Plans
    """Acts that were put off."""
    devices: MqttDevices | None = None
    requests: RequestServer | None = None
    speakers: Mapping[str, Speaker]
    """By subentry; the one of "" stands for callers that name no agent."""
    acting: bool = True
    """False: everything is decided and answered, nothing is done."""
    preset: Preset = Preset.STANDARD
    agents: Mapping[str, Agent] = field(init=False)
    """By subentry, like the speakers."""
    platforms: tuple[Platform, ...] = ()
    """Those that are loaded, which are those to unload, whatever the subentries have become since."""
    self_test: SelfTest
    stops: list[CALLBACK_TYPE] = field(default_factory=list)
    closers: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """What has to come to an end before the entry is gone."""
    _languages: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Put the default policy in force."""
        self.async_use_preset(self.preset)

    @property
    def policies(self) -> Mapping[Preset, Policy]:
        """Return the policy of each preset."""
        return self.rules.policies

    @callback
    def async_use_rules(self, rules: Rules) -> None:
        """Put the owner's rules in force; open questions stay open and are judged by the new ones."""
        self.rules = rules
        self.async_use_preset(self.preset)

    @property
    def toolbox(self) -> Toolset:
        """Return the tools that every agent of the entry has."""
        return self.speakers[""].toolbox

    def policy_of(self, speaker: Speaker) -> Policy:
        """Return the policy that holds for an agent."""
        return self.policies[speaker.preset or self.preset]

    def is_open_to(self, subentry_id: str, user_id: str | None) -> bool:
        """Return whether somebody may talk to an agent; who is nobody may not where only some may."""
        users = self.speakers[subentry_id].users
        return not users or user_id in users

    @callback
    def async_use_preset(self, preset: Preset) -> None:
        """Put a policy in force; open questions stay open and are judged by the new one."""
        self.preset = preset
        self.agents = {key: self._agent(speaker) for key, speaker in self.speakers.items()}

    def _agent(self, speaker: Speaker, journal: Journal | None = None) -> Agent:
        return Agent(
            engine=self.engine,
            tools=speaker.toolbox.specs(),
            policy=self.policy_of(speaker),
            clock=self.clock,
            journal=journal or self.journal,
            confirmations=self.confirmations,
            instructions=speaker.instructions,
            limits=speaker.limits,
            plans=self.plans,
        )

    def examinee(self, subentry_id: str) -> Agent:
        """Return an agent like another one that writes nothing down, to be tried."""
        return self._agent(self.speakers[subentry_id], NoJournal())

    async def async_warm(self) -> None:
        """Let the model read what never changes; raise EngineFailed or ModelFileInvalid."""
        for agent in self.agents.values():
            await agent.warm()

    async def async_talk(
        self,
        chat_log: ChatLog,
        text: str,
        *,
        context: TurnContext,
        agent_id: str,
        subentry_id: str = "",
    ) -> Deltas:
        """Answer the newest utterance of a chat, which is `text`; calls enter the log after they happened."""
        context = self._framed(context)
        deltas = self._deltas(
            self.agents[subentry_id].turn(
                text,
                transcript=transcript_of(chat_log, limit=self.speakers[subentry_id].history),
                home=await self.async_home_for(context),
                toolbox=self.speakers[subentry_id].toolbox,
                context=context,
            )
        )
        async for _ in chat_log.async_add_delta_content_stream(agent_id, deltas):
            pass
        chat_log.async_trace(trace_of(deltas))
        self.news.async_announce(deltas, context, agent_id)
        return deltas

    async def async_utter(self, text: str, *, context: TurnContext, agent_id: str) -> Deltas:
        """Answer words that belong to no chat."""
        context = self._framed(context)
        home = await self.async_home_for(context)
        turn = self.agents[""].turn(text, transcript=Transcript(), home=home, toolbox=self.toolbox, context=context)
        return await self._drained(self._deltas(turn), context, agent_id)

    async def async_use(self, name: str, args: JsonObject, *, context: TurnContext, agent_id: str) -> Deltas:
        """Carry a call out that somebody made by name; the gate judges it without words."""
        context = self._framed(context)
        home = await self.async_home_for(context)
        turn = self.agents[""].use(name, args, home=home, toolbox=self.toolbox, context=context)
        return await self._drained(self._deltas(turn), context, agent_id)

    async def async_confirm(
        self,
        pending_id: str | None,
        *,
        accept: bool | None,
        pin: str | None,
        context: TurnContext,
        agent_id: str,
        subentry_id: str = "",
    ) -> Deltas:
        """Answer an open question by another way than words."""
        context = self._framed(context)
        turn = self.agents[subentry_id].confirm(
            pending_id,
            accept=accept,
            pin=pin,
            home=await self.async_home_for(context),
            toolbox=self.speakers[subentry_id].toolbox,
            context=context,
        )
        return await self._drained(self._deltas(turn), context, agent_id)

    async def async_undo(self, *, context: TurnContext, agent_id: str, subentry_id: str = "") -> Deltas:
        """Put back what the newest turn that acted has changed, of the same person in the same conversation."""
        context = self._framed(context)
        home = await self.async_home_for(context)
        turn = self.agents[subentry_id].undo(home=home, toolbox=self.speakers[subentry_id].toolbox, context=context)
        return await self._drained(self._deltas(turn), context, agent_id)

    def _deltas(self, turn: AsyncIterator[TurnEvent]) -> Deltas:
        every = (spec for speaker in self.speakers.values() for spec in speaker.toolbox.specs())
        return Deltas(turn, reads={spec.name for spec in every if spec.read_only})

    async def _drained(self, deltas: Deltas, context: TurnContext, agent_id: str) -> Deltas:
        async for _ in deltas:
            pass
        self.news.async_announce(deltas, context, agent_id)
        return deltas

    async def async_home_for(self, context: TurnContext) -> Home:
        """Return what is exposed and what this user may see of it, once the turn's language is read from disk."""
        if context.language not in self._languages:
            await self.hass.async_add_executor_job(read_ahead, context.language)
            self._languages.add(context.language)
        home = self.home.home(context.language)
        user = await self.askers.user_of(context)
        if user is None or user.permissions.access_all_entities(POLICY_READ):
            return home
        seen = tuple(each for each in home.entities if user.permissions.check_entity(each.id, POLICY_READ))
        return replace(home, entities=seen)

    def _framed(self, context: TurnContext) -> TurnContext:
        return context if self.acting else replace(context, dry_run=True)

    @callback
    def async_start(self, entry: BotPsyConfigEntry) -> None:
        """Load the model and listen to the devices beside Home Assistant's own start; nobody waits for either."""
        self.stops.append(Recovery(self.hass, entry, self.engine, self.async_warm).async_start())
        if self.devices or self.requests:
            listening = async_listen(self.hass, entry, self.devices, self.requests)
            entry.async_create_background_task(self.hass, listening, name=f"{DOMAIN} mqtt")

    async def async_load_foreign(self) -> None:
        """Read other integrations' tools, now that all of them are loaded, and let the agents know them."""
        foreign = [speaker.foreign for speaker in self.speakers.values() if speaker.foreign]
        if foreign:
            for toolbox in foreign:
                await toolbox.async_load()
            self.async_use_preset(self.preset)

    async def async_close(self) -> None:
        """Stop listening and end the model's process."""
        for stop in self.stops:
            stop()
        for close in self.closers:
            await close()
        if self.requests:
            await self.requests.close()
        if self.devices:
            await self.devices.async_close()
        await self.engine.close()
        await self.journal.async_close()
