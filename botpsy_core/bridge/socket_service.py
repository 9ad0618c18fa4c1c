"""A client's socket, served by the event loop: what arrives is read, what waits is written, the link is kept alive."""

import asyncio
import socket
import ssl
import struct
import time
from typing import Protocol

_READING_S = 0.0004
"""How long reading may hold the event loop, whatever a packet costs."""


class Client(Protocol):
    """What moves the bytes, one step at a time."""

    def loop_read(self) -> object:
        """Read one packet."""

    def loop_write(self) -> object:
        """Write what waits, as far as the socket takes it."""

    def loop_misc(self) -> object:
        """Ping, and notice that nobody answers."""

    def want_write(self) -> bool:
        """Return True if something waits to be written."""
        ...


class SocketService:
    """Serves one socket from its opening to its end."""

    def __init__(self, opened: socket.socket, client: Client, loop: asyncio.AbstractEventLoop) -> None:
        """Take an open socket; nothing is served yet."""
        self._socket = opened
        self._client = client
        self._loop = loop
        self._serving = False
        self._writing = False
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Let the event loop move the bytes from now on."""
        # an answer and the next command are two small packets: Nagle would hold the second back for 40 ms
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._serving = True
        self._loop.add_reader(self._socket, self._read)
        self._write_on()
        self._tick()

    def stop(self) -> None:
        """Serve it no more; it stays open."""
        if self._serving:
            self._serving = False
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)

    def reset(self) -> None:
        """Let it end with a reset instead of a farewell: bytes that were not delivered yet never will be."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def close(self) -> None:
        """Stop and close it."""
        if self._timer is not None:
            self._timer.cancel()
        self.stop()
        self._socket.close()

    def write_soon(self) -> None:
        """Let the loop write what the socket does not take at once; a small packet is gone before it gets there."""
        if self._serving and not self._writing:
            self._loop.call_soon(self._write_on)

    def stop_writing(self) -> None:
        """Note that nothing waits to be written."""
        if self._serving and self._writing:
            self._writing = False
            self._loop.remove_writer(self._socket)

    def _tick(self) -> None:
        """Keep the link alive and notice when it is not."""
        self._client.loop_misc()
        self._timer = self._loop.call_later(1.0, self._tick) if self._serving else None

    def _read(self) -> None:
        """Read what is there, for a moment: the loop has other work, too."""
        until = time.perf_counter() + _READING_S
        self._client.loop_read()
        while self._serving and self._holds_more():
            if time.perf_counter() >= until:
                self._loop.call_soon(self._read_on)
                return
            self._client.loop_read()

    def _read_on(self) -> None:
        """Go on reading what TLS has taken off the socket already, which the loop does not see."""
        if self._serving and isinstance(self._socket, ssl.SSLSocket) and self._socket.pending():
            self._read()

    def _holds_more(self) -> bool:
        """Return True if another packet has begun to arrive."""
        if isinstance(self._socket, ssl.SSLSocket):
            return self._socket.pending() > 0
        try:
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def _write_on(self) -> None:
        if self._serving and not self._writing and self._client.want_write():
            self._client.loop_write()
        if self._serving and not self._writing and self._client.want_write():
            self._writing = True
            self._loop.add_writer(self._socket, self._client.loop_write)
