"""The life of one command: checked, checked again, published once, acknowledged, verified by a live message.

The outcome is decided here and nowhere else. "Not sent" is said only where the broker never had the command;
once it may have, the outcome is what was heard, and where nothing was heard, UNCONFIRMED.
"""

import asyncio
import logging
import uuid
from collections.abc import Mapping
from dataclasses import replace

from botpsy_core.bridge import payload as payloads
from botpsy_core.bridge.answers import Answers, Heard, Sent
from botpsy_core.bridge.device import Device
from botpsy_core.bridge.encoding import wire_arguments
from botpsy_core.bridge.freshness import Inbox
from botpsy_core.bridge.limits import Ledger
from botpsy_core.bridge.payload import InvalidPayload
from botpsy_core.bridge.profile import AckKind, Command, Correlate
from botpsy_core.bridge.readiness import readiness_of
from botpsy_core.bridge.refreshing import Refresher
from botpsy_core.bridge.report import Detail, Report
from botpsy_core.bridge.signals import Scalar
from botpsy_core.bridge.template import Filling
from botpsy_core.bridge.topics import InvalidTopic, Topic
from botpsy_core.bridge.transport import Delivery, Transport
from botpsy_core.domain.tools import Outcome
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import BadArguments, TransportLost
from botpsy_core.ports import Clock

_LOGGER = logging.getLogger(__name__)

_NUDGE_S = 1.0
"""How long the effect may take before the state is asked for."""
_QUARANTINE_S = 60.0
"""How long after an unanswered command an answer without an id cannot be told from a late one."""


