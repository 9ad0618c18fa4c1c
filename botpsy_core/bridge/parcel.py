"""A message on its way out."""

from dataclasses import dataclass

from botpsy_core.bridge.topics import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """One message to hand over."""

    topic: Topic
    payload: bytes
    qos: int
    retain: bool
    expiry_s: int | None
    response_topic: Topic | None
    correlation: bytes | None
