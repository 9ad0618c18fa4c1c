"""Which of several bridges does a request: the first claim that the broker passes on wins.

A broker delivers the messages of one topic to all its subscribers in one order, so all bridges see the same first.
"""

import asyncio
import uuid
from collections import OrderedDict

from botpsy_core.bridge.topics import Filter, Topic
from botpsy_core.bridge.transport import Message, Transport, Unsubscribe
from botpsy_core.errors import TransportLost

_KEPT = 2048
_WAIT_S = 3.0


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

    async def win(self, user: str, request_id: str) -> bool:
        """Claim a request; return True if it is ours to do. Where the claim comes not back, it is not."""
        topic = Topic(f"{self._prefix}/{user}/{request_id}")
        seen = self._waiting.setdefault(topic.name, asyncio.Event())
        try:
            if topic.name not in self._first:
                await self._transport.publish(topic, self._me, qos=1 if self._transport.answers else 0, expiry_s=10)
                async with asyncio.timeout(_WAIT_S):
                    await seen.wait()
        except TimeoutError, TransportLost:
            return False
        finally:
            self._waiting.pop(topic.name, None)
        return self._first.get(topic.name) == self._me

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
