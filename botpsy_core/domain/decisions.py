"""What the model's text says, once parsed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from botpsy_core.domain.values import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCall:
    """A call as written: labels for targets, nothing checked."""

    name: str
    args: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Plain text outside any call and any thinking."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """Text inside a thinking block; never spoken."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """The beginning of a call that did not become one; never spoken."""

    text: str


type Item = RawCall | Said | Thought | Malformed
