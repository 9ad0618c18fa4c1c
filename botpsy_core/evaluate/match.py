"""When one call is another: by BFCL's rule for lists of accepted values, and by plain value."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from botpsy_core.evaluate.cases import Record
from botpsy_core.evaluate.prediction import Made

_TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "float": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}
_IGNORED = re.compile(r"[ ,./\-_*^]")
OPTIONAL = ""
"""Among accepted values: the argument may be left out."""


def plain(text: str) -> str:
    """Return a text as BFCL compares it: without spaces and marks, lower case."""
    return _IGNORED.sub("", text).lower().replace("'", '"')


def folded(value: object) -> str:
    """Return a text as Home Assistant compares names."""
    return re.sub(r"\s+", " ", str(value)).strip().casefold()


def listed(value: Any) -> Sequence[Any]:
    """Return a list as it is, one value as a list of one, and None as an empty one."""
    return () if value is None else value if isinstance(value, (list, tuple)) else (value,)


def canonical(value: Any) -> Any:
    """Return a value of which equal ones are equal: numbers as floats, texts folded, order of keys gone."""
    match value:
        case bool():
            return value
        case int() | float() | str():
            return _number_or_text(value)
        case list() | tuple():
            return tuple(canonical(item) for item in value)
        case Mapping():
            return tuple(sorted((key, canonical(item)) for key, item in value.items()))
        case _:
            return value


def _number_or_text(value: float | str) -> float | str:
    try:
        return round(float(value), 6)
    except ValueError:
        return folded(value)


def canonical_call(call: Made) -> tuple[str, Any]:
    """Return a call of which equal ones are equal."""
    return call.name, canonical(call.args)


def calls_match(calls: Sequence[Made], wanted: Sequence[Record], functions: Mapping[str, Record]) -> bool:
    """Return True if the calls are the wanted ones, in any order, by BFCL's syntax tree rule."""
    if len(calls) != len(wanted):
        return False
    left = list(calls)
    for truth in wanted:
        found = next((call for call in left if call_matches(call, truth, functions)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def call_matches(call: Made, truth: Record, functions: Mapping[str, Record]) -> bool:
    """Return True if name, presence and every value are right."""
    if call.name != truth["name"]:
        return False
    parameters = functions[call.name]["parameters"]
    properties, accepted = parameters.get("properties", {}), truth["accepted_args"]
    if any(name not in call.args for name in parameters.get("required", ())):
        return False
    for name, value in call.args.items():
        if name not in properties or name not in accepted:
            return False
        if not value_matches(value, accepted[name], properties[name]):
            return False
    return all(name in call.args or OPTIONAL in values for name, values in accepted.items())


def value_matches(value: Any, accepted: Sequence[Any], schema: Record) -> bool:
    """Return True if a value has the schema's type, or that of the accepted values, and is one of them."""
    wanted = _type(schema)
    if wanted is float and type(value) is int:
        value = float(value)
    sample = next((type(a) for a in accepted if a != OPTIONAL), None)
    if type(value) is wanted:
        other_type = sample is not None and sample is not wanted
        if isinstance(value, list) and not other_type:
            fit = _items_fit(value, accepted, schema, typed=sample is not None)
            return fit and _same(value, accepted, wanted, schema)
    elif sample is not None and type(value) is sample:
        other_type = True
    else:
        return False
    return value in accepted if other_type else _same(value, accepted, wanted, schema)


def _same(value: Any, accepted: Sequence[Any], wanted: type, schema: Record) -> bool:
    if wanted is dict:
        return _object_matches(value, accepted)
    if wanted is str:
        return plain(value) in [plain(a) for a in accepted if isinstance(a, str)]
    if wanted is not list:
        return value in accepted
    lists = [a for a in accepted if isinstance(a, list)]
    if (schema.get("items") or {}).get("type") == "object":
        return any(
            len(a) == len(value) and all(_object_matches(x, [y]) for x, y in zip(value, a, strict=True)) for a in lists
        )
    return [_norm(x) for x in value] in [[_norm(x) for x in a] for a in lists]


def _type(schema: Record) -> type:
    return _TYPES.get(schema.get("type") or "", str)


def _items_fit(value: Sequence[Any], accepted: Sequence[Any], schema: Record, *, typed: bool) -> bool:
    """Return True if every item has the schema's type, or the type of an accepted list's items."""
    wanted = _type(schema.get("items") or {})

    def fits(item: Any, example: Sequence[Any]) -> bool:
        first = next((x for x in example if x != OPTIONAL), item)
        return type(item) is wanted or (typed and bool(example) and type(item) is type(first))

    lists: list[list[Any]] = [a for a in accepted if isinstance(a, list)]
    return any(all(fits(item, a) for item in value) for a in lists)


def _object_matches(value: Mapping[str, Any], accepted: Sequence[Any]) -> bool:
    for truth in accepted:
        if not isinstance(truth, dict):
            continue
        given = all(k in truth and _norm(v) in [_norm(x) for x in truth[k]] for k, v in value.items())
        if given and all(k in value or OPTIONAL in v for k, v in truth.items()):
            return True
    return False


def _norm(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value
