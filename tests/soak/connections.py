"""Both kinds of connection, behind a cable that can be cut."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from botpsy_core.bridge import (
    Broker,
    Device,
    DeviceSettings,
    PahoTransport,
    ProfileToolbox,
    Secret,
    SystemClock,
    Transport,
    bind,
    shipped_profiles,
)
from tests.core.bridge.lots_of_cars import PREFIX

OWN = "own connection"
HASS = "Home Assistant's connection"


def cars(names: Sequence[str]) -> tuple[Device, ...]:
    """Bind one OVMS car a name."""
    profile = shipped_profiles()["ovms_v3"]
    return tuple(
        bind(
            profile,
            DeviceSettings(
                profile="ovms_v3",
                slug=name,
                name=name,
                variables={"prefix": f"{PREFIX}/{name}", "client": "botpsysoak"},
                secrets={"vehicle_pin": Secret("1234")},
            ),
        )
        for name in names
    )


@asynccontextmanager
async def connected(kind: str, port: int) -> AsyncIterator[Transport]:
    """Connect in one of the two ways."""
    async with own(port) if kind == OWN else hass(port) as transport:
        yield transport


@asynccontextmanager
async def own(port: int) -> AsyncIterator[Transport]:
    """Connect by our own client."""
    transport = PahoTransport(Broker(host="127.0.0.1", port=port), SystemClock())
    assert await transport.start()
    try:
        yield transport
    finally:
        await transport.close()


@asynccontextmanager
async def hass(port: int) -> AsyncIterator[Transport]:
    """Connect through a real Home Assistant and its `mqtt` integration."""
    from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant

    from custom_components.botpsy.hass_transport import HassTransport

    with tempfile.TemporaryDirectory() as folder:
        async with async_test_home_assistant() as home:
            home.config.config_dir = folder
            (Path(folder) / "configuration.yaml").touch()
            home.config.components |= {"http", "file_upload"}  # what `mqtt` asks for and a measurement does not
            entry = MockConfigEntry(domain="mqtt", data={"broker": "127.0.0.1", "port": port, "protocol": "5"})
            entry.add_to_hass(home)
            assert await home.config_entries.async_setup(entry.entry_id)
            transport = HassTransport(home)
            for _ in range(100):
                if transport.connected:
                    break
                await asyncio.sleep(0.05)
            try:
                yield transport
            finally:
                await home.config_entries.async_unload(entry.entry_id)
                await home.async_stop(force=True)


@asynccontextmanager
async def listening(devices: Sequence[Device], transport: Transport) -> AsyncIterator[ProfileToolbox]:
    """Start a toolbox and wait until its devices are there."""
    toolbox = ProfileToolbox(devices, transport, SystemClock())
    await toolbox.start()
    for _ in range(400):
        if all(toolbox.online(d.slug) for d in devices):
            break
        await asyncio.sleep(0.05)
    try:
        yield toolbox
    finally:
        await toolbox.close()
