"""A foreign JSON Schema, cut down to what a grammar can hold."""

from collections.abc import Mapping, Sequence

from botpsy_core.domain.values import JsonObject, JsonValue, mapping_of

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_KEPT: Mapping[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength"),
    "integer": _BOUNDS,
    "number": _BOUNDS,
    "array": ("minItems", "maxItems"),
}
"""In order, since prompts and grammars must be the same text in every process."""
_LONGEST_TEXT = 200
_MOST_ITEMS = 16
_DEEPEST = 6


def grammar_schema(schema: JsonObject, depth: int = 0) -> dict[str, JsonValue]:
    """Return an equal or wider schema of plain keywords with bounds on lengths; the full one is checked afterwards."""
    if depth > _DEEPEST:
        return {"type": "null"}
    if isinstance(values := schema.get("enum"), Sequence) and values:
        return {"enum": list(values)}
    if "const" in schema:
        return {"enum": [schema["const"]]}
    for key in ("anyOf", "oneOf"):
        if isinstance(options := schema.get(key), Sequence):
            return {"anyOf": [grammar_schema(o, depth + 1) for o in options if isinstance(o, Mapping)]}
    kind = schema.get("type")
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        return {"anyOf": [grammar_schema({**schema, "type": one}, depth + 1) for one in kind]}
    return _typed(str(kind or "string"), schema, depth)


def _typed(kind: str, schema: JsonObject, depth: int) -> dict[str, JsonValue]:
    plain: dict[str, JsonValue] = {"type": kind}
    plain |= {key: schema[key] for key in _KEPT.get(kind, ()) if isinstance(schema.get(key), (int, float))}
    match kind:
        case "string":
            plain["maxLength"] = min(_number(plain.get("maxLength"), _LONGEST_TEXT), _LONGEST_TEXT)
        case "array":
            plain["items"] = grammar_schema(mapping_of(schema.get("items")), depth + 1)
            plain["maxItems"] = min(_number(plain.get("maxItems"), _MOST_ITEMS), _MOST_ITEMS)
        case "object":
            plain |= _object(schema, depth)
        case _:
            pass
    return plain


def _object(schema: JsonObject, depth: int) -> dict[str, JsonValue]:
    known = mapping_of(schema.get("properties"))
    required = schema.get("required")
    names = required if isinstance(required, Sequence) else ()
    return {
        "properties": {k: grammar_schema(v, depth + 1) for k, v in known.items() if isinstance(v, Mapping)},
        "required": [name for name in names if name in known],
        "additionalProperties": False,
    }


def _number(value: JsonValue, otherwise: int) -> int:
    return int(value) if isinstance(value, (int, float)) else otherwise
