"""A bridge of its own: MQTT devices, an agent, and requests over MQTT, without Home Assistant."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from botpsy_core.agent import Agent, Toolset, messages_of
from botpsy_core.bridge.own_transport import PahoTransport
from botpsy_core.bridge.reading import ReadingToolbox
from botpsy_core.bridge.request import RequestServer
from botpsy_core.bridge.request_parse import Answer, Request, Say, UseTool
from botpsy_core.bridge.settings_file import BridgeSettings
from botpsy_core.bridge.toolbox import ProfileToolbox
from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import Executed, TurnEvent, ended_of
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.values import JsonObject
from botpsy_core.ports import Clock, Journal

_LOGGER = logging.getLogger(__name__)

_KEPT_QUESTIONS = 100
_KEPT_MESSAGES = 40


class AgentRunner:
    """Does requests with an agent; each user has a conversation of their own."""

    def __init__(self, agent: Agent, devices: ProfileToolbox, clock: Clock, *, language: str = "en") -> None:
        self._agent = agent
        self._devices = devices
        self._toolbox = Toolset((devices, ReadingToolbox(load_tools(), devices.entities)))
        self._clock = clock
        self._language = language
        self._transcripts: dict[str, Transcript] = {}
        self._questions: OrderedDict[str, str] = OrderedDict()

    async def __call__(self, request: Request) -> JsonObject:
        """Do one request and return its answer."""
        events = [event async for event in self._events(request)]
        ended = ended_of(events)
        if ended.pending is not None:
            self._questions[request.id] = ended.pending
            while len(self._questions) > _KEPT_QUESTIONS:
                self._questions.popitem(last=False)
        said = request.ask.text if isinstance(request.ask, Say) else ""
        if said:
            self._remember(request.user, said, events)
        return answer_of(events)

    def _events(self, request: Request) -> AsyncIterator[TurnEvent]:
        home = Home(entities=self._devices.entities(), language=self._language)
        context = TurnContext(
            conversation_id=f"mqtt-{request.user}",
            # a call by name has no words to be grounded in; the policy for such calls is the strictest
            origin=Origin.AGENT if isinstance(request.ask, UseTool) else Origin.MQTT,
            now=self._clock.now(),
            language=self._language,
            user_id=request.user,
            deadline_s=request.deadline_s,
        )
        toolbox = self._toolbox
        match request.ask:
            case Say(text=text):
                transcript = self._transcripts.get(request.user, Transcript())
                return self._agent.turn(text, transcript=transcript, home=home, toolbox=toolbox, context=context)
            case UseTool(tool=tool, args=args):
                return self._agent.use(tool, args, home=home, toolbox=toolbox, context=context)
            case Answer(accept=accept, pin=pin, to=to):
                pending = self._questions.get(to, to) if to is not None else None
                return self._agent.confirm(pending, accept=accept, pin=pin, home=home, toolbox=toolbox, context=context)

    def _remember(self, user: str, said: str, events: list[TurnEvent]) -> None:
        messages = (*self._transcripts.get(user, Transcript()).messages, *messages_of(said, events))
        self._transcripts[user] = Transcript(messages=messages[-_KEPT_MESSAGES:])


def answer_of(events: list[TurnEvent]) -> JsonObject:
    """Return the structured answer of a turn."""
    ended = ended_of(events)
    calls: list[JsonObject] = [
        {"name": e.call.name, "args": dict(e.call.args), "outcome": e.result.outcome}
        for e in events
        if isinstance(e, Executed)
    ]
    return {
        "status": ended.status,
        "calls": calls,
        "reason": ended.reason,
        "reply": ended.reply,
        "pending": ended.pending,
    }


@asynccontextmanager
async def running_bridge(
    settings: BridgeSettings, agent: Agent, clock: Clock, *, journal: Journal | None = None
) -> AsyncIterator[RequestServer]:
    """Connect, listen and serve until the context ends; a broker that is away is waited for."""
    transport = PahoTransport(settings.broker, clock)
    toolbox = ProfileToolbox(settings.devices, transport, clock, journal=journal)
    runner = AgentRunner(agent, toolbox, clock, language=settings.language)
    server = RequestServer(transport, clock, runner, settings.requests)
    await toolbox.start()
    await server.start()
    for name, reason in toolbox.unoffered().items():
        _LOGGER.warning("%s is not offered: %s", name, reason)
    if not await transport.start():
        _LOGGER.warning("no connection yet, trying on: %s", transport.last_error)
    try:
        yield server
    finally:
        await server.close()
        await toolbox.close()
        await transport.close()


async def serve_bridge(settings: BridgeSettings, agent: Agent, clock: Clock) -> None:
    """Serve until cancelled."""
    async with running_bridge(settings, agent, clock):
        await asyncio.Event().wait()
