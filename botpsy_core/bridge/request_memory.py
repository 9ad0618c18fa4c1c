"""Requests that were seen, with their answers, so that a doubled one is answered and not done again."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum

from botpsy_core.ports import Clock


class Seen(StrEnum):
    """What the memory knows of an id."""

    NEW = "new"
    RUNNING = "running"
    ANSWERED = "answered"
    REUSED = "reused"
    """The id stands for another request already."""


@dataclass(slots=True, kw_only=True)
class _Entry:
    digest: bytes
    """Of the payload; empty where another instance did the work."""
    at: float
    answer: bytes | None = None


class RequestMemory:
    """The last requests of all users; the oldest go first, and all go after a while."""

    def __init__(self, clock: Clock, *, size: int = 512, keep_s: float = 600.0) -> None:
        self._clock = clock
        self._size = size
        self._keep_s = keep_s
        self._entries: OrderedDict[tuple[str, str], _Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def look(self, user: str, request_id: str, payload: bytes) -> tuple[Seen, bytes | None]:
        """Return what is known of an id, and its answer where there is one."""
        self._forget()
        entry = self._entries.get((user, request_id))
        if entry is None:
            return Seen.NEW, None
        if entry.digest and entry.digest != _digest(payload):
            return Seen.REUSED, None
        return (Seen.RUNNING, None) if entry.answer is None else (Seen.ANSWERED, entry.answer)

    def begin(self, user: str, request_id: str, payload: bytes) -> None:
        """Remember a request that is being done."""
        self._put((user, request_id), _Entry(digest=_digest(payload), at=self._clock.monotonic()))

    def finish(self, user: str, request_id: str, answer: bytes) -> None:
        """Remember its answer; one from another instance is remembered as well."""
        entry = self._entries.get((user, request_id))
        if entry is None:
            self._put((user, request_id), _Entry(digest=b"", at=self._clock.monotonic(), answer=answer))
        else:
            entry.answer = answer

    def forget(self, user: str, request_id: str) -> None:
        """Let an id be new again: nothing was done about it."""
        self._entries.pop((user, request_id), None)

    def _put(self, key: tuple[str, str], entry: _Entry) -> None:
        self._entries[key] = entry
        self._entries.move_to_end(key)
        while len(self._entries) > self._size:
            self._entries.popitem(last=False)

    def _forget(self) -> None:
        now = self._clock.monotonic()
        while self._entries:
            key, entry = next(iter(self._entries.items()))
            if now - entry.at < self._keep_s:
                return
            del self._entries[key]


def _digest(payload: bytes) -> bytes:
    return hashlib.sha256(payload).digest()
