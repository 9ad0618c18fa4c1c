"""MQTT topic names and filters as values that cannot be wrong."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_BYTES = 1024
"""Far below MQTT's 65,535: no profile needs more, and a longer one is an attack or a mistake."""


_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class InvalidTopic(ValueError):
    """The text is no topic name or filter that we would ever use."""


def _check(text: str, *, what: str) -> None:
    """Raise InvalidTopic for what neither a name nor a filter may hold."""
    if not text:
        raise InvalidTopic(f"{what} is empty")
    if _FORBIDDEN.search(text):
        raise InvalidTopic(f"{what} {text[:80]!r} holds a control character")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidTopic(f"{what} {text[:80]!r} is no UTF-8") from error
    if size > MAX_BYTES:
        raise InvalidTopic(f"{what} has {size} bytes, at most {MAX_BYTES} are allowed")


@dataclass(frozen=True, slots=True)
class Topic:
    """A name to publish to: no wildcard, no control character, not below `$`."""

    name: str

    def __post_init__(self) -> None:
        """Raise InvalidTopic."""
        _check(self.name, what="topic")
        if "+" in self.name or "#" in self.name:
            raise InvalidTopic(f"topic {self.name!r} holds a wildcard")
        if self.name.startswith("$"):
            raise InvalidTopic(f"topic {self.name!r} belongs to the broker")

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Filter:
    """What to subscribe to: wildcards as whole levels, `#` last; `$share/<group>/` may stand in front."""

    pattern: str
    bare: str = field(init=False, compare=False, repr=False)
    """The filter without its shared-subscription group."""
    exact: bool = field(init=False, compare=False, repr=False)
    """True if only one topic matches."""

    def __post_init__(self) -> None:
        """Raise InvalidTopic."""
        _check(self.pattern, what="filter")
        bare = _without_group(self.pattern)
        object.__setattr__(self, "bare", bare)
        object.__setattr__(self, "exact", "+" not in bare and "#" not in bare)
        if not bare:
            raise InvalidTopic(f"filter {self.pattern!r} names no topic")
        if bare.startswith("$"):
            raise InvalidTopic(f"filter {self.pattern!r} belongs to the broker")
        levels = bare.split("/")
        for place, level in enumerate(levels):
            if level == "#" and place == len(levels) - 1:
                continue
            if level != "+" and ("+" in level or "#" in level):
                raise InvalidTopic(f"filter {self.pattern!r} has a wildcard inside a level")

    def __str__(self) -> str:
        return self.pattern

    def matches(self, topic: str) -> bool:
        """Return True if a message on that topic belongs to this filter."""
        if self.exact:
            return topic == self.bare
        return _match(iter(self.bare.split("/")), iter(topic.split("/")), first=True)


def _without_group(pattern: str) -> str:
    """Return what stands behind `$share/<group>/`."""
    if not pattern.startswith("$share/"):
        return pattern
    return pattern.split("/", 2)[2] if pattern.count("/") >= 2 else ""


def _match(pattern: Iterator[str], levels: Iterator[str], *, first: bool) -> bool:
    """Compare level by level; wildcards never match a first level that starts with `$`."""
    for wanted in pattern:
        level = next(levels, None)
        if wanted == "#":
            return not (first and level is not None and level.startswith("$"))
        if level is None or (wanted not in ("+", level)) or (wanted == "+" and first and level.startswith("$")):
            return False
        first = False
    return next(levels, None) is None


def segment(text: str) -> str:
    """Return a text that is one safe topic level; raise InvalidTopic."""
    _check(text, what="topic level")
    if any(c in "/+#" for c in text):
        raise InvalidTopic(f"topic level {text[:80]!r} holds one of / + #")
    return text