class Courier:
    """Carries commands out over one connection, and those with a secret over a private one."""

    def __init__(self, *, inbox: Inbox, transport: Transport, clock: Clock, private: Transport | None = None) -> None:
        self._inbox = inbox
        self._transport = transport
        self._private = private if private is not None else transport if transport.private else None
        self._clock = clock
        self._ledger = Ledger(clock)
        self._locks: dict[str, asyncio.Lock] = {}
        self._quarantine: dict[str, float] = {}
        self._refresher = Refresher(inbox=inbox, transport=transport, clock=clock)

    def connection_for(self, command: Command) -> Transport | None:
        """Return the connection that may carry the command, or None: a secret needs a private one."""
        return self._private if payloads.secrets_of(command.payload) else self._transport

    async def check(self, device: Device, command: Command, args: Mapping[str, JsonValue]) -> Readiness:
        """Return what stands in the way now; asks the device for fresh values where that does not wake it."""
        try:
            wire = wire_arguments(command, args)
        except BadArguments as fault:
            return Readiness(unmet=(f"The {fault.path} is wrong.",), problem=str(fault), risk=command.risk)
        return await self._readiness(device, command, wire)

    async def _readiness(self, device: Device, command: Command, wire: Mapping[str, Scalar]) -> Readiness:
        connection = self.connection_for(command)
        if connection is None:
            return Readiness(
                enabled=False, problem="this command holds a secret and needs a private connection", risk=command.risk
            )
        await self._refresher.freshen(device, command, wire)
        # the states come over the one connection, the command may go over another: both have to be there
        connected = connection.connected and self._transport.connected
        return readiness_of(device, command, wire, inbox=self._inbox, connected=connected, ledger=self._ledger)

    async def carry_out(
        self, device: Device, command: Command, args: Mapping[str, JsonValue], *, deadline_s: float
    ) -> Report:
        """Check again, publish, and wait for what the device says, at most `deadline_s` seconds."""
        lock = self._locks.setdefault(device.slug, asyncio.Lock())
        if lock.locked():
            return Report(
                outcome=Outcome.NOT_SENT, detail=Detail.BUSY, say=f"Another command to {device.name} is under way."
            )
        until = self._clock.monotonic() + deadline_s
        try:
            wire = wire_arguments(command, args)
        except BadArguments as fault:
            return Report(outcome=Outcome.NOT_SENT, detail=Detail.WRONG_ARGUMENT, say=f"The {fault.path} is wrong.")
        async with lock:
            readiness = await self._readiness(device, command, wire)
            if (stop := self._obstacle(readiness, command)) is not None:
                return stop
            report = await self._attempt(device, command, wire, until)
            again = command.resend and report.detail is Detail.NO_ANSWER and self._clock.monotonic() < until
            if again and self._transport.connected:
                second = await self._attempt(device, command, wire, until)
                # the first one may still arrive: only what was heard about the second can better the outcome
                return second if second.outcome is not Outcome.NOT_SENT else report
            return report

    def _obstacle(self, readiness: Readiness, command: Command) -> Report | None:
        """Return the end of a command that must not go out, in the order in which a person would want to hear it."""
        connection = self.connection_for(command)
        sentences = (*readiness.unmet, *readiness.stale)
        say = sentences[0] if sentences else readiness.problem
        detail: Detail | None = None
        if connection is None:
            detail = Detail.NEEDS_PRIVATE_CONNECTION
        elif not readiness.enabled:
            detail = Detail.NOT_ENABLED
        elif not (connection.connected and self._transport.connected):
            detail = Detail.NOT_CONNECTED
        elif not readiness.available:
            detail = Detail.UNAVAILABLE
        elif readiness.already_so:
            return Report(outcome=Outcome.ALREADY_SO)
        elif readiness.unmet:
            detail = Detail.UNSAFE_NOW
        elif readiness.stale:
            detail = Detail.STALE_STATE
        return None if detail is None else Report(outcome=Outcome.NOT_SENT, detail=detail, say=say)

    async def _attempt(self, device: Device, command: Command, wire: Mapping[str, Scalar], until: float) -> Report:
        """Publish once and listen."""
        filling = Filling(args=wire, secrets=device.secrets, txid=uuid.uuid4().hex)
        try:
            topic = command.topic.topic(filling)
            data = payloads.build(command.payload, filling)
        except InvalidTopic, InvalidPayload, KeyError:
            return Report(outcome=Outcome.NOT_SENT, detail=Detail.WRONG_ARGUMENT)
        if not device.may_publish(command.topic, topic):
            return Report(outcome=Outcome.NOT_SENT, detail=Detail.DENIED_TOPIC)
        started = self._clock.monotonic()
        sent = Sent(device=device, command=command, filling=filling, wire=wire, payload=data, at=started)
        nameless = self._nameless_answers(command, filling)
        trust = nameless is None or self._quarantine.get(nameless, 0.0) <= started
        with Answers(self._inbox, sent, trust_answers=trust) as answers:
            self._ledger.note(device.slug, command)
            report = await self._send_and_listen(sent, topic, answers, until)
        if nameless is not None and report.outcome is Outcome.UNCONFIRMED:
            self._quarantine[nameless] = self._clock.monotonic() + _QUARANTINE_S
        return replace(report, seconds=self._clock.monotonic() - started)

    async def _send_and_listen(self, sent: Sent, topic: Topic, answers: Answers, until: float) -> Report:
        """Hand the command over while already listening; the broker's own word may end it early."""
        connection = self.connection_for(sent.command)
        assert connection is not None
        ack = sent.command.ack
        by_property = ack.correlate is Correlate.V5_CORRELATION_DATA and ack.topic is not None
        publishing = asyncio.get_running_loop().create_task(
            connection.publish(
                topic,
                sent.payload,
                qos=1 if connection.answers else 0,
                expiry_s=sent.command.expiry_s,
                response_topic=ack.topic.topic(sent.filling) if by_property and ack.topic else None,
                correlation=sent.filling.txid.encode() if by_property else None,
            ),
            name=f"botpsy publish {sent.command.name}",
            eager_start=True,  # the message leaves in this very turn of the loop
        )
        publishing.add_done_callback(lambda _: answers.wake())
        try:
            return await self._listen(sent, answers, until, publishing)
        finally:
            if not publishing.done():
                publishing.cancel()
                await asyncio.gather(publishing, return_exceptions=True)

    async def _listen(self, sent: Sent, answers: Answers, until: float, publishing: asyncio.Task[Delivery]) -> Report:
        """Wait for the broker's word, the answer and the effect; each wait has an end."""
        command = sent.command
        expects = command.ack.kind is not AckKind.NONE and command.ack.topic is not None
        nudged = taken = False
        while True:
            if publishing.done() and not taken:
                taken = True
                if (report := _refused_by_broker(publishing)) is not None:
                    return report
            if answers.heard is Heard.NO or answers.complaint:
                return Report(outcome=Outcome.REFUSED_BY_DEVICE)
            acked = answers.heard is Heard.YES
            if answers.proved and (acked or not expects or answers.heard is Heard.UNCLEAR):
                return Report(outcome=Outcome.DONE)
            if acked and command.verify is None:
                return Report(outcome=Outcome.ACCEPTED, detail=Detail.NOT_SEEN)
            now = self._clock.monotonic()
            end = min(until, _end(sent, answers, expects=expects))
            if now >= end:
                return _final(answers)
            nudge_at = (answers.heard_at or sent.at) + _NUDGE_S
            if not nudged and now >= nudge_at and (answers.heard is not None or not expects):
                nudged = True
                await self._refresher.ask(sent.device)
            await answers.change(min(end, end if nudged else max(nudge_at, now + 0.05)) - now)

    def _nameless_answers(self, command: Command, filling: Filling) -> str | None:
        """Return the answer topic of a command whose answers carry no id, else None."""
        ack = command.ack
        if ack.topic is None or ack.kind is AckKind.NONE:
            return None
        by_id = ack.kind is AckKind.RESPONSE_TOPIC and ack.correlate is not Correlate.SINGLE_FLIGHT
        return None if by_id else ack.topic.topic(filling).name


