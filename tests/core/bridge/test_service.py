"""A bridge without Home Assistant: its settings file, and its whole way on a real broker."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import pytest
from brokers import ROOT, DemoDevice, Mosquitto

from botpsy_core.agent import Agent
from botpsy_core.bridge import Broker, Filter, PahoTransport, SystemClock, Topic, read_settings, running_bridge
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.safety import Confirmations, PinHash, load_policy

SETTINGS = """\
broker: {host: 127.0.0.1, port: PORT, status_topic: botpsy/status}
profiles: profiles
model: null
pin: "4711"
requests: {users: [anna, ben], GROUP per_minute: 600}
devices:
  - profile: car_with_flap
    slug: car
    name: car
    variables: {prefix: ovms/demo/car, client: botpsytest}
    secrets: {vehicle_pin: {file: pin.txt}}
    enabled: [unlock]
  - {profile: evcc, slug: wallbox, name: wallbox}
"""


def write(folder, *, port=1883, group=""):
    text = SETTINGS.replace("PORT", str(port)).replace("GROUP", f"group: {group}," if group else "")
    (folder / "pin.txt").write_text("4321\n")
    (folder / "profiles").mkdir(exist_ok=True)
    (folder / "profiles/flap.yaml").write_text((ROOT / "demo/profiles/car_with_flap.yaml").read_text())
    path = folder / "bridge.yaml"
    path.write_text(text)
    return path


def test_a_settings_file_becomes_devices_and_a_broker(tmp_path):
    settings = read_settings(write(tmp_path))
    assert [d.slug for d in settings.devices] == ["car", "wallbox"]
    assert settings.devices[0].secrets["vehicle_pin"].reveal() == "4321"
    assert settings.broker.private
    assert not settings.with_model
    assert "4321" not in repr(settings)
    assert "4711" not in repr(settings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("host: 127.0.0.1, ", "", r"bridge.yaml, line 1: broker: 'host' is a required property"),
        ("profile: evcc", "profile: evc", r"bridge.yaml, line 13: devices.1.profile: 'evc' is no profile; use one of"),
        ("slug: wallbox", "slug: car", r"devices.1.slug: 'car' stands twice"),
        ("pin.txt", "nowhere.txt", r"nowhere.txt cannot be read"),
        ("botpsy/status", "botpsy/#", r"holds a wildcard"),
        ("enabled: [unlock]", "enabled: [fly]", r"device 'car': \['fly'\] are no commands"),
        ("model: null", "odel: null", r"line 1: .*odel"),
        ("anna, ben", "Anna/#", r"requests.users.0"),
    ],
)
def test_a_wrong_settings_file_says_where_and_how_to_mend_it(tmp_path, old, new, message):
    path = write(tmp_path)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ConfigurationInvalid, match=message):
        read_settings(path)


class Panel:
    """A panel on the wall: asks as one user and waits for the answer."""

    def __init__(self, port, user="anna"):
        self.user = user
        self.transport = PahoTransport(Broker(host="127.0.0.1", port=port), SystemClock())
        self.heard = []

    async def start(self):
        assert await self.transport.start()
        await self.transport.subscribe(
            Filter(f"botpsy/response/{self.user}"), lambda m: self.heard.append(json.loads(m.payload))
        )

    async def ask(self, **request):
        await self.transport.publish(Topic(f"botpsy/request/{self.user}"), json.dumps(request).encode(), qos=1)
        for _ in range(400):
            found = [answer for answer in self.heard if answer["id"] == request["id"]]
            if found:
                return found[-1]
            await asyncio.sleep(0.02)
        raise AssertionError(f"no answer to {request}")


def agent_of(settings):
    clock = SystemClock()
    policy = load_policy()
    confirmations = Confirmations(clock, pin=PinHash.of(settings.pin.reveal()), expires_s=policy.expires_s)
    return Agent(engine=None, policy=policy, clock=clock, confirmations=confirmations)


@asynccontextmanager
async def bridges(folder, *, count=1, group=""):
    broker = Mosquitto(folder)
    settings = read_settings(write(folder, port=broker.port, group=group))
    car = DemoDevice("demo.car", broker.port)
    panel = Panel(broker.port)
    await panel.start()
    try:
        async with stacked(settings, count) as servers:
            await answering(panel)
            yield panel, servers
    finally:
        await panel.transport.close()
        car.stop()
        broker.stop()


async def answering(panel):
    """Wait until the bridges know that the car is there."""
    for number in range(100):
        answer = await panel.ask(id=f"warm{number}", text="what is the state of the car")
        if "online" in answer["reply"]:
            panel.heard.clear()
            return
        await asyncio.sleep(0.1)
    raise AssertionError(answer)


@asynccontextmanager
async def stacked(settings, count):
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(running_bridge(settings, agent_of(settings), SystemClock()))
            for _ in range(count)
        ]


def test_a_time_is_one_of_the_machines_zone(monkeypatch):
    with monkeypatch.context() as here:
        here.setenv("TZ", "Asia/Kolkata")
        time.tzset()
        assert SystemClock().now().utcoffset() == timedelta(hours=5, minutes=30)
    time.tzset()


@pytest.mark.broker
async def test_words_a_tool_and_an_answer_go_the_whole_way(tmp_path):
    async with bridges(tmp_path) as (panel, _servers):
        climate = await panel.ask(id="1", text="preheat the car")
        assert (climate["status"], [c["outcome"] for c in climate["calls"]]) == ("done", ["done"])
        nothing = await panel.ask(id="2", text="order a pizza")
        assert (nothing["status"], nothing["calls"]) == ("refused", [])
        stop = await panel.ask(id="3", tool="car_stop_climate")
        assert stop["status"] == "done"
        flap = await panel.ask(id="4", text="open the charge flap of the car")
        assert (flap["status"], flap["calls"]) == ("asked", [])
        opened = await panel.ask(id="5", answer="yes", to="4")
        assert (opened["status"], opened["calls"][0]["name"]) == ("done", "car_open_charge_flap")
        unlock = await panel.ask(id="6", text="unlock the car")
        assert (unlock["status"], unlock["calls"]) == ("refused", [])


@pytest.mark.broker
async def test_two_bridges_share_the_requests_and_each_is_answered_once(tmp_path):
    async with bridges(tmp_path, count=2, group="bots") as (panel, servers):
        for number in range(12):
            answer = await panel.ask(id=f"r{number}", text="is the car locked")
            assert answer["status"] == "done", answer
        await asyncio.sleep(0.3)
        assert len(panel.heard) == 12
        assert sum(server.counts.done for server in servers) >= 13
        assert all(server.counts.done for server in servers)


@pytest.mark.broker
async def test_a_request_doubled_to_both_bridges_is_done_once(tmp_path):
    async with bridges(tmp_path, count=2, group="bots") as (panel, servers):
        before = sum(server.counts.done for server in servers)
        request = json.dumps({"id": "twice", "tool": "car_lock"}).encode()
        for _ in range(6):
            await panel.transport.publish(Topic("botpsy/request/anna"), request, qos=1)
        for _ in range(100):
            if panel.heard:
                break
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)
        assert sum(server.counts.done for server in servers) == before + 1
        assert {answer["status"] for answer in panel.heard} == {"done"}


@pytest.mark.broker
async def test_the_command_serves_until_it_is_told_to_end(tmp_path):
    broker = Mosquitto(tmp_path)
    car = DemoDevice("demo.car", broker.port)
    command = [sys.executable, "-m", "botpsy_core", "bridge", "--config", str(write(tmp_path, port=broker.port))]
    bridge = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE)
    panel = Panel(broker.port)
    try:
        await panel.start()
        while "serving" not in (line := (await bridge.stderr.readline()).decode()):
            assert line, "the bridge ended"
        await asyncio.sleep(0.5)
        assert (await panel.ask(id="1", text="lock the car"))["status"] == "done"
        bridge.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(bridge.wait(), 10) == 0
    finally:
        if bridge.returncode is None:
            bridge.kill()
        await panel.transport.close()
        car.stop()
        broker.stop()


def test_the_command_says_what_is_wrong_with_its_file(tmp_path):
    path = write(tmp_path)
    path.write_text(path.read_text().replace("profile: evcc", "profile: evc"))
    command = [sys.executable, "-m", "botpsy_core", "bridge", "--config", str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("botpsy: bridge.yaml, line 13: devices.1.profile: 'evc' is no profile")
