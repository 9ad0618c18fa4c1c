"""A car behind Home Assistant's own MQTT connection and a real broker."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryData
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from botpsy_core.bridge import ProfileToolbox
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult
from tests.component.loading import load
from tests.core.bridge.brokers import DemoDevice, Mosquitto

pytestmark = pytest.mark.broker

CAR = ConfigSubentryData(
    data={
        "profile": "ovms_v3",
        "slug": "car",
        "variables": {"prefix": "ovms/demo/car", "client": "botpsytest"},
        "secrets": {"vehicle_pin": "4321"},
        "commands": ["unlock"],
    },
    subentry_type="device",
    title="car",
    unique_id=None,
)


@pytest.fixture
def broker(socket_enabled: None, tmp_path: Path) -> Iterator[Mosquitto]:
    """Run a broker."""
    broker = Mosquitto(tmp_path)
    yield broker
    broker.stop()


@pytest.fixture
async def devices(
    hass: HomeAssistant, broker: Mosquitto, model_file: Path, tmp_path: Path
) -> AsyncIterator[ProfileToolbox]:
    """Connect Home Assistant and an entry with a car to the broker."""
    hass.config.config_dir = str(tmp_path)
    (tmp_path / "configuration.yaml").touch()
    mqtt_entry = MockConfigEntry(domain="mqtt", data={"broker": "127.0.0.1", "port": broker.port, "protocol": "5"})
    mqtt_entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(mqtt_entry.entry_id)
    entry = await load(hass, model_file, CAR)
    car = DemoDevice("demo.car", broker.port)
    toolbox = entry.runtime_data.devices.toolbox
    for _ in range(200):
        if toolbox.online("car"):
            break
        await asyncio.sleep(0.05)
    yield toolbox
    car.stop()
    await hass.config_entries.async_unload(entry.entry_id)
    await hass.config_entries.async_unload(mqtt_entry.entry_id)
    assert entry.state is ConfigEntryState.NOT_LOADED


async def run(toolbox: ProfileToolbox, name: str) -> ToolResult:
    """Execute one command."""
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=dt_util.now(), deadline_s=10)
    return await toolbox.execute(ToolCall(id="1", name=name), context)


async def test_a_car_is_driven_over_home_assistants_connection(devices: ProfileToolbox) -> None:
    """A command without a secret goes the way of Home Assistant."""
    assert (await run(devices, "car_start_climate")).outcome is Outcome.DONE


async def test_a_pin_goes_over_an_own_connection_and_into_no_log(
    devices: ProfileToolbox, caplog: pytest.LogCaptureFixture
) -> None:
    """Locking holds the vehicle's PIN, which Home Assistant's client would log."""
    caplog.set_level(logging.DEBUG)
    assert (await run(devices, "car_lock")).outcome is Outcome.DONE
    assert (await run(devices, "car_unlock")).outcome is Outcome.DONE
    assert "4321" not in caplog.text
