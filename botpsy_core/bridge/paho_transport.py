"""One MQTT 5 connection of our own; the only file that imports paho.

paho keeps a QoS 1 message that it could not send and delivers it after a reconnect. So every connection has a
client of its own that is thrown away when the connection ends, with everything that it still held. Its socket is
served by the event loop (`socket_service.py`): no thread but the one that dials.
"""

import asyncio
import contextlib
import logging
import socket
from functools import lru_cache

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from botpsy_core.bridge.broker import Broker
from botpsy_core.bridge.parcel import Parcel
from botpsy_core.bridge.socket_service import SocketService
from botpsy_core.bridge.transport import Delivery, Message, OnMessage
from botpsy_core.errors import TransportLost
from botpsy_core.ports import Clock

_LOGGER = logging.getLogger(__name__)

_ANSWER_S = 5.0
"""How long the broker may take to answer a subscribe or a publish."""
_CONNECT_S = 10.0
_NO_SUBSCRIBERS = 0x10
_FAILURE = 0x80


class PahoConnection:
    """One paho client, used once; everything but dialling runs in the event loop."""

    def __init__(self, broker: Broker, clock: Clock, dispatch: OnMessage) -> None:
        self._broker = broker
        self._clock = clock
        self._dispatch = dispatch
        self._loop = asyncio.get_running_loop()
        self._up: asyncio.Future[None] = self._loop.create_future()
        self._down: asyncio.Future[str] = self._loop.create_future()
        self._answers: dict[int, asyncio.Future[list[int] | None]] = {}
        self._served: SocketService | None = None
        client = self._client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=broker.client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        client.connect_timeout = _ANSWER_S
        client.on_connect = self._on_connect
        client.on_disconnect = lambda _c, _u, _f, code, _p: self._lost(str(code))
        client.on_message = self._on_message
        client.on_publish = lambda _c, _u, mid, code, _p: self._answered(mid, [code.value])
        client.on_subscribe = lambda _c, _u, mid, codes, _p: self._answered(mid, [code.value for code in codes])

    async def open(self) -> None:
        """Connect and wait for the broker's yes; raise TransportLost."""
        try:
            async with asyncio.timeout(_CONNECT_S):
                await self._loop.run_in_executor(None, self._dial)
                self._serve()
                await self._up
        except TimeoutError as error:
            raise TransportLost("the broker does not answer") from error
        except (OSError, ValueError) as error:
            raise TransportLost(f"no connection to {self._broker.host}:{self._broker.port}: {error}") from error

    async def ended(self) -> str:
        """Return, when the connection is gone, why."""
        return await asyncio.shield(self._down)

    def discard(self, *, politely: bool) -> None:
        """End the client for ever; what it still holds, and what the system still holds for it, goes with it."""
        self._lost("closed")
        with contextlib.suppress(OSError, ValueError):
            if politely:
                # "with will": the broker tells `offline` for us, as it would after a crash
                self._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message"))
                self._client.loop_write()
            elif self._served is not None:
                self._served.reset()
        if self._served is not None:
            self._served.close()
        self._up.cancel()
        self._down.cancel()

    def hand_over(self, parcel: Parcel) -> int:
        """Give one message to the client and return its id; raise TransportLost if the connection is already gone."""
        try:
            info = self._client.publish(
                parcel.topic.name,
                parcel.payload,
                qos=parcel.qos,
                retain=parcel.retain,
                properties=_told_with(parcel),
            )
        except (ValueError, OSError) as error:
            raise TransportLost(f"not handed over: {error}") from error
        if info.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise TransportLost(f"not handed over: {paho.error_string(info.rc)}")
        self._client.loop_write()  # now, not at the loop's next turn
        return info.mid

    async def delivery(self, mid: int) -> Delivery:
        """Return what the broker says about a QoS 1 message."""
        reasons = await self._answer(mid)
        if not reasons:
            return Delivery.UNKNOWN
        if reasons[0] == _NO_SUBSCRIBERS:
            return Delivery.NOBODY_LISTENING
        return Delivery.NOT_ALLOWED if reasons[0] >= _FAILURE else Delivery.DELIVERED

    async def subscribe(self, patterns: tuple[str, ...]) -> None:
        """Subscribe and wait for the broker's answer; a refused filter is logged, the others work."""
        options = SubscribeOptions(qos=1, retainAsPublished=False, retainHandling=0)
        for start in range(0, len(patterns), 50):
            part = patterns[start : start + 50]
            result, mid = self._client.subscribe([(p, options) for p in part])
            if result != MQTTErrorCode.MQTT_ERR_SUCCESS or mid is None:
                raise TransportLost("the connection ended while subscribing")
            for pattern, code in zip(part, await self._answer(mid) or (), strict=False):
                if code >= _FAILURE:
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

    def _serve(self) -> None:
        """Let the event loop move the bytes from now on."""
        opened = self._client.socket()
        if not isinstance(opened, socket.socket):
            raise TransportLost("the connection ended while it was made")
        client, served = self._client, SocketService(opened, self._client, self._loop)
        client.on_socket_close = lambda _c, _u, _s: served.stop()
        client.on_socket_register_write = lambda _c, _u, _s: served.write_soon()
        client.on_socket_unregister_write = lambda _c, _u, _s: served.stop_writing()
        self._served = served
        served.start()

    def _on_connect(self, _c: paho.Client, _u: object, _f: object, code: ReasonCode, _p: object) -> None:
        if self._up.done():
            return
        if code.is_failure:
            self._up.set_exception(TransportLost(f"the broker refuses the connection: {code}"))
            return
        self._up.set_result(None)
        if self._broker.status_topic is not None:
            self._client.publish(self._broker.status_topic.name, b"online", qos=0, retain=True)

    def _on_message(self, _c: paho.Client, _u: object, found: paho.MQTTMessage) -> None:
        try:
            topic = found.topic
        except UnicodeDecodeError:
            return
        self._dispatch(
            Message(
                topic=topic,
                payload=bytes(found.payload),
                retain=found.retain,
                received=self._clock.monotonic(),
                response_topic=getattr(found.properties, "ResponseTopic", None),
                correlation=getattr(found.properties, "CorrelationData", None),
            )
        )

    def _lost(self, reason: str) -> None:
        if not self._up.done():
            self._up.set_exception(TransportLost(f"the connection ended: {reason}"))
            self._up.exception()  # nobody may be waiting any more
        if not self._down.done():
            self._down.set_result(reason)
        for future in self._answers.values():
            if not future.done():
                future.set_result(None)

    async def _answer(self, mid: int) -> list[int] | None:
        """Return the broker's reason codes for a packet, or None where they did not come."""
        future = self._answers.setdefault(mid, self._loop.create_future())
        try:
            async with asyncio.timeout(_ANSWER_S):
                return await asyncio.shield(future)
        except TimeoutError:
            return None
        finally:
            self._answers.pop(mid, None)

    def _answered(self, mid: int, codes: list[int]) -> None:
        future = self._answers.get(mid)
        if future is not None and not future.done():
            future.set_result(codes)


def _told_with(parcel: Parcel) -> Properties:
    """Return what the broker is told with a message."""
    if parcel.response_topic is None and parcel.correlation is None:
        return _kept(parcel.expiry_s)
    properties = _expiring(parcel.expiry_s)
    if parcel.response_topic is not None:
        properties.ResponseTopic = parcel.response_topic.name
    if parcel.correlation is not None:
        properties.CorrelationData = parcel.correlation
    return properties


@lru_cache(maxsize=64)
def _kept(expiry_s: int | None) -> Properties:
    """Return a publish's properties with an expiry alone; kept, because making them costs more than sending."""
    return _expiring(expiry_s)


def _expiring(expiry_s: int | None) -> Properties:
    properties = _properties(PacketTypes.PUBLISH)
    if expiry_s is not None:
        properties.MessageExpiryInterval = expiry_s
    return properties


def _properties(packet: int) -> Properties:
    """Return empty properties; paho leaves their class untyped."""
    return Properties(packet)  # type: ignore[no-untyped-call]
