"""How the supervisor and its worker speak: four bytes of length, then one JSON object."""

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

MAX_FRAME = 32 << 20
"""Bytes; a longer frame is noise on the pipe."""

type Frame = Mapping[str, Any]


class FrameError(Exception):
    """The bytes on the pipe are no frame."""


def encode(frame: Frame) -> bytes:
    """Return the frame as it goes over the pipe."""
    body = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode()
    return len(body).to_bytes(4, "big") + body


def body_length(head: bytes) -> int:
    """Return how many bytes follow these four; raise FrameError if that cannot be."""
    length = int.from_bytes(head, "big")
    if not 2 <= length <= MAX_FRAME:
        raise FrameError(f"a frame of {length} bytes")
    return length


def decode(body: bytes) -> dict[str, Any]:
    """Return the object in these bytes; raise FrameError if there is none."""
    try:
        frame = json.loads(body)
    except ValueError as error:
        raise FrameError(f"no JSON: {body[:80]!r}") from error
    if not isinstance(frame, dict):
        raise FrameError(f"no JSON object: {body[:80]!r}")
    return frame


def read(stream: BinaryIO) -> dict[str, Any] | None:
    """Return the next frame, or None at the end of the stream."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    body = stream.read(body_length(head))
    return decode(body)
