"""What came from the devices, and how far it may be believed: live or kept by the broker, and how old."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from botpsy_core.bridge.device import Device
from botpsy_core.bridge.parse import text_at, value_of
from botpsy_core.bridge.signals import Retained, Scalar, Signal
from botpsy_core.bridge.template import NOTHING
from botpsy_core.bridge.topics import Filter
from botpsy_core.bridge.transport import Message, OnMessage, Unsubscribe
from botpsy_core.ports import Clock

_LOGGER = logging.getLogger(__name__)

type OnChange = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One signal's value as it is known now."""

    value: Scalar | None = None
    """None where it is unknown, unreadable or out of range."""
    live: bool = False
    """True if the device said it since we are connected; only then it may prove something."""
    age_s: float | None = None
    """Seconds since it came; None for a snapshot, whose age nobody knows."""

    def proves(self, max_age_s: float) -> bool:
        """Return True if the value is known, live and not too old."""
        return self.value is not None and self.live and self.age_s is not None and self.age_s <= max_age_s


class Presence(StrEnum):
    """What the availability topics say."""

    ONLINE = "online"
    OFFLINE = "offline"
    UNSEEN = "unseen"


class Inbox:
    """Keeps the newest payload of each topic; it is read only when somebody asks, so a flood costs little."""

    def __init__(self, devices: Iterable[Device], clock: Clock) -> None:
        self._clock = clock
        self._live_since = clock.monotonic()
        self._newest: dict[str, Message] = {}
        self._watchers: dict[str, list[OnMessage]] = {}
        self._parsed: dict[tuple[str, str], tuple[Message, Scalar | None]] = {}
        self._listeners: list[OnChange] = []
        self._interested: dict[str, tuple[str, ...]] = {}
        self.ignored_answers = 0
        """Answers that were late, or to somebody else's command."""
        self.follow(devices)

    def follow(self, devices: Iterable[Device]) -> None:
        """Keep what these devices say, instead of the ones before."""
        interested: defaultdict[str, list[str]] = defaultdict(list)
        for device in devices:
            for topic in _topics(device):
                interested[topic].append(device.slug)
        self._interested = {topic: tuple(dict.fromkeys(slugs)) for topic, slugs in interested.items()}
        self._newest = {topic: message for topic, message in self._newest.items() if topic in self._interested}
        self._parsed.clear()

    def state_filters(self) -> tuple[Filter, ...]:
        """Return what to subscribe to for states; every one is an exact topic."""
        return tuple(Filter(topic) for topic in self._interested)

    def receive(self, message: Message) -> None:
        """Take one state message; never raises, never reads the payload."""
        topic = message.topic
        if message.retain and (before := self._newest.get(topic)) is not None and self._is_live(before):
            return
        self._newest[topic] = message
        if self._watchers:
            for watcher in tuple(self._watchers.get(topic, ())):
                watcher(message)
        if self._listeners:
            for slug in self._interested.get(topic, ()):
                for listener in tuple(self._listeners):
                    listener(slug)

    def receive_answer(self, message: Message) -> None:
        """Take one message on an answer topic; an answer that nobody waits for is counted and dropped."""
        watchers = self._watchers.get(message.topic)
        if not watchers:
            self.ignored_answers += 1
            _LOGGER.debug("ignored an answer that nobody waits for on %s", message.topic)
            return
        for watcher in tuple(watchers):
            watcher(message)

    def lost(self) -> None:
        """Note that the connection ended: what came before is not live any more, changes may have been missed."""
        self._live_since = self._clock.monotonic()

    def watch(self, topic: str, callback: OnMessage) -> Unsubscribe:
        """Hand over every message on one topic until the returned function is called."""
        self._watchers.setdefault(topic, []).append(callback)

        def stop() -> None:
            watchers = self._watchers.get(topic, [])
            if callback in watchers:
                watchers.remove(callback)
            if not watchers:
                self._watchers.pop(topic, None)

        return stop

    def on_change(self, listener: OnChange) -> Unsubscribe:
        """Name the device of each new state message; listeners must be quick."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def reading(self, device: Device, name: str) -> Reading:
        """Return what is known of one signal."""
        signal = device.signals[name]
        message = self._newest.get(_topic(signal))
        if message is None:
            return Reading()
        live = self._is_live(message)
        if not live and signal.retained is Retained.NEVER:
            return Reading()
        value = self._value(device, signal, message)
        return Reading(
            value=value, live=live, age_s=max(0.0, self._clock.monotonic() - message.received) if live else None
        )

    def believable(self, device: Device, name: str, max_age_s: float) -> bool:
        """Return True if a value may be taken for the present one where nothing dangerous hangs on it."""
        reading = self.reading(device, name)
        if reading.proves(max_age_s):
            return True
        usable = device.signals[name].retained is Retained.USABLE_IF_ONLINE
        return reading.value is not None and usable and self.presence(device) is Presence.ONLINE and self.alive(device)

    def presence(self, device: Device) -> Presence:
        """Return what bridge and device say about themselves; one that is offline decides."""
        seen = False
        for availability in device.availability:
            message = self._newest.get(availability.topic.text(NOTHING))
            if message is None:
                continue
            word = text_at(message.payload, availability.path) or text_at(message.payload, None)
            if availability.anything:
                seen = seen or bool(message.payload)
                continue
            if word is None or word in availability.offline:
                return Presence.OFFLINE
            if word in availability.online:
                seen = True
            elif not availability.offline:
                return Presence.OFFLINE
        return Presence.ONLINE if seen else Presence.UNSEEN

    def alive(self, device: Device) -> bool:
        """Return True if the device's clock ticks, or if it has none."""
        if device.profile.clock is None:
            return True
        signal = device.signals[device.profile.clock]
        reading = self.reading(device, signal.name)
        if reading.proves(signal.max_age_s):
            return True
        told = reading.value
        return isinstance(told, (int, float)) and abs(self._clock.now().timestamp() - told) <= signal.max_age_s

    def _is_live(self, message: Message) -> bool:
        return not message.retain and message.received >= self._live_since

    def _value(self, device: Device, signal: Signal, message: Message) -> Scalar | None:
        """Parse a payload once."""
        key = (device.slug, signal.name)
        known = self._parsed.get(key)
        if known is not None and known[0] is message:
            return known[1]
        value = value_of(signal, message.payload)
        self._parsed[key] = (message, value)
        return value


def _topic(signal: Signal) -> str:
    return signal.topic.text(NOTHING)


def _topics(device: Device) -> tuple[str, ...]:
    """Return every state topic of a device, checked when it was bound."""
    return (
        *(a.topic.text(NOTHING) for a in device.availability),
        *(_topic(s) for s in device.signals.values()),
    )
