"""Broken payloads of every kind for every topic of every shipped profile."""

import random

from bridge_bench import FrozenClock
from simulators import SIMULATORS

from botpsy_core.bridge import InMemoryTransport, ProfileToolbox
from botpsy_core.bridge.signals import SignalType
from botpsy_core.bridge.template import Filling

DEVICES = [s.device(f"d{i}") for i, s in enumerate(SIMULATORS)]
SIGNALS = [(d, s) for d in DEVICES for s in d.signals.values()]


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


async def fuzz(count: int, *, seed: int) -> int:
    """Send broken states and answers and fail where one means something wrong; return how many meant something."""
    rng = random.Random(seed)
    clock = FrozenClock()
    transport = InMemoryTransport(clock)
    toolbox = ProfileToolbox(DEVICES, transport, clock)
    await toolbox.start()
    commands = [c for d in DEVICES for c in d.commands.values()]
    answers = [c.ack.topic.text(Filling(txid="0")) for c in commands if c.ack.topic]
    answers += [c.verify.negative.topic.text(Filling()) for c in commands if c.verify and c.verify.negative]
    understood = 0
    for _ in range(count // 2):
        device, signal = rng.choice(SIGNALS)
        transport._deliver(signal.topic.text(Filling()), fuzzed(rng), retain=rng.random() < 0.2)
        transport._deliver(rng.choice(answers), fuzzed(rng), retain=rng.random() < 0.2)
        reading = toolbox.reading(device.slug, signal.name)
        assert reading.value is None or sound(signal, reading.value), (signal.name, reading)
        understood += reading.value is not None
    toolbox.entities()
    assert transport.published == []
    return understood
