"""States of prompt prefixes, in memory and on disk, so that none is read twice."""

import contextlib
import hashlib
import json
import mmap
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from botpsy_core.engine.batch import State

MAGIC = b"BOTPSY-STATE-1\n"
_DIGEST = 32
_HEAD = len(MAGIC) + 2 * _DIGEST
MEMORY_BYTES = 64 << 20
DISK_BYTES = 256 << 20
DISK_FILES = 8
WRITES_AT_ONCE = 4
SECONDS_PER_WRITE = 600.0
"""Each of these allows one more write: a prefix that changes every turn must not wear out a card."""


@dataclass(slots=True, kw_only=True)
class Snapshots:
    """Saved states, found by the tokens that they hold."""

    identity: str
    """Everything that makes a state useless elsewhere: model digest, llama.cpp build, settings."""
    folder: Path | None
    _memory: OrderedDict[bytes, State] = field(default_factory=OrderedDict)
    _credit: float = WRITES_AT_ONCE
    _credited: float = field(default_factory=time.monotonic)
    _writer: threading.Thread | None = None

    def key(self, tokens: Sequence[int]) -> bytes:
        """Return the name of the state of these tokens."""
        digest = hashlib.blake2b(self.identity.encode(), digest_size=_DIGEST)
        digest.update(json.dumps(list(tokens)).encode())
        return digest.digest()

    def find(self, tokens: Sequence[int]) -> State | None:
        """Return the state of these tokens, from memory or else from disk, or None."""
        key = self.key(tokens)
        if key in self._memory:
            self._memory.move_to_end(key)
            return self._memory[key]
        return self._load(key)

    def keep(self, tokens: Sequence[int], state: State) -> None:
        """Remember a state; it reaches the disk behind the caller's back."""
        key = self.key(tokens)
        self._memory[key] = state
        while len(self._memory) > 1 and self.size_bytes > MEMORY_BYTES:
            self._memory.popitem(last=False)
        if self.folder is not None and self._may_write():
            self.flush()
            self._writer = threading.Thread(target=self._store, args=(self.folder, key, state), name="snapshot")
            self._writer.start()

    @property
    def size_bytes(self) -> int:
        """Return what is kept in memory."""
        return sum(state.nbytes for state in self._memory.values())

    def forget(self, tokens: Sequence[int]) -> None:
        """Drop a state that turned out not to fit."""
        key = self.key(tokens)
        self._memory.pop(key, None)
        if self.folder is not None:
            self._remove(self._path(self.folder, key))

    def flush(self) -> None:
        """Wait until what was kept is on disk."""
        if self._writer is not None:
            self._writer.join()
            self._writer = None

    def _may_write(self) -> bool:
        now = time.monotonic()
        self._credit = min(WRITES_AT_ONCE, self._credit + (now - self._credited) / SECONDS_PER_WRITE)
        self._credited = now
        if self._credit < 1:
            return False
        self._credit -= 1
        return True

    @staticmethod
    def _path(folder: Path, key: bytes) -> Path:
        return folder / f"{key.hex()[:40]}.state"

    @staticmethod
    def _remove(path: Path) -> None:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)

    def _load(self, key: bytes) -> State | None:
        if self.folder is None:
            return None
        path = self._path(self.folder, key)
        try:
            with path.open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            os.utime(path)
        except OSError, ValueError:
            return None
        whole = np.frombuffer(data, np.uint8)
        body = whole[_HEAD:]
        head = data[:_HEAD]
        if head != MAGIC + key + _checksum(body):
            self._remove(path)
            return None
        return body

    def _store(self, folder: Path, key: bytes, state: State) -> None:
        side = folder / f"{key.hex()[:40]}.{os.getpid()}.part"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with side.open("wb") as file:
                file.write(MAGIC + key + _checksum(state))
                file.write(state.data)
                file.flush()
                os.fsync(file.fileno())
            side.replace(self._path(folder, key))
            _bound(folder)
        except OSError:  # a full or read-only disk costs time at the next start and nothing else
            with contextlib.suppress(OSError):
                side.unlink(missing_ok=True)


def _checksum(body: State) -> bytes:
    return hashlib.blake2b(body.data, digest_size=_DIGEST).digest()


def _bound(folder: Path) -> None:
    """Drop the longest unused files over the limit, and what a killed writer left."""
    for orphan in folder.glob("*.part"):
        if time.time() - orphan.stat().st_mtime > 3600:
            orphan.unlink(missing_ok=True)
    files = sorted(folder.glob("*.state"), key=lambda p: p.stat().st_mtime, reverse=True)
    total = 0
    for place, path in enumerate(files):
        total += path.stat().st_size
        if place >= DISK_FILES or (place and total > DISK_BYTES):
            path.unlink(missing_ok=True)
