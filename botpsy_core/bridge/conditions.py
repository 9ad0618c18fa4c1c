"""Whether a sentence about a signal is true, false, or not known."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from botpsy_core.bridge.device import Device
from botpsy_core.bridge.freshness import Inbox
from botpsy_core.bridge.profile_rules import argument_of
from botpsy_core.bridge.signals import Compare, Condition, Scalar
from botpsy_core.domain.values import JsonValue


class Truth(StrEnum):
    """What is known of a condition."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


def judge(condition: Condition, *, inbox: Inbox, device: Device, wire: Mapping[str, Scalar], proof: bool) -> Truth:
    """Judge a condition; with `proof`, only a live message that is young enough counts.

    `wire` holds the call's arguments as they are published.
    """
    signal = device.signals[condition.signal]
    max_age_s = min(condition.max_age_s or signal.max_age_s, signal.max_age_s)
    reading = inbox.reading(device, condition.signal)
    known = reading.proves(max_age_s) if proof else inbox.believable(device, condition.signal, max_age_s)
    if condition.compare is Compare.FRESH:
        return Truth.TRUE if reading.proves(max_age_s) else Truth.UNKNOWN
    if not known or reading.value is None:
        return Truth.UNKNOWN
    return Truth.TRUE if holds(condition, reading.value, wire) else Truth.FALSE


def holds(condition: Condition, value: Scalar, wire: Mapping[str, Scalar]) -> bool:
    """Return True if a known value fulfils the condition."""
    wanted = wanted_of(condition.value, wire)
    match condition.compare:
        case Compare.EQ:
            return _same(value, wanted)
        case Compare.NE:
            return not _same(value, wanted)
        case Compare.IN:
            return isinstance(wanted, Sequence) and not isinstance(wanted, str) and any(_same(value, w) for w in wanted)
        case Compare.LT | Compare.LE | Compare.GT | Compare.GE | Compare.APPROX:
            return _ordered(condition, value, wanted)
        case Compare.FRESH:
            return True
        case _:
            assert_never(condition.compare)


def wanted_of(value: JsonValue, wire: Mapping[str, Scalar]) -> JsonValue:
    """Return what is compared with, taken from the call where the profile says so."""
    name = argument_of(value)
    return value if name is None else wire.get(name)


def _ordered(condition: Condition, value: Scalar, wanted: JsonValue) -> bool:
    left, right = _number(value), _number(wanted)
    if left is None or right is None:
        return False
    match condition.compare:
        case Compare.LT:
            return left < right
        case Compare.LE:
            return left <= right
        case Compare.GT:
            return left > right
        case Compare.GE:
            return left >= right
        case _:
            return abs(left - right) <= condition.tolerance


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _same(value: Scalar, wanted: JsonValue) -> bool:
    """Compare without taking 1 for True; a number on the wire may be text."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, (int, float)):
        number = _number(wanted)
        return number is not None and abs(value - number) < 1e-9
    return value == wanted
