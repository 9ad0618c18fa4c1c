"""The MQTT devices of a home as tools and as things that can be named."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping

from botpsy_core.bridge import payload as payloads
from botpsy_core.bridge.command import Courier
from botpsy_core.bridge.device import Device
from botpsy_core.bridge.freshness import Inbox, Presence, Reading
from botpsy_core.bridge.profile import Command
from botpsy_core.bridge.report import Report
from botpsy_core.bridge.signals import Shown, SignalType
from botpsy_core.bridge.specs import entities_of, spec_of, target_of
from botpsy_core.bridge.template import NOTHING
from botpsy_core.bridge.topics import Filter
from botpsy_core.bridge.transport import Message, Transport, Unsubscribe
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import ToolboxFailed
from botpsy_core.ports import Clock, Journal

_LOGGER = logging.getLogger(__name__)


class ProfileToolbox:
    """A Toolbox of profile commands; `private` is an own connection for payloads that hold a secret."""

    def __init__(
        self,
        devices: Iterable[Device],
        transport: Transport,
        clock: Clock,
        *,
        private: Transport | None = None,
        journal: Journal | None = None,
    ) -> None:
        self._devices = {device.slug: device for device in devices}
        self._transport = transport
        self._private = private
        self._journal = journal
        self._inbox = Inbox(self._devices.values(), clock)
        self._courier = Courier(inbox=self._inbox, transport=transport, private=private, clock=clock)
        self._commands = {f"{d.slug}_{c.name}": (d, c) for d in self._devices.values() for c in d.commands.values()}
        unoffered = self.unoffered()
        self._specs = tuple(spec_of(*self._commands[name]) for name in sorted(self._commands) if name not in unoffered)
        self._stops: list[Unsubscribe] = []

    async def start(self) -> None:
        """Subscribe to states and answers; done once, before the first command."""
        self._stops.append(self._transport.on_connection(self._on_connection))
        answers = _answer_filters(self._devices.values())
        states = [(f, self._inbox.receive) for f in self._inbox.state_filters()]
        heard = [(f, self._inbox.receive_answer) for f in answers]
        if self._private is not None and self._private is not self._transport:
            secret = _answer_filters(self._devices.values(), only_secret=True)
            self._stops += await asyncio.gather(
                *(self._private.subscribe(f, self._inbox.receive_answer) for f in secret)
            )
            heard = [(f, callback) for f, callback in heard if f not in secret]
        self._stops += await asyncio.gather(
            *(self._transport.subscribe(f, callback) for f, callback in (*states, *heard))
        )

    async def close(self) -> None:
        """Unsubscribe."""
        for stop in self._stops:
            stop()
        self._stops.clear()

    @property
    def devices(self) -> tuple[Device, ...]:
        """Return the devices, by short name."""
        return tuple(self._devices[slug] for slug in sorted(self._devices))

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return one tool for each command that can be carried at all."""
        return self._specs

    def unoffered(self) -> Mapping[str, str]:
        """Return the commands that are no tool here, with the reason."""
        reasons = {}
        for name, (device, command) in self._commands.items():
            secrets = payloads.secrets_of(command.payload)
            missing = sorted(secrets - device.secrets.keys())
            connection = self._courier.connection_for(command)
            if missing:
                reasons[name] = f"the secret {missing[0]!r} is not set"
            elif secrets and (connection is None or not connection.private):
                reasons[name] = "its payload holds a secret and needs an own connection by TLS or loopback"
        return reasons

    def entities(self) -> tuple[Entity, ...]:
        """Return each device and its signals as things of the home."""
        return tuple(e for device in self.devices for e in entities_of(device, self._inbox))

    def reading(self, slug: str, signal: str) -> Reading:
        """Return what is known of one signal; for a host's own entities."""
        return self._inbox.reading(self._devices[slug], signal)

    def online(self, slug: str) -> bool:
        """Return True if the device is known to be reachable."""
        return self._transport.connected and self._inbox.presence(self._devices[slug]) is Presence.ONLINE

    async def retained_commands(self, *, wait_s: float = 1.0) -> tuple[str, ...]:
        """Return our command topics on which the broker keeps a message: it runs again whenever the device comes back.

        Somebody else put it there; BotPsy never retains. Publishing an empty retained message there clears it.
        """
        found: set[str] = set()
        topics = {c.topic.text(NOTHING) for _, c in self._commands.values() if not c.topic.is_pattern}

        def note(message: Message) -> None:
            if message.retain and message.payload:
                found.add(message.topic)

        stops = await asyncio.gather(*(self._transport.subscribe(Filter(topic), note) for topic in sorted(topics)))
        await asyncio.sleep(wait_s)
        for stop in stops:
            stop()
        return tuple(sorted(found))

    def on_change(self, listener: Callable[[str], None], *, every_s: float = 0.25) -> Unsubscribe:
        """Name each device whose state changed, in the event loop, at most once in `every_s` seconds a device."""
        loop = asyncio.get_running_loop()
        waiting: set[str] = set()

        def flush() -> None:
            slugs = sorted(waiting)
            waiting.clear()
            for slug in slugs:
                listener(slug)

        def note(slug: str) -> None:
            if not waiting:
                loop.call_later(every_s, flush)
            waiting.add(slug)

        return self._inbox.on_change(note)

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return what the device's state says about this call now."""
        device, command = self._find(call)
        if context.entities is not None and target_of(device, command) not in context.entities:
            return Readiness(exposed=False, risk=command.risk)
        return await self._courier.check(device, command, call.args)

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Publish the command once and report what was heard."""
        device, command = self._find(call)
        report = await self._courier.carry_out(device, command, call.args, deadline_s=context.deadline_s)
        self._write_down(device, command, report)
        data: JsonObject = {
            "device": device.name,
            "command": command.name,
            "reason": report.detail,
            "say": report.sentence,
            "seconds": round(report.seconds, 3),
            "state": self._state(device),
        }
        return ToolResult(call_id=call.id, outcome=report.outcome, detail=report.sentence, data=data)

    def _find(self, call: ToolCall) -> tuple[Device, Command]:
        found = self._commands.get(call.name)
        if found is None:
            raise ToolboxFailed(f"{call.name!r} is no command of an MQTT device")
        return found

    def _state(self, device: Device) -> dict[str, bool | int | float | str]:
        """Return what is known and may be told; no places, no free text."""
        found: dict[str, bool | int | float | str] = {}
        for name, signal in device.signals.items():
            if signal.shown is not Shown.VALUE or signal.private or signal.type is SignalType.TIMESTAMP:
                continue
            value = self._inbox.reading(device, name).value
            if value is not None:
                found[name] = value
        return found

    def _write_down(self, device: Device, command: Command, report: Report) -> None:
        _LOGGER.info("%s %s: %s %s", device.slug, command.name, report.outcome, report.detail)
        if self._journal is not None:
            self._journal.record(
                {
                    "kind": "bridge_command",
                    "device": device.slug,
                    "command": command.name,
                    "risk": command.risk,
                    "outcome": report.outcome,
                    "detail": report.detail,
                    "seconds": round(report.seconds, 3),
                }
            )

    def _on_connection(self, connected: bool) -> None:  # noqa: FBT001  the port's callback
        if not connected:
            self._inbox.lost()


def _answer_filters(devices: Iterable[Device], *, only_secret: bool = False) -> tuple[Filter, ...]:
    """Return what to subscribe to so that no answer is missed, whichever id it carries."""
    found: dict[Filter, None] = {}
    for device in devices:
        for command in device.commands.values():
            if only_secret and not payloads.secrets_of(command.payload):
                continue
            if command.ack.topic is not None:
                found[command.ack.topic.filter()] = None
            if command.verify is not None and command.verify.negative is not None:
                found[command.verify.negative.topic.filter()] = None
    return tuple(found)
