"""A list of calls in Python's notation; nothing of it is ever evaluated as code."""

import json
import re
from collections.abc import Iterator

from botpsy_core.dialect.signals import Incomplete, Unreadable
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.values import JsonValue

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))
    | (?P<name>[^\W\d][\w.\-]*)
    | (?P<mark>[\[\](){}=,:])
    )""",
    re.VERBOSE | re.DOTALL,
)
_WORDS: dict[str, JsonValue] = {
    "True": True,
    "False": False,
    "None": None,
    "true": True,
    "false": False,
    "null": None,
}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", '"': '"', "'": "'", "/": "/"}
_END = ("end", "")


def read_list(text: str) -> tuple[RawCall, ...]:
    """Return the calls of `[name(key=value, ...), ...]`; raise Incomplete or Unreadable."""
    return _Reader(text).calls()


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            raise Incomplete if text[at:].lstrip()[0] in "\"'" else Unreadable
        yield found.lastgroup or "", found[found.lastgroup or 0]
        at = found.end()


class _Reader:
    """A walk over the tokens of one list."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0

    def calls(self) -> tuple[RawCall, ...]:
        """Return all calls."""
        self._mark("[")
        found = [self._call()]
        while not self._is("]"):
            self._mark(",")
            found.append(self._call())
        self._mark("]")
        if self._next() != _END:
            raise Unreadable
        return tuple(found)

    def _call(self) -> RawCall:
        name = self._name()
        self._mark("(")
        args: dict[str, JsonValue] = {}
        while not self._is(")"):
            if args:
                self._mark(",")
            key = self._name()
            self._mark("=")
            if key in args:
                raise Unreadable
            args[key] = self._value()
        self._mark(")")
        return RawCall(name=name, args=args)

    def _value(self, depth: int = 0) -> JsonValue:
        if depth > 16:
            raise Unreadable
        match self._next():
            case "string", text:
                return _string(text)
            case "number", text:
                return _number(text)
            case "name", word if word in _WORDS:
                return _WORDS[word]
            case "mark", "[":
                return self._items(depth)
            case "mark", "{":
                return self._pairs(depth)
            case _:
                raise Unreadable

    def _items(self, depth: int) -> JsonValue:
        items: list[JsonValue] = []
        while not self._is("]"):
            if items:
                self._mark(",")
            items.append(self._value(depth + 1))
        self._mark("]")
        return items

    def _pairs(self, depth: int) -> JsonValue:
        pairs: dict[str, JsonValue] = {}
        while not self._is("}"):
            if pairs:
                self._mark(",")
            key = self._value(depth + 1)
            self._mark(":")
            if not isinstance(key, str) or key in pairs:
                raise Unreadable
            pairs[key] = self._value(depth + 1)
        self._mark("}")
        return pairs

    def _next(self) -> tuple[str, str]:
        token = self._tokens[self._at] if self._at < len(self._tokens) else _END
        self._at += 1
        return token

    def _is(self, mark: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at] == ("mark", mark)

    def _mark(self, mark: str) -> None:
        if self._next() != ("mark", mark):
            raise Unreadable

    def _name(self) -> str:
        kind, text = self._next()
        if kind != "name":
            raise Unreadable
        return text


def _string(text: str) -> str:
    found = _ESCAPE.sub(_unescaped, text[1:-1])
    try:
        return found.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as fault:
        raise Unreadable from fault


def _unescaped(escape: re.Match[str]) -> str:
    """Return what an escape stands for; an unknown one for itself, as Python has it."""
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else _ESCAPES.get(escape[3], escape[0])


def _number(text: str) -> JsonValue:
    try:
        return json.loads(text)  # type: ignore[no-any-return]  # a number by the token's pattern
    except ValueError as fault:
        raise Unreadable from fault
