"""What the bridge asks of an MQTT connection; Home Assistant's, our own, and a test double fill it.

A message that was handed over when the connection broke is never sent again by a transport:
`publish` either hands it to a live connection or raises TransportLost and has sent nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from botpsy_core.bridge.topics import Filter, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message as it came from the broker; its payload is untrusted."""

    topic: str
    payload: bytes
    retain: bool
    """True for a snapshot that the broker had kept; its age is unknown."""
    received: float
    """Seconds of the monotonic clock."""
    response_topic: str | None = None
    """MQTT 5 only; None where the connection cannot tell."""
    correlation: bytes | None = None
    """MQTT 5 only."""


class Delivery(StrEnum):
    """What is known after a publish that was handed over; none of them proves that the device acted."""

    SENT = "sent"
    """Handed to the connection; nothing more is known."""
    DELIVERED = "delivered"
    """The broker took it and somebody listens."""
    NOBODY_LISTENING = "nobody_listening"
    """The broker took it and threw it away: no subscriber."""
    NOT_ALLOWED = "not_allowed"
    """The broker refused it; it went nowhere."""
    UNKNOWN = "unknown"
    """Handed over, and the broker's answer never came; it may still arrive."""


type OnMessage = Callable[[Message], None]
type OnConnection = Callable[[bool], None]
type Unsubscribe = Callable[[], None]


class Transport(Protocol):
    """One MQTT connection. Callbacks run in the event loop, must not block and must not raise."""

    @property
    def connected(self) -> bool:
        """Return True while the broker is known to be there."""
        ...

    @property
    def private(self) -> bool:
        """Return True if payloads are neither logged nor sent in the clear: our own client over TLS or loopback."""
        ...

    @property
    def answers(self) -> bool:
        """Return True if a QoS 1 publish tells the broker's reason and is never replayed."""
        ...

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
        """Hand one message over now; raise TransportLost, with nothing sent, where there is no connection."""
        ...

    async def subscribe(self, topics: Filter, callback: OnMessage) -> Unsubscribe:
        """Deliver matching messages, now and after every reconnect, until the returned function is called."""
        ...

    def on_connection(self, callback: OnConnection) -> Unsubscribe:
        """Report every change of `connected`."""
        ...
