"""JSON values, as they cross the house's borders."""

from collections.abc import Mapping, Sequence

type JsonValue = bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None
type JsonObject = Mapping[str, JsonValue]


def mapping_of(value: object) -> JsonObject:
    """Return a JSON object, or an empty one where the value is none."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: object) -> list[JsonValue]:
    """Return the items of a JSON list, or none where the value is no list."""
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []


def texts_of(value: object) -> list[str]:
    """Return the texts of a JSON list."""
    return [v for v in list_of(value) if isinstance(v, str)]


def number_of(value: object) -> float:
    """Return a JSON number, or 0 where the value is none."""
    return float(value) if isinstance(value, int | float) else 0.0


def unique_keys(pairs: Sequence[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """Return a JSON object; raise ValueError where a key stands twice: two readers could take different ones."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def no_constant(name: str) -> JsonValue:
    """Raise ValueError for NaN and Infinity, which are no JSON."""
    raise ValueError(name)
