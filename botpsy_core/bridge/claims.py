"""Which of several bridges does a request: the first claim that the broker passes on wins.

A broker delivers the messages of one topic to all its subscribers in one order, so all bridges see the same first.
"""

import asyncio
import uuid
from collections import OrderedDict
from enum import StrEnum

from botpsy_core.bridge.topics import Filter, Topic
from botpsy_core.bridge.transport import Message, Transport, Unsubscribe
from botpsy_core.errors import TransportLost

_KEPT = 2048
_WAIT_S = 3.0


class Claim(StrEnum):
    """Whose a request is."""

    OURS = "ours"
    THEIRS = "theirs"
    UNSETTLED = "unsettled"
    """No claim came back in time: nobody may do it."""


class Claims:
    """Claims of this and of the other bridges."""

    def __init__(self, transport: Transport, prefix: str) -> None:
        self._transport = transport
        self._prefix = prefix
        self._me = uuid.uuid4().hex.encode()
        self._first: OrderedDict[str, bytes] = OrderedDict()
        self._waiting: dict[str, asyncio.Event] = {}

    async def start(self) -> Unsubscribe:
        """Begin to listen."""
        return await self._transport.subscribe(Filter(f"{self._prefix}/+/+"), self._receive)

    async def settle(self, user: str, request_id: str) -> Claim:
        """Claim a request and return whose it is."""
        topic = Topic(f"{self._prefix}/{user}/{request_id}")
        seen = self._waiting.setdefault(topic.name, asyncio.Event())
        try:
            if topic.name not in self._first:
                await self._transport.publish(topic, self._me, qos=1 if self._transport.answers else 0, expiry_s=10)
                async with asyncio.timeout(_WAIT_S):
                    await seen.wait()
        except TimeoutError, TransportLost:
            return Claim.UNSETTLED
        finally:
            self._waiting.pop(topic.name, None)
        return Claim.OURS if self._first.get(topic.name) == self._me else Claim.THEIRS

    def _receive(self, message: Message) -> None:
        if message.retain or len(message.payload) != len(self._me):
            return
        if message.topic not in self._first:
            self._first[message.topic] = message.payload
            while len(self._first) > _KEPT:
                self._first.popitem(last=False)
        event = self._waiting.get(message.topic)
        if event is not None:
            event.set()
