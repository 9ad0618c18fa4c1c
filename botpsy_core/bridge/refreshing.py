"""Asks a device for its values, where that does not wake it, and waits for them a little."""

import asyncio
from collections.abc import Mapping

from botpsy_core.bridge import payload as payloads
from botpsy_core.bridge.device import Device
from botpsy_core.bridge.freshness import Inbox
from botpsy_core.bridge.payload import InvalidPayload
from botpsy_core.bridge.profile import Command
from botpsy_core.bridge.readiness import worth_waiting_s
from botpsy_core.bridge.signals import Scalar
from botpsy_core.bridge.template import NOTHING
from botpsy_core.bridge.topics import InvalidTopic
from botpsy_core.bridge.transport import Transport
from botpsy_core.errors import TransportLost
from botpsy_core.ports import Clock

_FRUITLESS_S = 20.0
"""How long a device that did not answer a read request is not waited for again."""
_APART_S = 0.5
"""How close together two read requests to one device may be."""


class Refresher:
    """Sends the profiles' read requests."""

    def __init__(self, *, inbox: Inbox, transport: Transport, clock: Clock) -> None:
        self._inbox = inbox
        self._transport = transport
        self._clock = clock
        self._not_before: dict[str, float] = {}
        self._fruitless_until: dict[str, float] = {}

    async def freshen(self, device: Device, command: Command, wire: Mapping[str, Scalar]) -> None:
        """Wait until what the command depends on is known, or until that is not worth waiting for."""
        wait_s = worth_waiting_s(device, command, wire, self._inbox)
        if not wait_s or self._fruitless_until.get(device.slug, 0.0) > self._clock.monotonic():
            return
        changed = asyncio.Event()
        stop = self._inbox.on_change(lambda slug: changed.set() if slug == device.slug else None)
        try:
            if not await self.ask(device):
                return
            async with asyncio.timeout(wait_s):
                while worth_waiting_s(device, command, wire, self._inbox):
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            self._fruitless_until[device.slug] = self._clock.monotonic() + _FRUITLESS_S
        finally:
            stop()

    async def ask(self, device: Device) -> bool:
        """Send the read request; return False where there is none, or where it would wake the device."""
        refresh = device.refresh
        if refresh is None or refresh.wakes_device or not self._transport.connected:
            return False
        now = self._clock.monotonic()
        if self._not_before.get(device.slug, 0.0) > now:
            return True
        self._not_before[device.slug] = now + _APART_S
        try:
            topic, data = refresh.topic.topic(NOTHING), payloads.build(refresh.payload, NOTHING)
            await self._transport.publish(topic, data, expiry_s=10)
        except TransportLost, InvalidTopic, InvalidPayload:
            return False
        return True
