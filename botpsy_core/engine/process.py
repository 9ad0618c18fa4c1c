"""One child process with a model in it, as the supervisor holds it."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from botpsy_core.engine import protocol

STDERR_LINES = 12

_DEATHS: Mapping[int, str] = {
    signal.SIGILL: "this processor lacks instructions that the installed llama.cpp was built for",
    signal.SIGSEGV: "llama.cpp crashed",
    signal.SIGBUS: "the model file could not be read; is it on a failing or unplugged disk?",
    signal.SIGABRT: "llama.cpp gave up",
}
_VMSTAT = Path("/proc/vmstat")
_NO_MEMORY = re.compile(r"bad_alloc|out of memory|failed to allocate|cannot allocate", re.IGNORECASE)


def oom_kills(vmstat: Path = _VMSTAT) -> int | None:
    """Return how many processes the kernel has ended for memory since it started, or None where it does not tell."""
    try:
        with vmstat.open(encoding="ascii") as lines:
            return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), None)
    except OSError:
        return None


def death_by_kill(before: int | None, after: int | None) -> str:
    """Return why a worker was killed; memory is blamed only where the kernel counted such a kill meanwhile."""
    if before is not None and after is not None and after > before:
        return f"it was killed (signal {signal.SIGKILL:d}), most likely because memory ran out"
    return f"it was killed (signal {signal.SIGKILL:d})"


def death_by_abort(said: Iterable[str]) -> str:
    """Return why a worker gave up; memory is blamed only where its last lines do so."""
    words = _DEATHS[signal.SIGABRT]
    return f"{words}: memory ran out" if any(_NO_MEMORY.search(line) for line in said) else words


class WorkerDied(Exception):
    """The child process ended, or its pipe holds noise; the text says why."""


class WorkerProcess:
    """The pipes to one worker; frames in, frames out."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Hold a process that was started."""
        self._process = process
        self._oom_kills = oom_kills()
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._drain = asyncio.create_task(self._read_stderr(), name="botpsy worker stderr")

    @classmethod
    async def start(cls) -> WorkerProcess:
        """Start a worker with this interpreter and this program's import path."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "botpsy_core.engine.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
            start_new_session=True,  # a Ctrl-C on the terminal is the host's to handle
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Return True until the process has ended."""
        return self._process.returncode is None

    async def send(self, frame: protocol.Frame) -> None:
        """Send one frame; raise WorkerDied."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(protocol.encode(frame))
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise WorkerDied(await self.last_words()) from error

    async def receive(self) -> dict[str, Any]:
        """Return the next frame; raise WorkerDied."""
        assert self._process.stdout is not None
        try:
            head = await self._process.stdout.readexactly(4)
            body = await self._process.stdout.readexactly(protocol.body_length(head))
            return protocol.decode(body)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise WorkerDied(await self.last_words()) from error
        except protocol.FrameError as error:
            raise WorkerDied(f"the worker wrote {error}") from error

    async def last_words(self) -> str:
        """Wait for the end and return its reason in words."""
        try:
            code = await asyncio.wait_for(self._process.wait(), 2)
        except TimeoutError:
            self.kill()
            code = await self._process.wait()
        await asyncio.wait([self._drain], timeout=1)
        if code == -signal.SIGKILL:
            return death_by_kill(self._oom_kills, oom_kills())
        if code == -signal.SIGABRT:
            return death_by_abort(self._stderr)
        if code < 0:
            return _DEATHS.get(-code, f"it was ended by signal {-code}")
        detail = self._stderr[-1] if self._stderr else "it said nothing"
        return f"it left with code {code}: {detail}"

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """Let the worker finish what it writes to disk, then end it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 3)
        await self.end()

    async def end(self) -> None:
        """End the process at once and leave nothing of it behind."""
        self.kill()
        await self._process.wait()
        await asyncio.wait([self._drain], timeout=1)
        self._drain.cancel()

    async def wait(self) -> None:
        """Wait until the process has ended."""
        await self._process.wait()

    async def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(ValueError):  # a line beyond the reader's limit
            async for line in self._process.stderr:
                self._stderr.append(line.decode("utf-8", "replace").strip()[:400])
