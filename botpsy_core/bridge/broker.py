"""Where a broker is and how to get in."""

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from botpsy_core.bridge.secret import Secret
from botpsy_core.bridge.topics import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """One broker account."""

    host: str
    port: int = 1883
    client_id: str = ""
    """Empty: a new one for every connection."""
    username: str | None = None
    password: Secret | None = None
    tls: bool = False
    """With the host name checked, always."""
    ca_file: Path | None = None
    """Certificates to trust instead of the system's."""
    cert_file: Path | None = None
    key_file: Path | None = None
    keepalive_s: int = 15
    status_topic: Topic | None = None
    """Gets a retained `online`, and `offline` from the broker when we are gone."""

    @property
    def loopback(self) -> bool:
        """Return True if the broker is on this machine."""
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return self.host.lower() == "localhost"

    @property
    def private(self) -> bool:
        """Return True if nobody between us and the broker can read along."""
        return self.tls or self.loopback
