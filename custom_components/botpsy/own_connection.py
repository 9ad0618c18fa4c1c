"""An own connection to the broker of the `mqtt` entry, for payloads that hold a secret.

Home Assistant logs what it publishes; a vehicle's PIN therefore goes over a client of our own, and only where
nobody can read along: by TLS, with the host's name checked, or on this machine.
"""

from pathlib import Path
from typing import Final

from homeassistant.components import mqtt
from homeassistant.components.mqtt.const import (
    CONF_BROKER,
    CONF_CERTIFICATE,
    CONF_CLIENT_CERT,
    CONF_CLIENT_KEY,
    CONF_TLS_INSECURE,
    CONF_TRANSPORT,
)
from homeassistant.components.mqtt.util import get_file_path
from homeassistant.const import CONF_PASSWORD, CONF_PORT, CONF_USERNAME
from homeassistant.core import HomeAssistant

from botpsy_core.bridge import Broker, Secret

AUTOMATIC: Final = "auto"


def own_broker(hass: HomeAssistant) -> Broker | None:
    """Return the broker of the `mqtt` entry, or None where a secret would not be safe on the way to it."""
    entries = hass.config_entries.async_entries(mqtt.DOMAIN, include_ignore=False, include_disabled=False)
    entry = next(iter(entries), None)
    if entry is None or entry.data.get(CONF_TRANSPORT, "tcp") != "tcp" or entry.data.get(CONF_TLS_INSECURE):
        return None
    data = entry.data
    certificate = data.get(CONF_CERTIFICATE)
    broker = Broker(
        host=data[CONF_BROKER],
        port=data.get(CONF_PORT, 1883),
        username=data.get(CONF_USERNAME),
        password=Secret(data[CONF_PASSWORD]) if data.get(CONF_PASSWORD) else None,
        tls=certificate is not None,
        ca_file=_file(CONF_CERTIFICATE) if certificate not in (None, AUTOMATIC) else None,
        cert_file=_file(CONF_CLIENT_CERT) if data.get(CONF_CLIENT_CERT) else None,
        key_file=_file(CONF_CLIENT_KEY) if data.get(CONF_CLIENT_KEY) else None,
    )
    return broker if broker.private else None


def _file(option: str) -> Path | None:
    path = get_file_path(option)
    return None if path is None else Path(path)
