"""Kills the model's process while it works on a sentence."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Coroutine
from pathlib import Path

FREEZES_S = 0.5
"""How long the process is held before it dies, so that the sentence is under way."""


async def kill_model_while[T](parent: int, speaking: Coroutine[object, object, T]) -> T:
    """Freeze the model's process, let the sentence begin, kill the process, and return what came of the sentence."""
    workers = model_processes(parent)
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    task = asyncio.create_task(speaking, name="a sentence whose model dies")
    await asyncio.sleep(FREEZES_S)
    for pid in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return await task


def model_processes(parent: int) -> list[int]:
    """Return the ids of the processes below Home Assistant's that run the engine."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(status.parent.name))
    found: list[int] = []
    open_ids = [parent]
    while open_ids:
        for child in children.get(open_ids.pop(), []):
            open_ids.append(child)
            with contextlib.suppress(OSError):
                if b"botpsy_core.engine" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(child)
    return found
