"""From a call's arguments to what goes on the wire."""

from collections.abc import Mapping
from datetime import UTC, datetime

from jsonschema.exceptions import best_match

from botpsy_core.bridge.profile import Command, Encode, Encoding
from botpsy_core.bridge.signals import Scalar
from botpsy_core.domain.values import JsonValue
from botpsy_core.errors import BadArguments


def wire_arguments(command: Command, args: Mapping[str, JsonValue]) -> Mapping[str, Scalar]:
    """Return the arguments as they are published; raise BadArguments."""
    # what is right is told at once; to word what is wrong takes ten times as long
    if not command.validator.is_valid(dict(args)) and (error := best_match(command.validator.iter_errors(dict(args)))):
        raise BadArguments(".".join(str(p) for p in error.absolute_path) or "arguments", error.message[:160])
    return {name: _wire(name, value, command.encode.get(name)) for name, value in args.items()}


def _wire(name: str, value: JsonValue, encode: Encode | None) -> Scalar:
    """Return one argument on the wire."""
    if not isinstance(value, (str, int, float, bool)):
        raise BadArguments(name, "is no plain value")
    if encode is None:
        return value
    if encode.map is not None:
        if str(value) not in encode.map:
            raise BadArguments(name, f"{value!r} has no word on the wire")
        return encode.map[str(value)]
    match encode.format:
        case Encoding.INT if not isinstance(value, str):
            return round(value)
        case Encoding.FLOAT1 if not isinstance(value, str):
            return round(float(value), 1)
        case Encoding.ISO8601_UTC if isinstance(value, str):
            return _utc(name, value)
        case None:
            return value
        case _:
            raise BadArguments(name, f"cannot be written as {encode.format}")


def _utc(name: str, value: str) -> str:
    """Return a moment in UTC; one without an offset could mean anything."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        raise BadArguments(name, "is no ISO 8601 time") from error
    if moment.tzinfo is None:
        raise BadArguments(name, "has no time zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
