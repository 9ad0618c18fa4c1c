"""Which broker may carry a secret, as the MQTT entry tells it."""

from typing import Any

import pytest
from homeassistant.components import mqtt
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.botpsy.own_connection import own_broker

HERE = {"broker": "127.0.0.1", "port": 1883}
AWAY = {"broker": "broker.example.com", "port": 8883}


def entered(hass: HomeAssistant, data: dict[str, Any]) -> None:
    MockConfigEntry(domain=mqtt.DOMAIN, data=data).add_to_hass(hass)


@pytest.mark.parametrize(
    ("data", "tls"),
    [
        (HERE, False),
        (HERE | {"username": "house", "password": "secret"}, False),
        (AWAY | {"certificate": "auto"}, True),
        (AWAY | {"certificate": "own"}, True),
    ],
    ids=["on this machine", "with an account", "by TLS", "by TLS with an own authority"],
)
def test_a_secret_goes_to_this_machine_or_by_tls(hass: HomeAssistant, data: dict[str, Any], *, tls: bool) -> None:
    entered(hass, data)

    broker = own_broker(hass)

    assert broker is not None
    assert (broker.host, broker.port, broker.tls) == (data["broker"], data["port"], tls)
    assert broker.username == data.get("username")
    assert (broker.password.reveal() if broker.password else None) == data.get("password")


@pytest.mark.parametrize(
    "data",
    [
        AWAY,
        AWAY | {"certificate": "auto", "tls_insecure": True},
        HERE | {"transport": "websockets"},
        {"broker": "192.168.1.5", "port": 1883},
    ],
    ids=["in the clear", "TLS that checks no name", "over a web socket", "in the clear at home"],
)
def test_a_secret_stays_where_its_way_can_be_read(hass: HomeAssistant, data: dict[str, Any]) -> None:
    entered(hass, data)

    assert own_broker(hass) is None


def test_without_a_broker_there_is_none(hass: HomeAssistant) -> None:
    assert own_broker(hass) is None
