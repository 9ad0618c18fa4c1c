"""What a device tells, as its profile describes it: variables, availability, signals, conditions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from botpsy_core.bridge.template import Template
from botpsy_core.domain.values import JsonValue

type Scalar = bool | int | float | str


class VarKind(StrEnum):
    """What a variable may hold."""

    TOPIC_PREFIX = "topic_prefix"
    TOPIC_SEGMENT = "topic_segment"
    WORD = "word"
    JSON_PATH = "json_path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Var:
    """Something that differs from one owner's device to the next."""

    kind: VarKind
    title: str
    default: str | None = None
    example: str = ""
    generate: bool = False
    """True if an own value is made for every installation."""
    pattern: re.Pattern[str] | None = None
    discover: str | None = None
    """A filter that shows which values exist, `+` standing for the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """A topic that says whether bridge or device is there."""

    topic: Template
    online: frozenset[str]
    offline: frozenset[str]
    path: str | None = None
    anything: bool = False
    """True if any message on the topic shows that the device is there."""
    device: bool = True
    """False if it speaks for the bridge between broker and device."""


class ParseKind(StrEnum):
    """How a value stands in a payload."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    REGEX = "regex"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parse:
    """From bytes to one scalar."""

    kind: ParseKind
    path: str | None = None
    """`$.a[0]`; `$` for the whole payload, JSON or not; a variable until the device is bound."""
    index: int = 0
    regex: re.Pattern[str] | None = None
    map: Mapping[str, Scalar] | None = None
    """What is not in it is unknown."""
    scale: float = 1.0
    offset: float = 0.0


class SignalType(StrEnum):
    """What a signal's value is."""

    BOOL = "bool"
    NUMBER = "number"
    ENUM = "enum"
    TIMESTAMP = "timestamp"
    TEXT = "text"


class Retained(StrEnum):
    """What a snapshot of unknown age may be used for; never for a precondition."""

    DISPLAY_ONLY = "display_only"
    USABLE_IF_ONLINE = "usable_if_online"
    NEVER = "never"


class Shown(StrEnum):
    """How a signal may reach the model."""

    VALUE = "value"
    HIDDEN = "hidden"
    QUOTED_UNTRUSTED = "quoted_untrusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One measured value."""

    name: str
    title: str
    topic: Template
    parse: Parse
    type: SignalType
    max_age_s: int
    retained: Retained
    shown: Shown
    unit: str | None = None
    device_class: str | None = None
    values: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    """How a value is said: `true` -> "locked"."""
    minimum: float | None = None
    maximum: float | None = None
    private: bool = False
    """True for places and the like."""


class Compare(StrEnum):
    """How a signal is compared."""

    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    IN = "in"
    FRESH = "fresh"
    APPROX = "approx"


class OnUnknown(StrEnum):
    """What an unknown or old state means for a precondition."""

    REFUSE = "refuse"
    CONFIRM = "confirm"
    ALLOW = "allow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A sentence about one signal."""

    signal: str
    compare: Compare
    value: JsonValue = None
    """May be `{arg:x}`: what the call asks for."""
    tolerance: float = 0.0
    max_age_s: int | None = None
    on_unknown: OnUnknown = OnUnknown.REFUSE
    say: str = ""
    say_unknown: str = ""
