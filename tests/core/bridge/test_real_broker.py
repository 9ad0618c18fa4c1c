import asyncio
from contextlib import asynccontextmanager

import pytest
from bridge_bench import car_device, run
from brokers import DemoDevice, Mosquitto, free_port

from botpsy_core.bridge import (
    Broker,
    Delivery,
    DeviceSettings,
    Filter,
    PahoTransport,
    ProfileToolbox,
    Secret,
    SystemClock,
    Topic,
    bind,
    shipped_profiles,
)
from botpsy_core.domain.tools import Outcome
from botpsy_core.errors import TransportLost

pytestmark = pytest.mark.broker


@pytest.fixture
def broker(tmp_path):
    broker = Mosquitto(tmp_path)
    yield broker
    broker.stop()


@asynccontextmanager
async def connected(port, **options):
    transport = PahoTransport(Broker(host="127.0.0.1", port=port, **options), SystemClock())
    assert await transport.start()
    try:
        yield transport
    finally:
        await transport.close()


@asynccontextmanager
async def demo_car(port, *options):
    device = DemoDevice("demo.car", port, *options)
    async with connected(port) as transport:
        settings = {
            "variables": {"prefix": "ovms/demo/car", "client": "botpsytest"},
            "secrets": {"vehicle_pin": Secret("4321")},
        }
        toolbox = ProfileToolbox([car_device(**settings)], transport, SystemClock())
        await toolbox.start()
        for _ in range(100):
            if toolbox.online("car"):
                break
            await asyncio.sleep(0.05)
        try:
            yield toolbox
        finally:
            await toolbox.close()
            device.stop()


async def test_the_demo_car_obeys_and_its_states_are_read(broker):
    async with demo_car(broker.port) as toolbox:
        assert (await run(toolbox, "car_start_climate", 10)).outcome is Outcome.DONE
        assert (await run(toolbox, "car_lock", 10)).outcome is Outcome.DONE
        assert (await run(toolbox, "car_unlock", 10)).outcome is Outcome.DONE
        assert (await run(toolbox, "car_set_charge_current", 10, amperes=12)).outcome is Outcome.DONE
        states = {entity.id: entity.state for entity in toolbox.entities()}
        assert states["sensor.car_soc"] == "68"
        assert states["sensor.car_locked"] == "unlocked"


async def test_a_car_that_refuses_is_reported_as_refusing(broker):
    async with demo_car(broker.port, "--refuse") as toolbox:
        assert (await run(toolbox, "car_start_climate", 10)).outcome is Outcome.REFUSED_BY_DEVICE


async def test_a_silent_car_is_never_done(broker):
    async with demo_car(broker.port, "--silent") as toolbox:
        assert (await run(toolbox, "car_start_climate", 2)).outcome is Outcome.UNCONFIRMED


async def test_a_topic_that_nobody_listens_to_is_told_by_the_broker(broker):
    async with connected(broker.port) as transport:
        assert await transport.publish(Topic("nobody/here"), b"x", qos=1) is Delivery.NOBODY_LISTENING
        await transport.subscribe(Filter("nobody/here"), lambda _message: None)
        assert await transport.publish(Topic("nobody/here"), b"x", qos=1) is Delivery.DELIVERED


async def test_a_publish_that_the_acl_denies_is_told_by_the_broker(tmp_path):
    acl = tmp_path / "acl"
    acl.write_text("topic read #\ntopic write ok/#\n")
    broker = Mosquitto(tmp_path, "allow_anonymous true", f"acl_file {acl}")
    try:
        async with connected(broker.port) as transport:
            assert await transport.publish(Topic("denied/here"), b"x", qos=1) is Delivery.NOT_ALLOWED
    finally:
        broker.stop()


async def test_a_broker_that_is_not_there_is_a_clear_error_and_nothing_is_sent():
    transport = PahoTransport(Broker(host="127.0.0.1", port=free_port()), SystemClock())
    try:
        assert not await transport.start(wait_s=1)
        assert "no connection to 127.0.0.1" in transport.last_error
        with pytest.raises(TransportLost):
            await transport.publish(Topic("a/b"), b"x", qos=1)
    finally:
        await transport.close()


async def test_a_snapshot_is_marked_and_a_live_message_is_not(broker):
    async with connected(broker.port) as transport:
        await transport.publish(Topic("state/one"), b"old", retain=True)
        await asyncio.sleep(0.1)
        heard = []
        await transport.subscribe(Filter("state/+"), heard.append)
        await transport.publish(Topic("state/one"), b"new", retain=True)
        await asyncio.sleep(0.2)
        assert [(m.payload, m.retain) for m in heard] == [(b"old", True), (b"new", False)]


async def test_the_demo_wallbox_charges_as_told_and_a_no_op_sends_nothing(broker):
    device = DemoDevice("demo.wallbox", broker.port)
    async with connected(broker.port) as transport:
        box = bind(shipped_profiles()["evcc"], DeviceSettings(profile="evcc", slug="wallbox", name="wallbox"))
        toolbox = ProfileToolbox([box], transport, SystemClock())
        await toolbox.start()
        for _ in range(100):
            if toolbox.online("wallbox") and toolbox.reading("wallbox", "alive").live:
                break
            await asyncio.sleep(0.05)
        try:
            assert (await run(toolbox, "wallbox_set_mode", 10, mode="stopped")).outcome is Outcome.ALREADY_SO
            assert (await run(toolbox, "wallbox_start_charging", 10)).outcome is Outcome.DONE
            assert (await run(toolbox, "wallbox_set_limit", 10, percent=70)).outcome is Outcome.DONE
            states = {entity.id: entity.state for entity in toolbox.entities()}
            assert (states["sensor.wallbox_mode"], states["sensor.wallbox_charge_power"]) == ("fast", "11")
        finally:
            await toolbox.close()
            device.stop()
