"""What was asked, understood, decided and why, written down so that it survives a crash."""

import json
import logging
import os
import queue
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

from botpsy_core.domain.values import JsonObject, JsonValue

_LOGGER = logging.getLogger(__name__)

_SECRET = frozenset({"pin", "password", "token", "secret", "code"})
"""Keys whose value is never written, wherever they stand."""
_HIDDEN = "•"


class NoJournal:
    """Takes every entry and keeps none."""

    def record(self, entry: JsonObject) -> None:
        """Forget the entry."""


class FileJournal:
    """Appends one JSON line an entry to a file, from a thread of its own; two files, the older one goes.

    A line that a crash cut short is skipped when the file is read; the lines before it are whole.
    """

    def __init__(self, file: Path, *, max_bytes: int = 1_000_000) -> None:
        """Write to `file`; it and the older `file.1` hold at most `max_bytes` each."""
        self._file = file
        self._max_bytes = max_bytes
        self._waiting: queue.SimpleQueue[JsonObject | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="botpsy journal", daemon=True)
        self._thread.start()

    def record(self, entry: JsonObject) -> None:
        """Append one entry without blocking; never raises."""
        self._waiting.put(entry)

    def close(self) -> None:
        """Write what waits and stop."""
        self._waiting.put(None)
        self._thread.join(timeout=10)

    def entries(self) -> Iterator[JsonObject]:
        """Yield the entries, oldest first; blocks. What was recorded a moment ago may still be on its way."""
        return read_journal(self._file)

    def newest(self, count: int) -> tuple[JsonObject, ...]:
        """Return the newest entries, newest first; blocks."""
        return tuple(reversed(deque(self.entries(), maxlen=count)))

    @property
    def _older(self) -> Path:
        return _older_of(self._file)

    def _write(self) -> None:
        while (entry := self._waiting.get()) is not None:
            try:
                self._append(json.dumps(redacted(entry), ensure_ascii=False))
            except OSError:
                _LOGGER.exception("an entry of the journal %s is lost", self._file)

    def _append(self, line: str) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        if self._file.exists() and self._file.stat().st_size + len(line) > self._max_bytes:
            self._file.replace(self._older)
        # A crash may have left half a line; the next entry must not stick to it.
        with self._file.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                line = line if file.read(1) == b"\n" else f"\n{line}"
            file.write(f"{line}\n".encode())


def read_journal(file: Path) -> Iterator[JsonObject]:
    """Yield the entries of a journal's file and of the older one beside it, oldest first; blocks."""
    for each in (_older_of(file), file):
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


def _older_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.1")


def redacted(value: JsonValue, key: str = "") -> JsonValue:
    """Return a value without what its key calls secret."""
    if key.lower() in _SECRET and value is not None:
        return _HIDDEN
    if isinstance(value, Mapping):
        return {k: redacted(v, k) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(v, key) for v in value]
    return value