def _refused_by_broker(publishing: asyncio.Task[Delivery]) -> Report | None:
    """Return the end of a command that the broker has shown to have gone nowhere."""
    error = publishing.exception()
    if isinstance(error, TransportLost):
        return Report(outcome=Outcome.NOT_SENT, detail=Detail.NOT_CONNECTED)
    if error is not None:
        _LOGGER.error("publishing failed in a way that no transport should", exc_info=error)
        return Report(outcome=Outcome.UNCONFIRMED, detail=Detail.NO_ANSWER)
    match publishing.result():
        case Delivery.NOBODY_LISTENING:
            return Report(outcome=Outcome.NOT_SENT, detail=Detail.NOBODY_LISTENING)
        case Delivery.NOT_ALLOWED:
            return Report(outcome=Outcome.NOT_SENT, detail=Detail.NOT_ALLOWED)
        case Delivery.SENT | Delivery.DELIVERED | Delivery.UNKNOWN:
            return None


def _end(sent: Sent, answers: Answers, *, expects: bool) -> float:
    """Return until when it makes sense to listen."""
    verify, ack = sent.command.verify, sent.command.ack
    if answers.heard_at is not None and verify is not None:
        return answers.heard_at + verify.within_s
    if answers.heard_at is not None:
        return answers.heard_at
    return sent.at + (ack.timeout_s if expects or verify is None else verify.within_s)


def _final(answers: Answers) -> Report:
    """Return the outcome when the time is up."""
    if answers.proved:
        return Report(outcome=Outcome.DONE)
    if answers.heard is Heard.YES:
        return Report(outcome=Outcome.ACCEPTED, detail=Detail.NOT_SEEN)
    if answers.heard is Heard.UNCLEAR:
        return Report(outcome=Outcome.UNCONFIRMED, detail=Detail.UNCLEAR_ANSWER)
    return Report(outcome=Outcome.UNCONFIRMED, detail=Detail.NO_ANSWER)
