"""A broker and its connection in memory, for tests: it can be cut, delayed, doubled, and it keeps what was retained."""

import asyncio
from collections.abc import Callable

from botpsy_core.bridge.topics import Filter, Topic
from botpsy_core.bridge.transport import Delivery, Message, OnConnection, OnMessage, Unsubscribe
from botpsy_core.errors import TransportLost
from botpsy_core.ports import Clock


class InMemoryTransport:
    """Our side is the Transport; the device's side is `on_publish`, `say` and `published`."""

    def __init__(self, clock: Clock, *, private: bool = True, answers: bool = True) -> None:
        self._clock = clock
        self._private = private
        self._answers = answers
        self._connected = True
        self._subscriptions: list[tuple[Filter, OnMessage]] = []
        self._listeners: list[OnConnection] = []
        self._devices: list[Callable[[str, bytes], None]] = []
        self._retained: dict[str, bytes] = {}
        self.published: list[tuple[str, bytes]] = []
        """Everything that reached the broker from our side, in order."""
        self.delivery: Delivery = Delivery.DELIVERED
        """What the next publishes report; one that the broker refuses reaches no device."""
        self.copies = 1
        """How often the broker delivers each message to us."""
        self.delay_s = 0.0
        """How long a message from the device is under way."""

    @property
    def connected(self) -> bool:
        """Return True unless cut."""
        return self._connected

    @property
    def private(self) -> bool:
        """Return what the test chose."""
        return self._private

    @property
    def answers(self) -> bool:
        """Return what the test chose."""
        return self._answers

    async def publish(
        self,
        topic: Topic,
        payload: bytes,
        *,
        qos: int = 0,
        retain: bool = False,
        expiry_s: int | None = None,
        response_topic: Topic | None = None,
        correlation: bytes | None = None,
    ) -> Delivery:
        """Hand the message to the device's side; raise TransportLost when cut."""
        del expiry_s, response_topic, correlation
        if not self._connected:
            raise TransportLost("the in-memory broker is cut off")
        if self.delivery is Delivery.NOT_ALLOWED:
            return Delivery.NOT_ALLOWED if qos and self._answers else Delivery.SENT
        self.published.append((topic.name, payload))
        if retain:
            self._retained[topic.name] = payload
        self._deliver(topic.name, payload, retain=False)
        if self.delivery is not Delivery.NOBODY_LISTENING:
            for device in tuple(self._devices):
                device(topic.name, payload)
        return self.delivery if qos and self._answers else Delivery.SENT

    async def subscribe(self, topics: Filter, callback: OnMessage) -> Unsubscribe:
        """Deliver what is retained at once and what is said from now on."""
        entry = (topics, callback)
        self._subscriptions.append(entry)
        if self._connected:
            for topic, payload in tuple(self._retained.items()):
                if topics.matches(topic):
                    callback(self._message(topic, payload, retain=True))
        return lambda: self._subscriptions.remove(entry) if entry in self._subscriptions else None

    def on_connection(self, callback: OnConnection) -> Unsubscribe:
        """Report cuts and mends."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback) if callback in self._listeners else None

    def on_publish(self, device: Callable[[str, bytes], None]) -> None:
        """Add a device that reads everything we publish."""
        self._devices.append(device)

    def say(self, topic: str, payload: str | bytes, *, retain: bool = False) -> None:
        """Publish as the device does; `retain` keeps it for later subscribers, as a broker would."""
        data = payload.encode() if isinstance(payload, str) else payload
        if retain:
            self._retained[topic] = data
        if not self._connected:
            return
        for _ in range(self.copies):
            if self.delay_s:
                asyncio.get_running_loop().call_later(self.delay_s, self._say_late, topic, data)
            else:
                self._deliver(topic, data, retain=False)

    def snapshot(self, topic: str, payload: str | bytes) -> None:
        """Deliver a message that the broker had kept from an unknown time."""
        data = payload.encode() if isinstance(payload, str) else payload
        self._retained[topic] = data
        self._deliver(topic, data, retain=True)

    def cut(self) -> None:
        """Break the connection; the broker lives on."""
        if self._connected:
            self._connected = False
            for listener in tuple(self._listeners):
                listener(self._connected)

    def mend(self) -> None:
        """Connect again; what was retained comes anew."""
        if not self._connected:
            self._connected = True
            for listener in tuple(self._listeners):
                listener(self._connected)
            for topic, payload in tuple(self._retained.items()):
                self._deliver(topic, payload, retain=True)

    def _say_late(self, topic: str, data: bytes) -> None:
        if self._connected:
            self._deliver(topic, data, retain=False)

    def _deliver(self, topic: str, payload: bytes, *, retain: bool) -> None:
        for topics, callback in tuple(self._subscriptions):
            if topics.matches(topic):
                callback(self._message(topic, payload, retain=retain))

    def _message(self, topic: str, payload: bytes, *, retain: bool) -> Message:
        return Message(topic=topic, payload=payload, retain=retain, received=self._clock.monotonic())
