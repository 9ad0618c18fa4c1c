"""From a payload to a value that is right, or to None: unknown. Nothing here raises, whatever the bytes are."""

import json
import math
import re
from datetime import datetime
from typing import assert_never

from botpsy_core.bridge.signals import Parse, ParseKind, Scalar, Signal, SignalType
from botpsy_core.bridge.untrusted import quoted
from botpsy_core.domain.values import JsonValue

MAX_BYTES = 64 * 1024
_MAX_TEXT = 1024
_NUMBER = re.compile(r"[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_STEP = re.compile(r"\.([A-Za-z0-9_-]+)|\[(\d+)\]")


def value_of(signal: Signal, payload: bytes) -> Scalar | None:
    """Return the signal's value, or None where the payload does not say one."""
    raw = _extract(signal.parse, payload)
    if raw is None:
        return None
    if signal.parse.map is not None:
        raw = signal.parse.map.get(_as_word(raw))
        if raw is None:
            return None
    return _typed(signal, raw)


def text_at(payload: bytes, path: str | None) -> str | None:
    """Return the text of a payload, or of a place in its JSON; None where there is none."""
    text = decoded(payload)
    if text is None or path is None:
        return text
    raw = json_at(text, path)
    return _as_word(raw) if isinstance(raw, (bool, int, float, str)) else None


def decoded(payload: bytes) -> str | None:
    """Return the payload as text without control characters, or None."""
    if not payload or len(payload) > MAX_BYTES:
        return None
    try:
        text = payload.decode("utf-8").strip(" \t\r\n")
    except UnicodeDecodeError:
        return None
    return text if text and not any(ord(c) < 0x20 and c not in "\t\r\n" for c in text) else None


def json_at(text: str, path: str) -> JsonValue:
    """Return what stands at `$.a.b[0]` of a JSON text, or None; at `$` stands the text itself."""
    if path == "$":
        return text if len(text) <= _MAX_TEXT else None
    try:
        node = json.loads(text, parse_constant=_refuse)
    except ValueError, RecursionError:
        return None
    for key, index in _STEP.findall(path):
        if key and isinstance(node, dict):
            node = node.get(key)
        elif index and isinstance(node, list) and int(index) < len(node):
            node = node[int(index)]
        else:
            return None
    found: JsonValue = node
    return found


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which are no JSON."""
    raise ValueError(constant)


def _extract(parse: Parse, payload: bytes) -> Scalar | None:
    """Return the raw scalar."""
    text = decoded(payload)
    if text is None:
        return None
    match parse.kind:
        case ParseKind.TEXT:
            return text[:_MAX_TEXT] if len(text) <= _MAX_TEXT else None
        case ParseKind.JSON:
            raw = json_at(text, parse.path or "$")
            return raw if isinstance(raw, (bool, int, float, str)) else None
        case ParseKind.CSV:
            cells = text.split(",", 256)
            return cells[parse.index].strip() if parse.index < len(cells) else None
        case ParseKind.REGEX:
            found = parse.regex.search(text[:_MAX_TEXT]) if parse.regex else None
            return (found[1] if found.re.groups else found[0]) if found else None
        case _:
            assert_never(parse.kind)


def _typed(signal: Signal, raw: Scalar) -> Scalar | None:
    """Return the value in the signal's type and range, or None."""
    match signal.type:
        case SignalType.BOOL:
            return raw if isinstance(raw, bool) else None
        case SignalType.NUMBER:
            return _number(signal, raw)
        case SignalType.TIMESTAMP:
            return _timestamp(raw)
        case SignalType.ENUM:
            word = _as_word(raw)
            return word if word in signal.values else None
        case SignalType.TEXT:
            return quoted(raw) or None if isinstance(raw, str) else None
        case _:
            assert_never(signal.type)


def _finite(raw: Scalar) -> float | None:
    """Return a finite number, or None; a boolean is none."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, str):
        if not _NUMBER.fullmatch(raw.strip()):
            return None
        raw = float(raw)
    try:
        number = float(raw)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _number(signal: Signal, raw: Scalar) -> int | float | None:
    """Scale a number and hold it against its range."""
    number = _finite(raw)
    if number is None:
        return None
    number = number * signal.parse.scale + signal.parse.offset
    if (signal.minimum is not None and number < signal.minimum) or (
        signal.maximum is not None and number > signal.maximum
    ):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _timestamp(raw: Scalar) -> float | None:
    """Return seconds since 1970 from such seconds or from ISO 8601 with an offset."""
    if isinstance(raw, str) and not _NUMBER.fullmatch(raw.strip()):
        try:
            moment = datetime.fromisoformat(raw)
        except ValueError:
            return None
        return moment.timestamp() if moment.tzinfo is not None else None
    number = _finite(raw)
    return number if number is not None and 0 < number < 1e11 else None


def _as_word(raw: Scalar) -> str:
    """Return a scalar as the maps of a profile write it."""
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return raw.strip() if isinstance(raw, str) else str(raw)
