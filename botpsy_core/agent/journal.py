"""What was asked, understood, decided and why, written down so that it survives a crash."""

import json
import logging
import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from zlib import crc32

from botpsy_core.domain.values import JsonObject, JsonValue

_LOGGER = logging.getLogger(__name__)

_SECRET = frozenset({"pin", "password", "token", "secret", "code"})
"""Keys whose value is never written, wherever they stand; that there is one is no secret."""
_HIDDEN = "•"
_PRIVATE = 0o600
"""What people said at home is for nobody else on the machine."""

type Written = Callable[[str, JsonObject], None]
"""Hears, in the journal's own thread, of each entry that is safe: its mark and what was written."""


class NoJournal:
    """Takes every entry and keeps none."""

    def record(self, entry: JsonObject) -> None:
        """Forget the entry."""


class FileJournal:
    """Appends one JSON line an entry to a file, from a thread of its own; two files, the older one goes.

    A line that a crash cut short is skipped when the file is read; the lines before it are whole.
    """

    def __init__(
        self, file: Path, *, max_bytes: int = 1_000_000, written: Written = lambda _mark, _entry: None
    ) -> None:
        """Write to `file`; it and the older `file.1` hold at most `max_bytes` each."""
        self._file = file
        self._written = written
        self._max_bytes = max_bytes
        self._waiting: queue.SimpleQueue[JsonObject | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def record(self, entry: JsonObject) -> None:
        """Append one entry without blocking; never raises."""
        self._waiting.put(entry)
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="botpsy journal", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Write what waits and stop; blocks. What is recorded afterwards begins anew."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join(timeout=10)

    def entries(self) -> Iterator[JsonObject]:
        """Yield the entries, oldest first; blocks. What was recorded a moment ago may still be on its way."""
        return read_journal(self._file)

    def newest(self, count: int) -> tuple[JsonObject, ...]:
        """Return the newest entries, newest first; blocks."""
        return tuple(reversed(deque(self.entries(), maxlen=count)))

    @property
    def _older(self) -> Path:
        return older_of(self._file)

    def _write(self) -> None:
        while (entry := self._waiting.get()) is not None:
            told = {key: redacted(value, key) for key, value in entry.items()}
            try:
                self._written(self._append(json.dumps(told, ensure_ascii=False)), told)
            except OSError, TypeError, ValueError:
                _LOGGER.exception("an entry of the journal %s is lost", self._file)

    def _append(self, text: str) -> str:
        """Write a line and return its mark."""
        line = text.encode()
        self._file.parent.mkdir(parents=True, exist_ok=True)
        if self._file.exists() and self._file.stat().st_size + len(line) > self._max_bytes:
            self._file.replace(self._older)
        with open(self._file, "ab+", opener=_private) as file:
            begins = file.seek(0, os.SEEK_END)
            if begins:
                file.seek(-1, os.SEEK_END)
                # A crash may have left half a line; the next entry must not stick to it.
                if file.read(1) != b"\n":
                    file.write(b"\n")
                    begins += 1
            file.write(line + b"\n")
            return mark_of(os.fstat(file.fileno()).st_ino, begins, line)


def mark_of(inode: int, begins: int, line: bytes) -> str:
    """Return what finds a line again, even after its file was renamed, and no other line in its place."""
    return f"{inode:x}.{begins:x}.{crc32(line):x}"


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, _PRIVATE)


def read_journal(file: Path) -> Iterator[JsonObject]:
    """Yield the entries of a journal's file and of the older one beside it, oldest first; blocks."""
    for each in (older_of(file), file):
        if not each.exists():
            continue
        with each.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                if isinstance(entry, dict):
                    yield entry


def older_of(file: Path) -> Path:
    """Return the file in which the entries before those of `file` are."""
    return file.with_name(f"{file.name}.1")


def redacted(value: JsonValue, key: str = "") -> JsonValue:
    """Return a value without what its key calls secret."""
    if key.lower() in _SECRET and value is not None and not isinstance(value, bool):
        return _HIDDEN
    if isinstance(value, Mapping):
        return {k: redacted(v, k) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(v, key) for v in value]
    return value
