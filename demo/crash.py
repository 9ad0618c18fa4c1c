"""Kills the model's process while it works on a sentence."""

import asyncio
import contextlib
import fcntl
import os
import signal
import struct
import termios
from collections.abc import Coroutine
from pathlib import Path

ASKED_S = 20.0
"""How long a sentence may take to reach the model."""


async def kill_model_while[T](parent: int, speaking: Coroutine[object, object, T]) -> T:
    """Freeze the model's process, speak, kill it once it was asked, and return what came of the sentence."""
    workers = model_processes(parent)
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    task = asyncio.create_task(speaking, name="a sentence whose model dies")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ASKED_S):
            await asked(workers)
    for pid in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return await task


def unread(pid: int) -> int:
    """Return how many bytes wait on the pipes that a process reads from."""
    waiting = 0
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if not str(link.readlink()).startswith("pipe:") or writes(pid, link.name):
                continue
            pipe = os.open(link, os.O_RDONLY | os.O_NONBLOCK)
            try:
                waiting += struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0]
            finally:
                os.close(pipe)
    return waiting


def writes(pid: int, descriptor: str) -> bool:
    """Return True if a process writes to this descriptor."""
    flags = Path(f"/proc/{pid}/fdinfo/{descriptor}").read_text().partition("flags:")[2].split()[0]
    return bool(int(flags, 8) & os.O_ACCMODE)


async def asked(pids: list[int]) -> None:
    """Return once one of these processes has something to read."""
    while True:
        if any(unread(pid) for pid in pids):
            return
        await asyncio.sleep(0.02)


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
