"""A program of its own that publishes steadily: `python -m tests.soak.publisher PORT RATE SECONDS WHAT`."""

import json
import sys
import time
from collections.abc import Iterator
from itertools import count, cycle

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.core.bridge.lots_of_cars import PREFIX

METRICS = (
    "v/p/speed",
    "v/b/soc",
    "v/e/locked",
    "v/e/hvac",
    "v/c/charging",
    "v/b/range/est",
    "v/e/cabintemp",
    "m/time/utc",
)
VALUES = ("0", "61", "yes", "no", "no", "210", "21.5", "1796040000")
VEHICLES = 50


def fleet() -> Iterator[tuple[str, str]]:
    """Yield state messages of many vehicles."""
    for number in count():
        metric = (number // VEHICLES) % len(METRICS)
        yield f"{PREFIX}/car{number % VEHICLES}/metric/{METRICS[metric]}", VALUES[metric]


def requests() -> Iterator[tuple[str, str]]:
    """Yield requests, each with an id of its own."""
    for number in count():
        yield "botpsy/request/soak", json.dumps({"id": f"flood{number}", "tool": "car0_start_climate"})


def main() -> None:
    """Publish in bursts of ten milliseconds."""
    port, rate, seconds, what = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    messages = {"fleet": fleet, "requests": requests}[what]()
    started, sent = time.monotonic(), 0
    for _ in cycle((None,)):
        elapsed = time.monotonic() - started
        if elapsed >= seconds:
            break
        while sent < elapsed * rate:
            topic, payload = next(messages)
            client.publish(topic, payload)
            sent += 1
        time.sleep(0.01)
    time.sleep(0.5)
    client.disconnect()
    client.loop_stop()
    sys.stdout.write(f"{sent}\n")


if __name__ == "__main__":
    main()
