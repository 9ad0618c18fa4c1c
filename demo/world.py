"""What is so in the home, read back from Home Assistant and from the broker; the only judge of the scenario."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from demo.client import HassClient
from demo.onboarding import CALENDAR, TODO

type Facts = Mapping[str, Any]

DAYS_AHEAD = 14
CAR = "ovms/demo/car/metric/"
"""Where the simulated car reports what it is."""
WALLBOX = "evcc/loadpoints/1/"
SETTINGS_OF_WALLBOX = ("mode", "limitSoc", "maxCurrent")
"""What it is told; what follows from that (charging, power) is its own affair."""
LAST_OF_CAR = "car.xcar.v.flap"
"""What it tells last."""

DOMAINS = {"light", "switch", "cover", "lock", "climate", "media_player", "sensor"}
ATTRIBUTES = {
    "light": ("brightness",),
    "climate": ("temperature", "current_temperature"),
    "media_player": ("volume_level",),
}


class Listener:
    """Hears everything on the broker."""

    def __init__(self, port: int) -> None:
        """Keep where the broker is; nothing is opened yet."""
        self.retained: dict[str, str] = {}
        """The newest payload of every topic."""
        self.messages: list[tuple[str, str]] = []
        """Every message in order."""
        self._port = port
        self._followers: list[tuple[str, asyncio.Queue[str], asyncio.AbstractEventLoop]] = []
        self._client = Client(CallbackAPIVersion.VERSION2, client_id="demo-listener")
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_message = self._hear

    def __enter__(self) -> Self:
        """Connect and listen from a thread of its own."""
        self._client.connect("127.0.0.1", self._port)
        self._client.loop_start()
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self._client.disconnect()
        self._client.loop_stop()

    def _hear(self, _: Client, __: object, message: MQTTMessage) -> None:
        payload = message.payload.decode(errors="replace")
        self.retained[message.topic] = payload
        self.messages.append((message.topic, payload))
        for prefix, queue, loop in list(self._followers):
            if message.topic.startswith(prefix):
                loop.call_soon_threadsafe(queue.put_nowait, payload)

    def follow(self, prefix: str) -> asyncio.Queue[str]:
        """Return a queue of what comes on a topic and below it from now on."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._followers.append((prefix, queue, asyncio.get_running_loop()))
        return queue

    def publish(self, topic: str, payload: str) -> None:
        """Send one message."""
        self._client.publish(topic, payload, qos=1)

    def sent_to(self, topic: str) -> tuple[str, ...]:
        """Return every payload that was sent to a topic, in order."""
        return tuple(payload for heard, payload in self.messages if heard == topic)


class World:
    """Both views of the home at once."""

    def __init__(self, client: HassClient, listener: Listener, zone: ZoneInfo) -> None:
        """Keep the two things that are read."""
        self._client = client
        self._listener = listener
        self._own: frozenset[str] = frozenset()
        self.zone = zone

    async def open(self) -> None:
        """Wait for the car, and learn which entities are no part of the home: the agent's own and Home Assistant's."""
        async with asyncio.timeout(20):
            told = self._listener.follow(CAR)
            while LAST_OF_CAR not in self._car():
                await told.get()
        registry = await self._client.call("config/entity_registry/list")
        self._own = frozenset(each["entity_id"] for each in registry if each["platform"] in {"botpsy", "backup"})

    async def facts(self) -> Facts:
        """Return everything that an utterance could have changed, by a flat name."""
        states, todo, events = await asyncio.gather(self._client.get("/api/states"), self._todo_items(), self._events())
        facts: dict[str, Any] = {TODO: todo, CALENDAR: events, "phone": self._listener.sent_to("home/phone/set")}
        for state in states:
            entity_id = state["entity_id"]
            domain = entity_id.partition(".")[0]
            if domain in DOMAINS and entity_id not in self._own:
                facts[entity_id] = state["state"]
                for name in ATTRIBUTES.get(domain, ()):
                    facts[f"{entity_id}.{name}"] = state["attributes"].get(name)
        facts |= self._car() | self._wallbox()
        return facts

    async def _todo_items(self) -> tuple[str, ...]:
        answer = await self._client.action("todo.get_items", {"entity_id": TODO}, response=True)
        return tuple(f"{item['summary']} ({item['status']})" for item in answer[TODO]["items"])

    async def _events(self) -> tuple[tuple[str, str], ...]:
        now = datetime.now(self.zone)
        ends = {"start_date_time": now.isoformat(), "end_date_time": (now + timedelta(days=DAYS_AHEAD)).isoformat()}
        answer = await self._client.action("calendar.get_events", {"entity_id": CALENDAR, **ends}, response=True)
        return tuple((event["summary"], event["start"]) for event in answer[CALENDAR]["events"])

    def _car(self) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for topic, payload in sorted(self._listener.retained.items()):
            if topic.startswith(CAR) and topic != f"{CAR}m/time/utc":
                facts["car." + topic.removeprefix(CAR).replace("/", ".")] = payload
        return facts

    def _wallbox(self) -> dict[str, Any]:
        heard = self._listener.retained
        return {f"wallbox.{name}": heard.get(WALLBOX + name) for name in SETTINGS_OF_WALLBOX}


def differences(before: Facts, after: Facts) -> dict[str, tuple[Any, Any]]:
    """Return what is not as it was, as before and after."""
    return {
        name: (before.get(name), after.get(name))
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    }
