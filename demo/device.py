"""What the simulated devices share: a connection, and a last will."""

import argparse
import signal
from collections.abc import Callable

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

type Receive = Callable[[str, bytes, bool], None]


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser with the options of every simulated device."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--broker", default="127.0.0.1:1883", metavar="HOST:PORT")
    parser.add_argument("--username")
    parser.add_argument("--password")
    parser.add_argument("--refuse", action="store_true", help="answer every command with an error")
    parser.add_argument("--slow", type=float, default=0.2, metavar="SECONDS", help="time from a command to its effect")
    parser.add_argument("--silent", action="store_true", help="obey, and answer nothing")
    return parser


class Connection:
    """A device's own connection; states are retained, as the real devices keep them."""

    def __init__(self, options: argparse.Namespace, *, will: tuple[str, str], topics: tuple[str, ...]) -> None:
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.will_set(*will, qos=1, retain=True)
        if options.username:
            self._client.username_pw_set(options.username, options.password)
        self._address = options.broker.rpartition(":")
        self._topics = topics

    def run(self, receive: Receive, greet: Callable[[], None], tick: Callable[[], None]) -> None:
        """Serve until the program is told to end; `tick` is called about four times a second."""
        stopped: list[int] = []
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda number, _frame: stopped.append(number))
        self._client.on_message = lambda _c, _u, m: receive(m.topic, bytes(m.payload), m.retain)
        self._client.on_connect = lambda *_: self._greet(greet)
        host, _, port = self._address
        self._client.connect(host or "127.0.0.1", int(port), keepalive=30)
        while not stopped:
            if self._client.loop(timeout=0.1) and not stopped:
                self._client.reconnect()
            tick()
        self._client.disconnect()

    def _greet(self, greet: Callable[[], None]) -> None:
        self._client.subscribe([(topic, 1) for topic in self._topics])
        greet()

    def tell(self, topic: str, text: str) -> None:
        """Publish a state, retained."""
        self._client.publish(topic, text, qos=0, retain=True)

    def answer(self, topic: str, text: str) -> None:
        """Publish an answer, not retained."""
        self._client.publish(topic, text, qos=1, retain=False)
