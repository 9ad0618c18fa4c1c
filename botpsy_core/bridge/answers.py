"""Everything that is heard back about one published command, until its end."""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from botpsy_core.bridge.conditions import holds
from botpsy_core.bridge.device import Device
from botpsy_core.bridge.freshness import Inbox
from botpsy_core.bridge.parse import decoded, json_at, value_of
from botpsy_core.bridge.profile import Ack, AckKind, Command, Correlate
from botpsy_core.bridge.signals import Scalar
from botpsy_core.bridge.template import NOTHING, Filling
from botpsy_core.bridge.transport import Message, Unsubscribe

_MAX_ANSWER = 2048


class Heard(StrEnum):
    """What an answer said."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"
    """Ours, and in words that the profile does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One command as it went out."""

    device: Device
    command: Command
    filling: Filling
    wire: Mapping[str, Scalar]
    payload: bytes
    at: float
    """Monotonic seconds just before publishing."""


class Answers:
    """Listens for one sent command: its answer, the failure told in words, and the live state."""

    def __init__(self, inbox: Inbox, sent: Sent, *, trust_answers: bool) -> None:
        self._inbox = inbox
        self._sent = sent
        self._trust = trust_answers
        self._stops: list[Unsubscribe] = []
        self._changed = asyncio.Event()
        self.heard: Heard | None = None
        self.heard_at: float | None = None
        self.verified = False
        self.complaint = False
        """True if a failure was told on the profile's negative topic."""

    def __enter__(self) -> Self:
        sent = self._sent
        ack, verify = sent.command.ack, sent.command.verify
        if ack.topic is not None and self._trust:
            self._watch(ack.topic.topic(sent.filling).name, self._on_answer)
        if verify is not None:
            signal = sent.device.signals[verify.condition.signal]
            self._watch(signal.topic.text(NOTHING), self._on_state)
            if verify.negative is not None:
                self._watch(verify.negative.topic.text(NOTHING), self._on_complaint)
        return self

    def __exit__(self, *_: object) -> None:
        for stop in self._stops:
            stop()

    @property
    def proved(self) -> bool:
        """Return True if the effect was seen, and not only told in advance."""
        verify = self._sent.command.verify
        told_early = verify is not None and verify.optimistic and self.heard is not Heard.YES
        return self.verified and not told_early

    def wake(self) -> None:
        """End the present wait: something else is to be looked at."""
        self._changed.set()

    async def change(self, timeout_s: float) -> None:
        """Wait until something new was heard since the last wait, or for so long."""
        try:
            async with asyncio.timeout(max(0.0, timeout_s)):
                await self._changed.wait()
        except TimeoutError:
            return
        self._changed.clear()

    def _watch(self, topic: str, callback: Callable[[Message], None]) -> None:
        self._stops.append(self._inbox.watch(topic, callback))

    def _new(self, message: Message) -> bool:
        """Return False for a snapshot and for what came before we published."""
        return not message.retain and message.received >= self._sent.at

    def _on_answer(self, message: Message) -> None:
        if self.heard in (Heard.YES, Heard.NO) or not self._new(message):
            return
        said = read_answer(self._sent, message)
        if said is not None:
            self.heard, self.heard_at = said, message.received
            self._changed.set()

    def _on_state(self, message: Message) -> None:
        verify = self._sent.command.verify
        if verify is None or self.verified or not self._new(message):
            return
        value = value_of(self._sent.device.signals[verify.condition.signal], message.payload)
        if value is not None and holds(verify.condition, value, self._sent.wire):
            self.verified = True
            self._changed.set()

    def _on_complaint(self, message: Message) -> None:
        verify = self._sent.command.verify
        if verify is None or verify.negative is None or not self._new(message):
            return
        text = decoded(message.payload)
        if text is not None and re.search(verify.negative.regex, text[:_MAX_ANSWER]):
            self.complaint = True
            self._changed.set()


def read_answer(sent: Sent, message: Message) -> Heard | None:
    """Return what an answer says about this command, or None if it is not about it."""
    ack = sent.command.ack
    match ack.kind:
        case AckKind.CONSUMED_ECHO:
            return Heard.YES if not message.payload else None
        case AckKind.TARGET_ECHO:
            return Heard.YES if message.payload == sent.payload else None
        case AckKind.RESPONSE_TOPIC:
            return _response(ack, sent, message)
        case AckKind.NONE:
            return None


def _response(ack: Ack, sent: Sent, message: Message) -> Heard | None:
    """Read an answer in words, once it is known to be ours."""
    text = decoded(message.payload)
    if text is None:
        return None
    if ack.correlate is Correlate.JSON_PATH and json_at(text, ack.path or "$") != sent.filling.txid:
        return None
    if ack.correlate is Correlate.V5_CORRELATION_DATA and message.correlation != sent.filling.txid.encode():
        return None
    text = text[:_MAX_ANSWER]
    if ack.failure is not None and ack.failure.search(text):
        return Heard.NO
    if ack.success is not None and ack.success.search(text):
        return Heard.YES
    return Heard.UNCLEAR
