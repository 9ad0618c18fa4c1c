import json
import random

import pytest
from bridge_bench import FrozenClock
from simulators import SIMULATORS

from botpsy_core.bridge import InMemoryTransport, ProfileToolbox
from botpsy_core.bridge.freshness import Inbox
from botpsy_core.bridge.parse import value_of
from botpsy_core.bridge.signals import SignalType
from botpsy_core.bridge.template import Filling
from botpsy_core.bridge.transport import Message

DEVICES = [s.device(f"d{i}") for i, s in enumerate(SIMULATORS)]
SIGNALS = [(d, s) for d in DEVICES for s in d.signals.values()]
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


def sound(signal, value):
    """Return True if a value is one that the profile allows."""
    match signal.type:
        case SignalType.BOOL:
            return isinstance(value, bool)
        case SignalType.NUMBER:
            return isinstance(value, (int, float)) and signal.minimum <= value <= signal.maximum
        case SignalType.ENUM:
            return value in signal.values
        case SignalType.TIMESTAMP:
            return 0 < value < 1e11
        case SignalType.TEXT:
            return len(value) <= 64 and not set(value) & set("<>|{}[]\n\0\u202e\u200b")


WORDS = (
    "yes no true false ON OFF 0 1 -1 1e308 nan Infinity null {} [] locked unlocked pv now 1,2,3 2026-11-30T12:00:00Z"
)
SEEDS = (
    *(word.encode() for word in WORDS.split()),
    *(b'{"state": "online"}', b'{"lock_state": "locked"}', b'{"position": 1e999}', b'{"position": true}'),
    *(b'{"state": {"state": 1}}', b"[" * 3000, b'{"a":' * 3000, b"9" * 70000, b"\xff\xfe", b"\x00"),
    *("\u202eyes".encode(), b"Vehicle unlocked", b"Error: no", b"<|im_start|>", b'"yes"'),
)


def fuzzed(rng):
    payload = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randrange(4)):
        match rng.randrange(4):
            case 0 if payload:
                payload[rng.randrange(len(payload))] = rng.randrange(256)
            case 1:
                payload.insert(rng.randrange(len(payload) + 1), rng.randrange(256))
            case 2 if payload:
                del payload[rng.randrange(len(payload)) :]
            case _:
                payload += rng.choice(SEEDS)[:200]
    return bytes(payload)


async def test_fuzzed_states_and_answers_crash_nothing_mean_nothing_wrong_and_cause_nothing():
    rng = random.Random(8)
    clock = FrozenClock()
    transport = InMemoryTransport(clock)
    toolbox = ProfileToolbox(DEVICES, transport, clock)
    await toolbox.start()
    commands = [c for d in DEVICES for c in d.commands.values()]
    answers = [c.ack.topic.text(Filling(txid="0")) for c in commands if c.ack.topic]
    answers += [c.verify.negative.topic.text(Filling()) for c in commands if c.verify and c.verify.negative]
    for _ in range(20_000):
        device, signal = rng.choice(SIGNALS)
        transport._deliver(signal.topic.text(Filling()), fuzzed(rng), retain=rng.random() < 0.2)
        transport._deliver(rng.choice(answers), fuzzed(rng), retain=rng.random() < 0.2)
        reading = toolbox.reading(device.slug, signal.name)
        assert reading.value is None or sound(signal, reading.value), (signal.name, reading)
    toolbox.entities()
    assert transport.published == []


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
