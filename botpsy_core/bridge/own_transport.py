"""Our own connection to a broker: kept up, and never repeating what it was given before it broke."""

import asyncio
import contextlib
import logging
import random
from functools import partial

from botpsy_core.bridge.broker import Broker
from botpsy_core.bridge.paho_transport import PahoConnection
from botpsy_core.bridge.parcel import Parcel
from botpsy_core.bridge.routes import Routes
from botpsy_core.bridge.topics import Filter, Topic
from botpsy_core.bridge.transport import Delivery, OnConnection, OnMessage, Unsubscribe
from botpsy_core.errors import TransportLost
from botpsy_core.ports import Clock

_LOGGER = logging.getLogger(__name__)

_CONNECT_S = 10.0
_IN_FLIGHT = 16
"""Below the 20 that brokers allow, so that paho never queues a message for later."""


class PahoTransport:
    """Keeps one connection up until closed; what was handed over when it broke is never sent again."""

    def __init__(self, broker: Broker, clock: Clock) -> None:
        self._broker = broker
        self._clock = clock
        self._connection: PahoConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._routes = Routes()
        self._listeners: list[OnConnection] = []
        self._in_flight = asyncio.Semaphore(_IN_FLIGHT)
        self._up = asyncio.Event()
        self.last_error = ""
        """Why the last attempt failed, in the broker's words; for diagnostics."""

    @property
    def connected(self) -> bool:
        """Return True while the broker answers."""
        return self._up.is_set()

    @property
    def private(self) -> bool:
        """Return True over TLS or loopback."""
        return self._broker.private

    @property
    def answers(self) -> bool:
        """Return True: reason codes are read, and nothing is replayed."""
        return True

    async def start(self, *, wait_s: float = _CONNECT_S) -> bool:
        """Begin to connect and wait a while for it; return whether it is up. It goes on trying either way."""
        if self._task is None:
            self._task = asyncio.create_task(self._keep_up(), name="botpsy mqtt connection")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._up.wait()
        return self.connected

    async def close(self) -> None:
        """Disconnect and stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

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
        """Hand one message over; raise TransportLost, with nothing sent, where there is no connection."""
        parcel = Parcel(
            topic=topic,
            payload=payload,
            qos=qos,
            retain=retain,
            expiry_s=expiry_s,
            response_topic=response_topic,
            correlation=correlation,
        )
        if qos == 0:
            self._live().hand_over(parcel)
            return Delivery.SENT
        async with self._in_flight:
            connection = self._live()
            return await connection.delivery(connection.hand_over(parcel))

    async def subscribe(self, topics: Filter, callback: OnMessage) -> Unsubscribe:
        """Subscribe now and after every reconnect."""
        self._routes.add(topics, callback)
        if self._connection is not None and self.connected:
            await self._connection.subscribe((topics.pattern,))
        return partial(self._unsubscribe, topics, callback)

    def on_connection(self, callback: OnConnection) -> Unsubscribe:
        """Report every change of `connected`."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback) if callback in self._listeners else None

    def _live(self) -> PahoConnection:
        if self._connection is None or not self.connected:
            raise TransportLost("not connected to the broker")
        return self._connection

    def _unsubscribe(self, topics: Filter, callback: OnMessage) -> None:
        if self._routes.remove(topics, callback) and self._connection is not None and self.connected:
            self._connection.unsubscribe(topics.pattern)

    async def _keep_up(self) -> None:
        """Connect, hold, throw away, wait, again."""
        pause_s = 0.5
        while True:
            connection = PahoConnection(self._broker, self._clock, self._routes.dispatch)
            politely = False
            try:
                await connection.open()
                self._connection = connection
                await connection.subscribe(self._routes.patterns)
                self._set_up(up=True)
                pause_s, self.last_error = 0.5, ""
                self.last_error = await connection.ended()
            except TransportLost as error:
                self.last_error = str(error)
            except asyncio.CancelledError:
                politely = True
                raise
            finally:
                self._connection = None
                self._set_up(up=False)
                connection.discard(politely=politely)
            _LOGGER.info("mqtt connection to %s:%s ended: %s", self._broker.host, self._broker.port, self.last_error)
            await asyncio.sleep(pause_s * random.uniform(0.8, 1.2))  # noqa: S311  spreads reconnects
            pause_s = min(30.0, pause_s * 2)

    def _set_up(self, *, up: bool) -> None:
        if up == self._up.is_set():
            return
        (self._up.set if up else self._up.clear)()
        for listener in tuple(self._listeners):
            listener(up)
