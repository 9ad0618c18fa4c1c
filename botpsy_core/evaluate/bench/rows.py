"""The figures of the bench, each with its bar."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from botpsy_core.domain.values import JsonValue

ROUNDS = 3
"""Dialogues for each size; times are medians."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure."""

    key: str
    what: str
    value: float | None
    """None where it could not be measured; `raw` says why."""
    bar: float
    at_least: bool = False
    """True where the value must reach the bar, False where it must not exceed it."""
    raw: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Return True if the value is on the right side of the bar."""
        if self.value is None:
            return False
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def as_json(self) -> dict[str, JsonValue]:
        """Return it for a file."""
        return {**asdict(self), "holds": self.holds}


def percentile(values: list[float], share: float) -> float:
    """Return the smallest value that so large a share does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def table(rows: list[Row]) -> str:
    """Return the rows for a terminal."""
    lines = [f"{'figure':24} {'value':>10} {'bar':>10}  holds"]
    for row in rows:
        value = "-" if row.value is None else f"{row.value:.3f}"
        sign = ">=" if row.at_least else "<="
        lines.append(f"{row.key:24} {value:>10} {sign + format(row.bar, '.2f'):>10}  {'yes' if row.holds else 'NO'}")
    return "\n".join(lines)
