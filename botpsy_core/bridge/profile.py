"""A kind of device, as its profile file describes it; every value here has passed the schema."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from jsonschema import Draft202012Validator

from botpsy_core.bridge.payload import Payload
from botpsy_core.bridge.signals import Availability, Condition, Scalar, Signal, Var
from botpsy_core.bridge.template import Template
from botpsy_core.domain.tools import Risk
from botpsy_core.domain.values import JsonObject


class AckKind(StrEnum):
    """How a device says that it took a command."""

    RESPONSE_TOPIC = "response_topic"
    TARGET_ECHO = "target_echo"
    CONSUMED_ECHO = "consumed_echo"
    NONE = "none"


class Correlate(StrEnum):
    """How an answer is known to be ours."""

    TOPIC_SEGMENT = "topic_segment"
    JSON_PATH = "json_path"
    V5_CORRELATION_DATA = "v5_correlation_data"
    SINGLE_FLIGHT = "single_flight"
    """By nothing but being alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """What an answer looks like."""

    kind: AckKind
    topic: Template | None = None
    correlate: Correlate = Correlate.SINGLE_FLIGHT
    path: str | None = None
    timeout_s: float = 10.0
    success: re.Pattern[str] | None = None
    failure: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """A topic where failures are told in words."""

    topic: Template
    regex: str
    """With the device's variables still as holes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """The live state that proves the effect."""

    condition: Condition
    within_s: float
    optimistic: bool = False
    """True if the state is told before the device did anything: it proves nothing without an answer."""
    negative: Negative | None = None


class ConfirmLevel(StrEnum):
    """What a person has to say before."""

    NONE = "none"
    YES = "yes"
    PIN = "pin"


class Encoding(StrEnum):
    """How an argument is written on the wire."""

    INT = "int"
    FLOAT1 = "float1"
    ISO8601_UTC = "iso8601_utc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encode:
    """From an argument to the wire."""

    map: Mapping[str, Scalar] | None = None
    format: Encoding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing that the device can be told."""

    name: str
    description: str
    polarity: str
    risk: Risk
    topic: Template
    payload: Payload
    ack: Ack
    resend: bool
    """True if it may go out once more, under a new id, when no answer came."""
    min_interval_s: float
    per_hour: int
    args: JsonObject
    validator: Draft202012Validator = field(compare=False, repr=False)
    """Of `args`; made once, a command is checked several times."""
    encode: Mapping[str, Encode] = field(default_factory=dict)
    expiry_s: int | None = None
    preconditions: tuple[Condition, ...] = ()
    noop_if: Condition | None = None
    verify: Verify | None = None
    confirm: ConfirmLevel = ConfirmLevel.NONE
    readback: str = ""
    confirm_ttl_s: float | None = None
    enabled_by_default: bool = True
    about: str | None = None
    """The signal that people name when they mean this command: the charge flap, not the car."""
    cues: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refresh:
    """A read request after which the device tells its values anew."""

    topic: Template
    payload: Payload
    wakes_device: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One kind of device."""

    id: str
    title: str
    domain: str
    vars: Mapping[str, Var]
    availability: tuple[Availability, ...]
    signals: Mapping[str, Signal]
    commands: Mapping[str, Command]
    source: str
    """The file, for messages."""
    device_class: str | None = None
    secrets: tuple[str, ...] = ()
    clock: str | None = None
    """The signal that ticks while the device lives."""
    refresh: Refresh | None = None
    deny_topics: tuple[Template, ...] = ()
