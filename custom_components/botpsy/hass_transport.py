"""The bridge's connection to the broker through Home Assistant's own `mqtt` integration.

That integration logs payloads, says nothing of the broker's answers, and keeps a QoS 1 message for the next connection.
So this transport is not private, does not answer, and sends everything once, at QoS 0.
"""

from time import monotonic

from homeassistant.components import mqtt
from homeassistant.components.mqtt import DATA_MQTT, ReceiveMessage
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError

from botpsy_core.bridge.topics import Filter, Topic
from botpsy_core.bridge.transport import Delivery, Message, OnConnection, OnMessage, Unsubscribe
from botpsy_core.errors import TransportLost


class HassTransport:
    """Publishes and subscribes where Home Assistant is connected."""

    private = False
    answers = False

    def __init__(self, hass: HomeAssistant) -> None:
        """Use whatever `mqtt` entry there is, now or later."""
        self._hass = hass

    @property
    def connected(self) -> bool:
        """Return True while Home Assistant's client holds a connection."""
        return DATA_MQTT in self._hass.data and mqtt.is_connected(self._hass)

    async def publish(
        self,
        topic: Topic,
        payload: bytes,
        *,
        qos: int = 0,
        retain: bool = False,
        expiry_s: int | None = None,
        response_topic: Topic | None = None,
        correlation: bytes | None = None,
    ) -> Delivery:
        """Hand one message over now; raise TransportLost, with nothing sent, where there is no connection."""
        if not self.connected:
            raise TransportLost("Home Assistant is not connected to an MQTT broker")
        expires = expiry_s if self._hass.data[DATA_MQTT].client.is_mqttv5 else None
        try:
            await mqtt.async_publish(
                self._hass, topic.name, payload, 0, retain, encoding=None, message_expiry_interval=expires
            )
        except HomeAssistantError as error:
            raise TransportLost(f"Home Assistant's MQTT client did not send: {error}") from error
        return Delivery.SENT

    async def subscribe(self, topics: Filter, callback: OnMessage) -> Unsubscribe:  # noqa: A002, RUF100
        """Deliver matching messages, now and after every reconnect, until the returned function is called."""
        return await mqtt.async_subscribe(self._hass, str(topics), _handing_to(callback), 0, encoding=None)

    def on_connection(self, callback: OnConnection) -> Unsubscribe:  # noqa: RUF100
        """Report every change of `connected`."""
        return mqtt.async_subscribe_connection_status(self._hass, callback)


def _handing_to(hear: OnMessage) -> mqtt.models.MessageCallbackType:
    @callback
    def received(message: ReceiveMessage) -> None:
        payload = message.payload if isinstance(message.payload, bytes) else str(message.payload).encode()
        hear(Message(topic=message.topic, payload=payload, retain=message.retain, received=monotonic()))

    return received
