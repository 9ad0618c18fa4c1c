"""Texts with holes: `{var}`, `{arg:x}`, `{secret:x}`, `{txid}`. No expression language, nothing is evaluated."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from botpsy_core.bridge.secret import Secret
from botpsy_core.bridge.topics import Filter, Topic, segment

_HOLE = re.compile(r"\{(?:(?P<kind>arg|secret):)?(?P<name>[a-z][a-z0-9_]*)\}")
TXID = "txid"


class HoleKind(StrEnum):
    """What fills a hole."""

    VAR = "var"
    ARG = "arg"
    SECRET = "secret"  # noqa: S105  the word of the format, no password
    TXID = "txid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A place in a template."""

    kind: HoleKind
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What one publish puts into the holes."""

    args: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """Already encoded for the wire."""
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    txid: str = ""

    def value(self, hole: Hole) -> str | int | float | bool:
        """Return what belongs into a hole; raise KeyError for one that nothing fills."""
        match hole.kind:
            case HoleKind.ARG:
                return self.args[hole.name]
            case HoleKind.SECRET:
                return self.secrets[hole.name].reveal()
            case HoleKind.TXID:
                return self.txid
            case HoleKind.VAR:
                raise KeyError(hole.name)
            case _:
                assert_never(hole.kind)


NOTHING = Filling()
"""For a template that was bound and has no hole left."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text in parts; variables are put in once, when a device is bound."""

    parts: tuple[str | Hole, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Split a text at its holes; raise ValueError for a brace that is none."""
        return cls(tuple(_parts(text)))

    @property
    def holes(self) -> tuple[Hole, ...]:
        """Return the holes in order."""
        return tuple(p for p in self.parts if isinstance(p, Hole))

    @property
    def is_pattern(self) -> bool:
        """Return True if the text differs from call to call."""
        return bool(self.holes)

    def bound(self, variables: Mapping[str, str]) -> Template:
        """Return the template with its variables put in; raise KeyError for one that has no value."""
        parts: list[str] = []
        done: list[str | Hole] = []
        for part in self.parts:
            if isinstance(part, Hole) and part.kind is not HoleKind.VAR:
                if parts:
                    done.append("".join(parts))
                    parts = []
                done.append(part)
            else:
                parts.append(part if isinstance(part, str) else variables[part.name])
        if parts:
            done.append("".join(parts))
        return Template(tuple(done))

    def text(self, filling: Filling) -> str:
        """Return the whole text."""
        if len(self.parts) == 1 and isinstance(self.parts[0], str):
            return self.parts[0]
        return "".join(p if isinstance(p, str) else _word(filling.value(p)) for p in self.parts)

    def topic(self, filling: Filling) -> Topic:
        """Return the topic; each hole is one level, never more. Raises InvalidTopic."""
        return Topic("".join(p if isinstance(p, str) else segment(_word(filling.value(p))) for p in self.parts))

    def filter(self) -> Filter:
        """Return what to subscribe to so that every filling is heard."""
        text = "".join(p if isinstance(p, str) else "\0" for p in self.parts)
        return Filter("/".join("+" if "\0" in level else level for level in text.split("/")))


def fixed(text: str, variables: Mapping[str, str]) -> str:
    """Return a text that holds variables only, with them put in."""
    return Template.parse(text).bound(variables).text(NOTHING)


def _parts(text: str) -> Iterator[str | Hole]:
    """Yield runs of text and holes in turn."""
    at = 0
    for found in _HOLE.finditer(text):
        if found.start() > at:
            yield _plain(text[at : found.start()])
        name = found["name"]
        kind = HoleKind(found["kind"]) if found["kind"] else HoleKind.TXID if name == TXID else HoleKind.VAR
        yield Hole(kind=kind, name=name)
        at = found.end()
    if at < len(text):
        yield _plain(text[at:])


def _plain(text: str) -> str:
    """Refuse a brace outside a hole: it is a typing error, or an attempt."""
    if "{" in text or "}" in text:
        raise ValueError(
            f"{text!r} holds a brace that is no placeholder; write {{var}}, {{arg:x}}, {{secret:x}} or {{txid}}"
        )
    return text


def _word(value: str | float | bool) -> str:  # noqa: FBT001  a value of the wire, no switch
    """Return a value as it is written on the wire."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
