"""A program that the demo starts, and ends again whatever happens."""

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self


class ProgramFailed(Exception):
    """A program did not start or has ended; the message says which, why, and where its log is."""


def free_port() -> int:
    """Return a TCP port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(port: int) -> bool:
    """Return True if nobody listens on that port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Program:
    """One child process with its log."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Keep what to start; nothing is started yet."""
        self.name = name
        self.log = log
        self._command = command
        self._env = env
        self._cwd = cwd
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        """Start it in a session of its own, so that a Ctrl-C at the terminal reaches only the demo."""
        with self.log.open("ab") as out:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, **(self._env or {})},
                cwd=self._cwd,
                start_new_session=True,
            )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Ask it to end, then insist."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(20):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    @property
    def pid(self) -> int:
        """Return its process id."""
        assert self._process is not None
        return self._process.pid

    def check(self) -> None:
        """Raise ProgramFailed if it has ended."""
        if self._process is None or self._process.returncode is not None:
            code = self._process.returncode if self._process else None
            raise ProgramFailed(f"{self.name} has ended (exit status {code}): {self.last_words()} (log: {self.log})")

    def last_words(self) -> str:
        """Return the last line of its log."""
        lines = self.log.read_text(errors="replace").strip().splitlines() if self.log.exists() else []
        return lines[-1] if lines else "it said nothing"

    async def listening(self, port: int, *, seconds: float = 20) -> None:
        """Wait until it listens on a port of this machine; raise ProgramFailed where it does not."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    self.check()
                    try:
                        _, writer = await asyncio.open_connection("127.0.0.1", port)
                    except OSError:
                        await asyncio.sleep(0.1)
                    else:
                        writer.close()
                        return
        except TimeoutError as error:
            raise ProgramFailed(f"{self.name} does not listen on port {port} (log: {self.log})") from error
