"""Many OVMS modules in one program, straight on the broker; they write down what arrives and when."""

import socket
import threading
import time
from collections.abc import Iterable

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

PREFIX = "ovms/lots"
START = {
    "v.e.locked": "yes",
    "v.e.on": "no",
    "v.p.speed": "0",
    "v.b.soc": "62",
    "v.c.charging": "no",
    "v.d.cp": "yes",
    "v.d.fl": "no",
    "v.e.hvac": "no",
    "v.c.climit": "16",
}


class Cars:
    """Cars by name; each may be told to refuse, to be silent, or to take its time."""

    def __init__(self, port: int, names: Iterable[str], *, prefix: str = PREFIX) -> None:
        self.prefix = prefix
        self.states = {name: dict(START) for name in names}
        self.refusing: set[str] = set()
        self.silent: set[str] = set()
        self.takes_s = 0.05
        self.heard: list[tuple[float, str, str]] = []
        """When, which car, which line."""
        self._up = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.on_connect = self._greet
        self._client.on_message = self._receive
        self._client.connect("127.0.0.1", port)
        self._client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client.loop_start()
        assert self._up.wait(10)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def tell(self, name: str, metric: str, value: str) -> None:
        self.states[name][metric] = value
        self._client.publish(f"{self.prefix}/{name}/metric/{metric.replace('.', '/')}", value, retain=True)

    def reset(self, name: str) -> None:
        for metric, value in START.items():
            self.tell(name, metric, value)

    def _greet(self, *_: object) -> None:
        ours = f"{self.prefix}/+/client/+"
        self._client.subscribe([(f"{ours}/command/+", 1), (f"{ours}/request/metric", 1)])
        for name in self.states:
            self._client.publish(f"{self.prefix}/{name}/metric/s/v3/connected", "yes", retain=True)
            self.reset(name)
        self._up.set()

    def _receive(self, _client: paho.Client, _userdata: object, message: paho.MQTTMessage) -> None:
        name = message.topic.removeprefix(f"{self.prefix}/").partition("/")[0]
        if name not in self.states:
            return
        line = message.payload.decode()
        if message.topic.endswith("/request/metric"):
            if name not in self.silent:
                for metric, value in self.states[name].items():
                    self._client.publish(f"{self.prefix}/{name}/metric/{metric.replace('.', '/')}", value, retain=True)
            return
        self.heard.append((time.monotonic(), name, line))
        if not self.takes_s:
            self._obey(name, line, message.topic)
            return
        timer = threading.Timer(self.takes_s, self._obey, (name, line, message.topic))
        timer.daemon = True
        timer.start()

    def _obey(self, name: str, line: str, topic: str) -> None:
        said, metric, value = {
            "climatecontrol on": ("Climate Control  on", "v.e.hvac", "yes"),
            "climatecontrol off": ("Climate Control  off", "v.e.hvac", "no"),
            "lock 1234": ("Vehicle locked", "v.e.locked", "yes"),
            "unlock 1234": ("Vehicle unlocked", "v.e.locked", "no"),
        }[line]
        refuses = name in self.refusing
        if name not in self.silent:
            answer = "Error: vehicle did not respond" if refuses else said
            self._client.publish(topic.replace("/command/", "/response/"), answer, qos=1)
        if not refuses:
            self.states[name][metric] = value
            if name not in self.silent:
                self.tell(name, metric, value)
