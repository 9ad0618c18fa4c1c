import asyncio
import time

import pytest
from bridge_bench import car_device, context
from brokers import Mosquitto
from cuttable import Cable, Trigger
from lots_of_cars import PREFIX, Cars

from botpsy_core.bridge import Broker, Filter, PahoTransport, ProfileToolbox, SystemClock, Topic
from botpsy_core.domain.tools import Outcome, ToolCall

pytestmark = pytest.mark.broker


class Scene:
    """A broker, one car straight on it, and our toolbox behind a cable."""

    def __init__(self, tmp_path):
        self.broker = Mosquitto(tmp_path)
        self.cable = Cable(self.broker.port)
        self.cars = Cars(self.broker.port, ["one"])
        self.transport = PahoTransport(Broker(host="127.0.0.1", port=self.cable.port), SystemClock())
        device = car_device(variables={"prefix": f"{PREFIX}/one", "client": "botpsytest"})
        self.toolbox = ProfileToolbox([device], self.transport, SystemClock())

    async def start(self):
        assert await self.transport.start()
        await self.toolbox.start()
        for _ in range(100):
            if self.toolbox.online("car"):
                return
            await asyncio.sleep(0.05)
        raise AssertionError("the car did not come online")

    async def stop(self):
        await self.toolbox.close()
        await self.transport.close()
        self.cable.close()
        self.cars.close()
        self.broker.stop()

    async def command(self, name="car_start_climate", deadline_s=3.0):
        result = await self.toolbox.execute(ToolCall(id="1", name=name), context(deadline_s))
        return result, time.monotonic()

    async def back(self):
        for _ in range(200):
            if self.transport.connected:
                return
            await asyncio.sleep(0.05)
        raise AssertionError("no connection again")

    def when(self, needle, act, *, to_broker, before=False):
        self.cable.triggers.append(Trigger(needle=needle, to_broker=to_broker, act=act, before=before))


@pytest.fixture
async def scene(tmp_path):
    scene = Scene(tmp_path)
    await scene.start()
    yield scene
    await scene.stop()


async def test_what_the_cut_swallowed_never_arrives_and_nothing_untrue_is_said(scene):
    scene.when(b"climatecontrol on", lambda: scene.cable.outage(0.5), to_broker=True, before=True)
    result, _ = await scene.command()
    assert result.outcome is Outcome.UNCONFIRMED
    await scene.back()
    await asyncio.sleep(0.5)
    assert scene.cars.heard == []


async def test_an_answer_lost_in_a_cut_is_made_good_by_the_live_state_or_stays_open(scene):
    scene.when(b"climatecontrol on", lambda: scene.cable.outage(0.3), to_broker=True)
    result, _ = await scene.command(deadline_s=6)
    assert result.outcome in (Outcome.DONE, Outcome.UNCONFIRMED)
    await scene.back()
    await asyncio.sleep(0.5)
    assert [line for _, _, line in scene.cars.heard] == ["climatecontrol on"]


async def test_during_an_outage_nothing_is_sent_and_nothing_comes_later(scene):
    scene.cable.outage(1.0)
    await asyncio.sleep(0.3)
    result, _ = await scene.command()
    assert (result.outcome, result.data["reason"]) == (Outcome.NOT_SENT, "not_connected")
    await scene.back()
    await asyncio.sleep(0.5)
    assert scene.cars.heard == []


async def test_a_half_open_link_that_thaws_delivers_only_what_was_called_open(scene):
    scene.cable.freeze()
    result, said_at = await scene.command(deadline_s=1.0)
    assert result.outcome is Outcome.UNCONFIRMED
    scene.cable.thaw()
    await asyncio.sleep(1.0)
    assert len(scene.cars.heard) <= 1
    assert all(at >= said_at for at, _, _ in scene.cars.heard)


async def test_a_lost_puback_is_never_done(scene):
    scene.when(b"climatecontrol on", lambda: setattr(scene.cable, "deaf", True), to_broker=True, before=True)
    result, _ = await scene.command(deadline_s=2.0)
    assert result.outcome is Outcome.UNCONFIRMED


async def test_a_state_told_right_after_a_reconnect_is_live(scene):
    scene.cable.outage(0.2)
    await asyncio.sleep(0.5)
    await scene.back()
    assert not scene.toolbox.reading("car", "speed").live
    scene.cars.tell("one", "v.p.speed", "0")
    await asyncio.sleep(0.3)
    assert scene.toolbox.reading("car", "speed").live


async def test_the_broker_tells_that_we_are_gone(tmp_path):
    broker = Mosquitto(tmp_path)
    watcher = PahoTransport(Broker(host="127.0.0.1", port=broker.port), SystemClock())
    ours = PahoTransport(Broker(host="127.0.0.1", port=broker.port, status_topic=Topic("botpsy/status")), SystemClock())
    try:
        await watcher.start()
        heard = []
        await watcher.subscribe(Filter("botpsy/status"), lambda message: heard.append(message.payload))
        await ours.start()
        await asyncio.sleep(0.3)
        await ours.close()
        await asyncio.sleep(0.3)
        assert heard == [b"online", b"offline"]
    finally:
        await ours.close()
        await watcher.close()
        broker.stop()
