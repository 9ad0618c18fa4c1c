"""A bare MQTT client."""

import socket
import threading
import time

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion


class Echo:
    """A bare client that sends one message at a time and waits for what comes back."""

    def __init__(self, port: int, listens: str, *, echoes: str | None = None) -> None:
        self._back = threading.Event()
        self.started = 0.0
        """When the last round trip began."""
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.on_message = (
            (lambda client, _u, message: client.publish(echoes, message.payload, qos=1))
            if echoes
            else (lambda *_: self._back.set())
        )
        self._client.connect("127.0.0.1", port)
        self._client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client.subscribe(listens, qos=1)
        self._client.loop_start()
        time.sleep(0.3)

    def round_trip(self, topic: str, payload: str) -> float:
        """Return the seconds from a publish to what came back."""
        self._back.clear()
        started = self.started = time.perf_counter()
        self._client.publish(topic, payload, qos=1)
        assert self._back.wait(10), "nothing came back"
        return time.perf_counter() - started

    def close(self) -> None:
        """Disconnect."""
        self._client.disconnect()
        self._client.loop_stop()
