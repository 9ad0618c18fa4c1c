"""A TCP proxy between a client and a broker: it can be cut, frozen, made deaf, and it can act at a chosen byte."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field


@dataclass
class Trigger:
    """Do something once, when some bytes go by in one direction."""

    needle: bytes
    to_broker: bool
    act: Callable[[], None]
    before: bool = False
    """True: act before the bytes are passed on, so that they are lost."""


@dataclass
class Cable:
    """Listens on a free port and forwards to a broker."""

    broker_port: int
    port: int = 0
    deaf: bool = False
    """True: nothing comes back from the broker any more; the link stays up."""
    triggers: list[Trigger] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._frozen = threading.Event()
        self._frozen.set()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listener: socket.socket | None = None
        self.mend()

    def mend(self) -> None:
        """Let clients in."""
        if self._listener is not None:
            return
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(20)
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        """Break every connection and let nobody in."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    end.shutdown(socket.SHUT_RDWR)
        self._frozen.set()

    def freeze(self) -> None:
        """Pass nothing on in either direction, and close nothing: a half-open link."""
        self._frozen.clear()

    def thaw(self) -> None:
        """Pass on what was held back, and go on."""
        self._frozen.set()

    def outage(self, seconds: float, *, frozen: bool = False) -> None:
        """Break now and mend later, without blocking."""
        (self.freeze if frozen else self.cut)()
        timer = threading.Timer(seconds, self.thaw if frozen else self.mend)
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """End for good."""
        self.cut()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                broker = socket.create_connection(("127.0.0.1", self.broker_port))
            except OSError:
                client.close()
                continue
            self._pairs.append((client, broker))
            threading.Thread(target=self._pump, args=(client, broker, True), daemon=True).start()
            threading.Thread(target=self._pump, args=(broker, client, False), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, to_broker: bool) -> None:  # noqa: FBT001
        with suppress(OSError):
            while data := source.recv(65536):
                fired = [t for t in self.triggers if t.to_broker is to_broker and t.needle in data]
                self.triggers = [t for t in self.triggers if t not in fired]
                for trigger in fired:
                    if trigger.before:
                        trigger.act()
                self._frozen.wait()
                if to_broker or not self.deaf:
                    sink.sendall(data)
                for trigger in fired:
                    if not trigger.before:
                        time.sleep(0.005)  # the bytes are on their way before the cable breaks
                        trigger.act()
        for end in (source, sink):
            with suppress(OSError):
                end.close()
