"""What a worker uses, as the kernel and the worker itself tell it."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStats:
    """Memory in bytes; 0 where the system does not tell it."""

    threads: int
    """That the next decode gets."""
    private_bytes: int
    """Memory of the worker alone."""
    file_bytes: int
    """Pages of files, the model's above all, that the worker has in memory and can be taken from it."""
    state_bytes: int
    """What a full context holds; part of the private memory."""
    snapshot_bytes: int
    """What snapshots and checkpoints hold; part of the private memory."""

    @classmethod
    def of(cls, pid: int, told: Mapping[str, Any]) -> Self:
        """Return what a worker has told, with what the kernel says of its process."""
        memory = _memory(pid)
        return cls(
            threads=int(told["threads"]),
            private_bytes=memory.get("RssAnon", 0) + memory.get("RssShmem", 0),
            file_bytes=memory.get("RssFile", 0),
            state_bytes=int(told["state_bytes"]),
            snapshot_bytes=int(told["snapshot_bytes"]),
        )

    @property
    def overhead_bytes(self) -> int:
        """Return the private memory beside the state."""
        return max(self.private_bytes - self.state_bytes - self.snapshot_bytes, 0)


def _memory(pid: int) -> dict[str, int]:
    found: dict[str, int] = {}
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.startswith("Rss"):
                found[key] = int(value.split()[0]) << 10
    return found
