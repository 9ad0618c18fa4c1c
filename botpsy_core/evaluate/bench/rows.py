"""The figures of the bench, each with its bar."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from botpsy_core.domain.values import JsonValue

ROUNDS = 3
"""Dialogues for each size; times are medians."""

PATIENCE_S = 300.0
"""Seconds after which a rival gets no further command; it is compared as far as it came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What a figure tells, and what it must reach."""

    what: str
    bar: float
    at_least: bool = False
    """True where the value must reach the bar, False where it must not exceed it."""


BARS: Mapping[str, Bar] = {
    "restart_ratio": Bar(
        what="prompt tokens read for the first command after a restart over those of a cold start", bar=0.10
    ),
    "fresh_tokens": Bar(
        what="fresh prompt tokens for a command over (utterance + 64), 95th percentile, worst size", bar=1.0
    ),
    "size_ratio": Bar(what="time of a command with 1,000 entities over one with 10", bar=1.25),
    "wall_over_engine": Bar(
        what="wall time of a turn that asks the model over llama.cpp's own time for the same tokens", bar=1.10
    ),
    "decode_over_tokens": Bar(what="decode steps over tokens of a call", bar=0.5),
    "loop_lag_p99_ms": Bar(
        what="lag of the event loop while the model generates, 99th percentile; 25 ms or twice the idle one's", bar=25.0
    ),
    "worker_overhead_mb": Bar(what="worker memory beside the model's file and its state", bar=200.0),
    "over_full_prompt": Bar(
        what="whole dialogue at 100 entities over the same model with the whole home in every prompt", bar=0.2
    ),
    "over_bare": Bar(
        what="whole dialogue at 100 entities over the same model bare, warm, each command up to its call", bar=1.0
    ),
    "over_llama_server": Bar(
        what="whole dialogue at 100 entities over a llama-server driven as Home Assistant's integration drives it",
        bar=0.5,
    ),
    "identical_calls": Bar(
        what="texts and calls that stay the same without snapshots and without forced runs; without the shortlist 98 % "
        "of the calls, and none with another target",
        bar=1.0,
        at_least=True,
    ),
}
"""Every figure, in the order of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure."""

    key: str
    what: str
    value: float | None
    """None where it could not be measured; `faults` says why."""
    bar: float
    at_least: bool = False
    raw: Mapping[str, JsonValue] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    """What went wrong beside the value; with any of them the figure does not hold."""

    @property
    def holds(self) -> bool:
        """Return True if the value is on the right side of the bar and nothing else went wrong."""
        if self.value is None or self.faults:
            return False
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def as_json(self) -> dict[str, JsonValue]:
        """Return it for a file."""
        return {**asdict(self), "faults": list(self.faults), "holds": self.holds}


def row(
    key: str,
    value: float | None,
    raw: Mapping[str, JsonValue] | None = None,
    *,
    bar: float | None = None,
    faults: Sequence[str] = (),
) -> Row:
    """Return the figure of that key, with its own bar or another one."""
    known = BARS[key]
    return Row(
        key=key,
        what=known.what,
        value=value,
        bar=known.bar if bar is None else bar,
        at_least=known.at_least,
        raw=raw or {},
        faults=tuple(faults) or (("nothing was measured",) if value is None else ()),
    )


def percentile(values: list[float], share: float) -> float:
    """Return the smallest value that so large a share does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def table(rows: list[Row]) -> str:
    """Return the rows for a terminal."""
    lines = [f"{'figure':24} {'value':>10} {'bar':>10}  holds"]
    for each in rows:
        value = "-" if each.value is None else f"{each.value:.3f}"
        sign = ">=" if each.at_least else "<="
        lines.append(
            f"{each.key:24} {value:>10} {sign + format(each.bar, '.2f'):>10}  {'yes' if each.holds else 'NO'}"
            + "".join(f"; {fault}" for fault in each.faults)
        )
    return "\n".join(lines)
