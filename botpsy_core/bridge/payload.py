"""Payloads, built from parts and checked; there is no template language to escape from."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from botpsy_core.bridge.template import NOTHING, Filling, Hole, HoleKind, Template
from botpsy_core.domain.values import JsonValue

MAX_BYTES = 4096


class InvalidPayload(ValueError):
    """The finished payload holds what its charset forbids."""


class Charset(StrEnum):
    """What a text payload may consist of."""

    TOKEN = "token"  # noqa: S105  a charset, no password
    """One word: letters, digits, `_ . + : -`."""
    WORDS = "words"
    """Words with single spaces between them."""
    LIST = "list"
    """Words with commas and `*`."""


_ALLOWED: Mapping[Charset, re.Pattern[str]] = {
    Charset.TOKEN: re.compile(r"[A-Za-z0-9_.+:-]{1,200}"),
    Charset.WORDS: re.compile(r"[A-Za-z0-9_.+:-]+(?: [A-Za-z0-9_.+:-]+)*"),
    Charset.LIST: re.compile(r"[A-Za-z0-9_.+:*-]+(?:,[A-Za-z0-9_.+:*-]+)*"),
}
_ONE_WORD = re.compile(r"[A-Za-z0-9_.+:-]{1,100}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPayload:
    """One line of text."""

    template: Template
    charset: Charset


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonPayload:
    """A JSON object; a hole is always a whole value and keeps its type."""

    tree: JsonValue
    """With `Template` text at the leaves, as written in the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyPayload:
    """No bytes: a query where the device takes it so."""


type Payload = TextPayload | JsonPayload | EmptyPayload


def build(payload: Payload, filling: Filling) -> bytes:
    """Return the bytes to publish; raise InvalidPayload. The error never shows a value, which may be secret."""
    match payload:
        case TextPayload():
            data = _text(payload, filling).encode()
        case JsonPayload():
            data = json.dumps(
                _tree(payload.tree, filling), ensure_ascii=True, allow_nan=False, separators=(",", ":")
            ).encode()
        case EmptyPayload():
            data = b""
        case _:
            assert_never(payload)
    if len(data) > MAX_BYTES:
        raise InvalidPayload(f"the payload has {len(data)} bytes, at most {MAX_BYTES} are allowed")
    return data


def bound(payload: Payload, variables: Mapping[str, str]) -> Payload:
    """Return the payload with the device's variables put in."""
    match payload:
        case TextPayload():
            return TextPayload(template=payload.template.bound(variables), charset=payload.charset)
        case JsonPayload():
            return JsonPayload(tree=_bound_tree(payload.tree, variables))
        case EmptyPayload():
            return payload
        case _:
            assert_never(payload)


def holes(payload: Payload) -> frozenset[Hole]:
    """Return everything that a call has to fill."""
    match payload:
        case TextPayload():
            return frozenset(payload.template.holes)
        case JsonPayload():
            return frozenset(h for leaf in _leaves(payload.tree) for h in Template.parse(leaf).holes)
        case EmptyPayload():
            return frozenset()
        case _:
            assert_never(payload)


def secrets_of(payload: Payload) -> frozenset[str]:
    """Return the names of the secrets that the payload holds."""
    return frozenset(h.name for h in holes(payload) if h.kind is HoleKind.SECRET)


def literals(payload: Payload) -> tuple[str, ...]:
    """Return the fixed texts, for the check that no toggle hides in them."""
    match payload:
        case TextPayload():
            return tuple(p for p in payload.template.parts if isinstance(p, str))
        case JsonPayload():
            return tuple(_leaves(payload.tree))
        case EmptyPayload():
            return ()
        case _:
            assert_never(payload)


def _text(payload: TextPayload, filling: Filling) -> str:
    """Fill each hole with one word, then check the whole."""
    for hole in payload.template.holes:
        value = filling.value(hole)
        if isinstance(value, str) and not _ONE_WORD.fullmatch(value):
            raise InvalidPayload(f"{hole.kind} {hole.name!r} is not one plain word")
    text = payload.template.text(filling)
    if not _ALLOWED[payload.charset].fullmatch(text):
        raise InvalidPayload(f"the payload is not a {payload.charset}")
    return text


def _tree(node: JsonValue, filling: Filling) -> JsonValue:
    """Fill the leaves of a JSON value."""
    match node:
        case str():
            found = Template.parse(node)
            if not found.holes:
                return node
            value = filling.value(found.holes[0])
            if isinstance(value, str) and any(ord(c) < 0x20 or ord(c) == 0x7F for c in value):
                raise InvalidPayload(f"{found.holes[0].kind} {found.holes[0].name!r} holds a control character")
            return value
        case Mapping():
            return {key: _tree(value, filling) for key, value in node.items()}
        case bool() | int() | float() | None:
            return node
        case _:
            return [_tree(value, filling) for value in node]


def _bound_tree(node: JsonValue, variables: Mapping[str, str]) -> JsonValue:
    """Put variables into the leaves; other holes stay as written."""
    match node:
        case str():
            found = Template.parse(node)
            if any(h.kind is HoleKind.VAR for h in found.holes):
                return found.bound(variables).text(NOTHING)
            return node
        case Mapping():
            return {key: _bound_tree(value, variables) for key, value in node.items()}
        case bool() | int() | float() | None:
            return node
        case _:
            return [_bound_tree(value, variables) for value in node]


def _leaves(node: JsonValue) -> Iterator[str]:
    """Yield every text in a JSON value."""
    match node:
        case str():
            yield node
        case Mapping():
            for value in node.values():
                yield from _leaves(value)
        case bool() | int() | float() | None:
            return
        case _:
            for value in node:
                yield from _leaves(value)
