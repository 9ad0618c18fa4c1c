import json

import pytest
from bridge_bench import FrozenClock
from fuzzing import DEVICES, fuzz

from botpsy_core.bridge.freshness import Inbox
from botpsy_core.bridge.parse import value_of
from botpsy_core.bridge.template import Filling
from botpsy_core.bridge.transport import Message

OVMS = next(d for d in DEVICES if d.profile.id == "ovms_v3")


@pytest.mark.parametrize(
    ("name", "payload", "value"),
    [
        ("locked", "yes", True),
        ("locked", "no", False),
        ("locked", "YES", None),
        ("locked", "1", None),
        ("locked", "", None),
        ("speed", "0", 0),
        ("speed", "12.5", 12.5),
        ("speed", " 7 \n", 7),
        ("speed", "-1", None),
        ("speed", "301", None),
        ("speed", "NaN", None),
        ("speed", "inf", None),
        ("speed", "1e999", None),
        ("speed", "0x10", None),
        ("speed", "1_0", None),
        ("speed", "٣", None),
        ("speed", "12 km/h", None),
        ("speed", "9" * 5000, None),
        ("module_time", "1796040000", 1796040000),
        ("module_time", "2026-11-30T12:00:00+00:00", 1796040000),
        ("module_time", "2026-11-30T12:00:00", None),
        ("module_time", "-5", None),
    ],
)
def test_a_payload_is_a_right_value_or_unknown(name, payload, value):
    assert value_of(OVMS.signals[name], payload.encode()) == value


async def test_fuzzed_states_and_answers_crash_nothing_mean_nothing_wrong_and_cause_nothing():
    assert await fuzz(20_000, seed=8) > 100


def test_a_snapshot_never_replaces_what_is_live_and_is_never_live_itself():
    clock = FrozenClock()
    inbox = Inbox([OVMS], clock)
    topic = OVMS.signals["speed"].topic.text(Filling())

    def say(payload, *, retain):
        inbox.receive(Message(topic=topic, payload=payload, retain=retain, received=clock.monotonic()))

    say(b"3", retain=True)
    assert (inbox.reading(OVMS, "speed").value, inbox.reading(OVMS, "speed").live) == (3, False)
    assert inbox.reading(OVMS, "speed").age_s is None
    say(b"5", retain=False)
    clock.shift(10)
    say(b"0", retain=True)
    reading = inbox.reading(OVMS, "speed")
    assert (reading.value, reading.live, round(reading.age_s)) == (5, True, 10)
    assert reading.proves(10.5)
    assert not reading.proves(9)


def test_a_signal_that_may_not_be_kept_ignores_its_snapshot():
    garage = next(d for d in DEVICES if d.profile.id == "zigbee2mqtt_garage")
    clock = FrozenClock()
    inbox = Inbox([garage], clock)
    topic = garage.signals["obstructed"].topic.text(Filling())
    inbox.receive(Message(topic=topic, payload=json.dumps({"obstructed": False}).encode(), retain=True, received=0.0))
    assert inbox.reading(garage, "obstructed").value is None


def test_a_kept_value_is_believed_for_a_no_op_only_while_the_devices_clock_ticks():
    evcc = next(d for d in DEVICES if d.profile.id == "evcc")
    clock = FrozenClock()
    inbox = Inbox([evcc], clock)

    def say(name, payload, *, retain=True):
        inbox.receive(Message(topic=name, payload=payload.encode(), retain=retain, received=clock.monotonic()))

    say("evcc/status", "online")
    say("evcc/loadpoints/1/mode", "pv")
    assert not inbox.believable(evcc, "mode", 60)
    say("evcc/updated", str(int(clock.now().timestamp())))
    assert inbox.believable(evcc, "mode", 60)
    clock.shift(3600)
    assert not inbox.believable(evcc, "mode", 60)
    say("evcc/updated", "1", retain=False)
    assert inbox.believable(evcc, "mode", 60)
    say("evcc/status", "offline")
    assert not inbox.believable(evcc, "mode", 60)
