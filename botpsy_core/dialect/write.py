"""Calls as a family writes them."""

import json
from collections.abc import Iterable, Mapping

from botpsy_core.dialect.families import Family, Values
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.values import JsonValue

_CDATA_NEEDED = ("<", "&", "\n")


def write_calls(family: Family, calls: Iterable[RawCall]) -> str:
    """Return the text of these calls, as the model would write it."""
    bodies = [_call(family, call) for call in calls]
    if not bodies:
        return ""
    if family.one_block:
        return _block(family, family.call_join.join(bodies))
    return family.call_join.join(_block(family, body) for body in bodies)


def write_value(family: Family, value: JsonValue) -> str:
    """Return one argument's value as the family writes it."""
    match family.values:
        case Values.JSON:
            return to_json(value)
        case Values.PYTHON:
            return _python(value)
        case Values.RAW:
            return value if isinstance(value, str) else to_json(value)
        case Values.CDATA:
            return cdata(value if isinstance(value, str) else to_json(value))


def to_json(value: JsonValue) -> str:
    """Return JSON on one line, with the separators that chat templates use."""
    return json.dumps(value, ensure_ascii=False)


def cdata(text: str) -> str:
    """Return the text, in a CDATA section where its characters ask for one."""
    if not any(mark in text for mark in _CDATA_NEEDED):
        return text
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"


def _block(family: Family, body: str) -> str:
    return f"{family.begin}{family.lead}{body}{family.tail}{family.stop}"


def _call(family: Family, call: RawCall) -> str:
    args = family.arg_join.join(
        f"{family.arg_open}{key}{family.arg_mid}{write_value(family, value)}{family.arg_close}"
        for key, value in call.args.items()
    )
    return f"{family.name_open}{call.name}{family.name_close}{args}{family.end}"


def _python(value: JsonValue) -> str:
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{to_json(k)}: {_python(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (str, int, float)):
        return to_json(value)
    return "[" + ", ".join(_python(item) for item in value) + "]"
