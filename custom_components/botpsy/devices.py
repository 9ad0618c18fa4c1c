"""The MQTT devices of an entry, over Home Assistant's connection, and an own one for what is secret."""

from homeassistant.components import mqtt
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from botpsy_core.bridge import Device, PahoTransport, ProfileToolbox, RequestServer
from botpsy_core.domain.home import Entity
from botpsy_core.ports import Clock, Journal

from .hass_transport import HassTransport
from .issues import MQTT_MISSING, async_raise
from .own_connection import own_broker


class MqttDevices:
    """The toolbox of an entry's devices; listens as soon as the `mqtt` integration is there."""

    def __init__(self, hass: HomeAssistant, devices: tuple[Device, ...], *, clock: Clock, journal: Journal) -> None:
        """Take the devices; nothing is subscribed yet. A device with a secret gets an own connection besides."""
        broker = own_broker(hass) if any(device.secrets for device in devices) else None
        self._own = PahoTransport(broker, clock) if broker else None
        self._shared = HassTransport(hass)
        self.toolbox = ProfileToolbox(devices, self._shared, clock, private=self._own, journal=journal)

    @property
    def connected(self) -> bool:
        """Return True while Home Assistant is connected to its broker."""
        return self._shared.connected

    def entities(self) -> tuple[Entity, ...]:
        """Return the devices and their signals as things of the home."""
        return self.toolbox.entities()

    async def async_start(self) -> None:
        """Subscribe; the broker's client must be there."""
        if self._own:
            await self._own.start()
        await self.toolbox.start()

    async def async_close(self) -> None:
        """Unsubscribe."""
        await self.toolbox.close()
        if self._own:
            await self._own.close()


async def async_listen(
    hass: HomeAssistant, entry: ConfigEntry, devices: MqttDevices | None, requests: RequestServer | None
) -> None:
    """Listen to an entry's devices and for requests once the broker's client is there, or say that there is none."""
    if not await mqtt.async_wait_for_mqtt_client(hass):
        async_raise(hass, entry, MQTT_MISSING)
        return
    if devices:
        await devices.async_start()
    if requests:
        await requests.start()
