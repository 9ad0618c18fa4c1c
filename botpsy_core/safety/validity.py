"""Check one argument against its schema, and say the range in words."""

from jsonschema import Draft202012Validator, FormatChecker

from botpsy_core.domain.tools import Argument
from botpsy_core.domain.values import JsonValue

_FORMATS = FormatChecker(("date", "email", "ipv4", "ipv6", "regex", "uuid"))
"""Those that the library checks without others; a time's own form is checked where it is read."""


def valid(argument: Argument, value: JsonValue) -> bool:
    """Return True if the schema takes the value."""
    validator: Draft202012Validator = Draft202012Validator(dict(argument.schema), format_checker=_FORMATS)
    return bool(validator.is_valid(value))


def range_of(argument: Argument) -> str:
    """Return what the argument may be, as "5 to 35 °C" or as a list of options; empty where any text will do."""
    schema = argument.schema
    options = schema.get("enum")
    if isinstance(options, list | tuple):
        return ", ".join(str(o).replace("_", " ") for o in options)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and high is None:
        return ""
    unit = str(schema.get("x-unit") or "")
    bounds = (
        f"{low:g} to {high:g}" if isinstance(low, int | float) and isinstance(high, int | float) else f"{low or high}"
    )
    return f"{bounds}{'' if unit == '%' else ' ' if unit else ''}{unit}"
