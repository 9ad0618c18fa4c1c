"""Our own MQTT 5 connection; the only file that imports paho.

paho keeps a QoS 1 message that it could not send and delivers it after a reconnect. So every connection has a
client of its own that is thrown away when the connection ends, with everything that it still held.
"""

import asyncio
import contextlib
import logging
import random
from collections import deque
from collections.abc import Callable
from functools import partial

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from botpsy_core.bridge.broker import Broker
from botpsy_core.bridge.topics import Filter, Topic
from botpsy_core.bridge.transport import Delivery, Message, OnConnection, OnMessage, Unsubscribe
from botpsy_core.errors import TransportLost
from botpsy_core.ports import Clock

_LOGGER = logging.getLogger(__name__)

_ANSWER_S = 5.0
"""How long the broker may take to answer a subscribe or a publish."""
_CONNECT_S = 10.0
_BATCH = 200
"""Messages handed over before the event loop gets its turn."""
_BACKLOG = 50_000
"""Messages kept while the event loop is busy; older ones are dropped first."""
_IN_FLIGHT = 16
"""Below the 20 that brokers allow, so that paho never queues a message for later."""

_NO_SUBSCRIBERS = 0x10
_NOT_AUTHORIZED = 0x87


class PahoTransport:
    """Keeps one connection up until closed; what was handed over when it broke is never sent again."""

    def __init__(self, broker: Broker, clock: Clock) -> None:
        self._broker = broker
        self._clock = clock
        self._connection: _Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._subscriptions: dict[str, list[OnMessage]] = {}
        self._wild: dict[str, Filter] = {}
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
        connection = self._connection
        if connection is None or not self.connected:
            raise TransportLost("not connected to the broker")
        properties = _properties(PacketTypes.PUBLISH)
        if expiry_s is not None:
            properties.MessageExpiryInterval = expiry_s
        if response_topic is not None:
            properties.ResponseTopic = response_topic.name
        if correlation is not None:
            properties.CorrelationData = correlation
        if qos == 0:
            connection.hand_over(topic.name, payload, 0, retain, properties)
            return Delivery.SENT
        async with self._in_flight:
            if connection is not self._connection or not self.connected:
                raise TransportLost("not connected to the broker")
            mid = connection.hand_over(topic.name, payload, qos, retain, properties)
            reasons = await connection.answer(mid)
        return _delivery(reasons)

    async def subscribe(self, topics: Filter, callback: OnMessage) -> Unsubscribe:
        """Subscribe now and after every reconnect."""
        callbacks = self._subscriptions.setdefault(topics.pattern, [])
        callbacks.append(callback)
        if not topics.exact:
            self._wild[topics.pattern] = topics
        connection = self._connection
        if connection is not None and self.connected:
            await connection.subscribe([topics.pattern])
        return partial(self._unsubscribe, topics, callback)

    def on_connection(self, callback: OnConnection) -> Unsubscribe:
        """Report every change of `connected`."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback) if callback in self._listeners else None

    def _unsubscribe(self, topics: Filter, callback: OnMessage) -> None:
        callbacks = self._subscriptions.get(topics.pattern, [])
        if callback in callbacks:
            callbacks.remove(callback)
        if not callbacks and self._subscriptions.pop(topics.pattern, None) is not None:
            self._wild.pop(topics.pattern, None)
            if self._connection is not None and self.connected:
                self._connection.unsubscribe(topics.pattern)

    async def _keep_up(self) -> None:
        """Connect, hold, throw away, wait, again."""
        pause_s = 0.5
        while True:
            connection = _Connection(self._broker, self._clock, self._dispatch)
            try:
                await connection.open()
                self._connection = connection
                await connection.subscribe(list(self._subscriptions))
                self._up.set()
                self._tell()
                pause_s, self.last_error = 0.5, ""
                self.last_error = await connection.ended()
            except TransportLost as error:
                self.last_error = str(error)
            finally:
                self._connection = None
                if self._up.is_set():
                    self._up.clear()
                    self._tell()
                await connection.discard()
            _LOGGER.info("mqtt connection to %s:%s ended: %s", self._broker.host, self._broker.port, self.last_error)
            await asyncio.sleep(pause_s * random.uniform(0.8, 1.2))  # noqa: S311  spreads reconnects
            pause_s = min(30.0, pause_s * 2)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener(self.connected)

    def _dispatch(self, message: Message) -> None:
        """Hand a message to everybody whose filter matches; a callback that raises hurts nobody else."""
        callbacks = list(self._subscriptions.get(message.topic, ()))
        for pattern, topics in tuple(self._wild.items()):
            if topics.matches(message.topic):
                callbacks += self._subscriptions.get(pattern, ())
        if not callbacks:  # an exact topic of a shared subscription
            callbacks = [c for p, cs in self._subscriptions.items() if Filter(p).matches(message.topic) for c in cs]
        for callback in callbacks:
            try:
                callback(message)
            except Exception:
                _LOGGER.exception("a receiver of %s failed", message.topic)


class _Connection:
    """One paho client, used once."""

    def __init__(self, broker: Broker, clock: Clock, dispatch: OnMessage) -> None:
        self._broker = broker
        self._clock = clock
        self._dispatch = dispatch
        self._loop = asyncio.get_running_loop()
        self._up: asyncio.Future[None] = self._loop.create_future()
        self._down: asyncio.Future[str] = self._loop.create_future()
        self._answers: dict[int, asyncio.Future[list[int] | None]] = {}
        self._backlog: deque[Message] = deque(maxlen=_BACKLOG)
        self._draining = False
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=broker.client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        self._client.connect_timeout = _ANSWER_S
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.on_publish = self._on_publish
        self._client.on_subscribe = self._on_subscribe

    async def open(self) -> None:
        """Connect and wait for the broker's yes; raise TransportLost."""
        try:
            async with asyncio.timeout(_CONNECT_S):
                await self._loop.run_in_executor(None, self._dial)
                self._client.loop_start()
                await self._up
        except TimeoutError as error:
            raise TransportLost("the broker does not answer") from error
        except (OSError, ValueError) as error:
            raise TransportLost(f"no connection to {self._broker.host}:{self._broker.port}: {error}") from error

    async def ended(self) -> str:
        """Return, when the connection is gone, why."""
        return await asyncio.shield(self._down)

    async def discard(self) -> None:
        """End the client for ever; what it still holds goes with it."""
        for future in self._answers.values():
            if not future.done():
                future.set_result(None)
        self._answers.clear()
        self._client.on_message = None
        with contextlib.suppress(Exception):
            # so that the broker tells `offline` for us, as it would after a crash
            reason = ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message")
            self._client.disconnect(reason if self._broker.status_topic is not None else None)
        await self._loop.run_in_executor(None, self._client.loop_stop)
        self._up.cancel()
        self._down.cancel()

    def hand_over(self, topic: str, payload: bytes, qos: int, retain: bool, properties: Properties) -> int:  # noqa: FBT001
        """Give one message to the client; raise TransportLost if it is already gone."""
        try:
            info = self._client.publish(topic, payload, qos=qos, retain=retain, properties=properties)
        except (ValueError, OSError) as error:
            raise TransportLost(f"not handed over: {error}") from error
        if info.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise TransportLost(f"not handed over: {paho.error_string(info.rc)}")
        return info.mid

    async def answer(self, mid: int) -> list[int] | None:
        """Return the broker's reason codes for a packet, or None where they did not come."""
        future = self._answers.setdefault(mid, self._loop.create_future())
        try:
            async with asyncio.timeout(_ANSWER_S):
                return await asyncio.shield(future)
        except TimeoutError:
            return None
        finally:
            self._answers.pop(mid, None)

    async def subscribe(self, patterns: list[str]) -> None:
        """Subscribe and wait for the broker's answer; a refused filter is logged, the others work."""
        options = SubscribeOptions(qos=1, retainAsPublished=False, retainHandling=0)
        for start in range(0, len(patterns), 50):
            part = patterns[start : start + 50]
            result, mid = self._client.subscribe([(p, options) for p in part])
            if result != MQTTErrorCode.MQTT_ERR_SUCCESS or mid is None:
                raise TransportLost("the connection ended while subscribing")
            for pattern, code in zip(part, await self.answer(mid) or (), strict=False):
                if code >= 0x80:
                    _LOGGER.warning("the broker refuses the subscription to %s (0x%02x)", pattern, code)

    def unsubscribe(self, pattern: str) -> None:
        """Unsubscribe without waiting."""
        self._client.unsubscribe(pattern)

    def _dial(self) -> None:
        """Set everything up and open the socket; blocks, so it runs in a thread."""
        broker, client = self._broker, self._client
        if broker.username is not None:
            client.username_pw_set(broker.username, broker.password.reveal() if broker.password else None)
        if broker.tls:
            client.tls_set(
                ca_certs=str(broker.ca_file) if broker.ca_file else None,
                certfile=str(broker.cert_file) if broker.cert_file else None,
                keyfile=str(broker.key_file) if broker.key_file else None,
            )
        if broker.status_topic is not None:
            client.will_set(broker.status_topic.name, b"offline", qos=1, retain=True)
        properties = _properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = 0
        client.connect(broker.host, broker.port, broker.keepalive_s, clean_start=True, properties=properties)

    # The methods below run in paho's thread.

    def _in_loop(self, callback: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to be told
            self._loop.call_soon_threadsafe(callback)

    def _on_connect(self, _c: paho.Client, _u: object, _f: object, code: ReasonCode, _p: object) -> None:
        if not code.is_failure and self._broker.status_topic is not None:
            self._client.publish(self._broker.status_topic.name, b"online", qos=0, retain=True)
        self._in_loop(partial(self._connected, code))

    def _on_disconnect(self, _c: paho.Client, _u: object, _f: object, code: ReasonCode, _p: object) -> None:
        self._in_loop(partial(self._lost, str(code)))

    def _on_publish(self, _c: paho.Client, _u: object, mid: int, code: ReasonCode, _p: object) -> None:
        self._in_loop(partial(self._answered, mid, [code.value]))

    def _on_subscribe(self, _c: paho.Client, _u: object, mid: int, codes: list[ReasonCode], _p: object) -> None:
        self._in_loop(partial(self._answered, mid, [code.value for code in codes]))

    def _on_message(self, _c: paho.Client, _u: object, found: paho.MQTTMessage) -> None:
        properties = found.properties
        try:
            topic = found.topic
        except UnicodeDecodeError:
            return
        self._backlog.append(
            Message(
                topic=topic,
                payload=bytes(found.payload),
                retain=found.retain,
                received=self._clock.monotonic(),
                response_topic=getattr(properties, "ResponseTopic", None),
                correlation=getattr(properties, "CorrelationData", None),
            )
        )
        if not self._draining:
            self._draining = True
            self._in_loop(self._drain)

    # The methods below run in the event loop.

    def _connected(self, code: ReasonCode) -> None:
        if self._up.done():
            return
        if code.is_failure:
            self._up.set_exception(TransportLost(f"the broker refuses the connection: {code}"))
        else:
            self._up.set_result(None)

    def _lost(self, reason: str) -> None:
        if not self._up.done():
            self._up.set_exception(TransportLost(f"the connection ended: {reason}"))
        if not self._down.done():
            self._down.set_result(reason)
        for future in self._answers.values():
            if not future.done():
                future.set_result(None)

    def _answered(self, mid: int, codes: list[int]) -> None:
        future = self._answers.get(mid)
        if future is not None and not future.done():
            future.set_result(codes)

    def _drain(self) -> None:
        """Hand over a batch; the rest waits for the loop's next turn."""
        self._draining = False
        for _ in range(min(_BATCH, len(self._backlog))):
            self._dispatch(self._backlog.popleft())
        if self._backlog and not self._draining:
            self._draining = True
            self._loop.call_soon(self._drain)


def _properties(packet: int) -> Properties:
    """Return empty properties; paho leaves their class untyped."""
    return Properties(packet)  # type: ignore[no-untyped-call]


def _delivery(reasons: list[int] | None) -> Delivery:
    """Return what a PUBACK's reason code proves."""
    if not reasons:
        return Delivery.UNKNOWN
    if reasons[0] == _NO_SUBSCRIBERS:
        return Delivery.NOBODY_LISTENING
    if reasons[0] == _NOT_AUTHORIZED or reasons[0] >= 0x80:
        return Delivery.NOT_ALLOWED
    return Delivery.DELIVERED
