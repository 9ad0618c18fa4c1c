"""The inside of a block of calls, read strictly."""

import json
from collections.abc import Callable

from botpsy_core.dialect.families import Family, Values
from botpsy_core.dialect.read_list import read_list
from botpsy_core.dialect.signals import Incomplete, Unreadable
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.values import JsonValue, no_constant, unique_keys

_LONGEST = 20_000
"""Characters of a block that are still read; no honest call is longer."""

_DEEPEST = 16
"""Levels of lists and objects in an argument."""

_SECTION, _SECTION_END = "<![CDATA[", "]]>"


def read_block(family: Family, body: str) -> tuple[RawCall, ...]:
    """Return the calls of one block, without the markers around it; raise Incomplete or Unreadable."""
    if len(body) > _LONGEST:
        raise Unreadable
    calls: tuple[RawCall, ...]
    match family.values:
        case Values.JSON:
            calls = (_from_json(body),)
        case Values.PYTHON:
            calls = read_list(body)
        case Values.RAW:
            calls = (_Tags(family, body, _raw_value).call(),)
        case Values.CDATA:
            calls = (_Tags(family, body, _cdata_value).call(),)
    for call in calls:
        _check(call)
    return calls


def _check(call: RawCall) -> None:
    """Raise Unreadable for values nested beyond sense and for text that no file or wire could hold."""
    if _depth(call.args) > _DEEPEST:
        raise Unreadable
    try:
        json.dumps([call.name, call.args], ensure_ascii=False).encode()
    except UnicodeEncodeError as fault:
        raise Unreadable from fault


def _depth(value: JsonValue) -> int:
    """Return how deep a value is nested, without recursing into a hostile one."""
    level: list[JsonValue] = [value]
    for depth in range(_DEEPEST + 2):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return depth
    return _DEEPEST + 1


def _from_json(body: str) -> RawCall:
    try:
        found = json.loads(body, object_pairs_hook=unique_keys, parse_constant=no_constant, strict=False)
    except json.JSONDecodeError as fault:
        raise (Incomplete if fault.msg.startswith("Unterminated string") else Unreadable) from fault
    except (ValueError, RecursionError) as fault:
        raise Unreadable from fault
    if not isinstance(found, dict) or found.keys() != {"name", "arguments"}:
        raise Unreadable
    name, args = found["name"], found["arguments"]
    if not isinstance(name, str) or not isinstance(args, dict):
        raise Unreadable
    return RawCall(name=name, args=args)


type _ReadValue = Callable[[Family, str, int], tuple[str, int]]
"""Family, text and where a value begins -> the value and where what follows its closing marker begins."""


class _Tags:
    """A call whose arguments stand between tags."""

    def __init__(self, family: Family, text: str, value: _ReadValue) -> None:
        self._family = family
        self._text = text
        self._value = value
        self._at = 0

    def call(self) -> RawCall:
        """Return the call that is the whole text."""
        f = self._family
        self._expect(f.name_open)
        name = self._until(f.name_close.rstrip())
        args: dict[str, JsonValue] = {}
        while not self._found(f.end):
            self._expect(f.arg_open)
            key = self._until(f.arg_mid.rstrip())
            if key in args:
                raise Unreadable
            args[key], self._at = self._value(f, self._text, self._at)
        if self._text[self._at :].strip():
            raise Unreadable
        return RawCall(name=name, args=args)

    def _found(self, marker: str) -> bool:
        at = _skip_space(self._text, self._at)
        if not self._text.startswith(marker, at):
            return False
        self._at = at + len(marker)
        return True

    def _expect(self, marker: str) -> None:
        if not self._found(marker):
            raise Unreadable

    def _until(self, marker: str) -> str:
        end = self._text.find(marker, self._at)
        if end < 0:
            raise Unreadable
        found, self._at = self._text[self._at : end], end + len(marker)
        return found


def _raw_value(family: Family, text: str, at: int) -> tuple[str, int]:
    """Read up to the first closing marker after which the call goes on."""
    close = family.arg_close.strip()
    end = text.find(close, at)
    while end >= 0:
        after = end + len(close)
        if text.startswith((family.arg_open, family.end), _skip_space(text, after)):
            return text[at:end].removeprefix("\n").removesuffix("\n"), after
        end = text.find(close, after)
    raise Incomplete


def _cdata_value(family: Family, text: str, at: int) -> tuple[str, int]:
    """Read plain text, or CDATA sections one after another."""
    sections: list[str] = []
    while text.startswith(_SECTION, at):
        end = text.find(_SECTION_END, at)
        if end < 0:
            raise Incomplete
        sections.append(text[at + len(_SECTION) : end])
        at = end + len(_SECTION_END)
    end = text.find(family.arg_close, at)
    if end < 0 or "<" in text[at:end] or (sections and end != at):
        raise Unreadable
    return "".join(sections) or text[at:end], end + len(family.arg_close)


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
