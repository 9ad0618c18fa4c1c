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

READING_S = 0.03
"""How long the model is let work on it; a whole answer takes several times as long."""


async def kill_model_while[T](parent: int, speaking: Coroutine[object, object, T]) -> T:
    """Speak, kill the model's process in the middle of its answer, and return what came of the sentence."""
    workers = model_processes(parent)
    _send(workers, signal.SIGSTOP)
    task = asyncio.create_task(speaking, name="a sentence whose model dies")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ASKED_S):
            await asked(workers)
    _send(workers, signal.SIGCONT)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ASKED_S):
            await taken_up(workers)
    await asyncio.sleep(READING_S)
    _send(workers, signal.SIGKILL)
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


async def taken_up(pids: list[int]) -> None:
    """Return once these processes have read all that they were sent."""
    while True:
        if not any(unread(pid) for pid in pids):
            return
        await asyncio.sleep(0.001)


def _send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


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
