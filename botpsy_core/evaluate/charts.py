"""What the figures look like: risk against coverage, calibration, and why it went wrong."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from botpsy_core.evaluate.svg import Line, bars, curves
from botpsy_core.evaluate.tally import Judged, Kind

_BINS = 10


def write_charts(folder: Path, judged: Sequence[Judged]) -> None:
    """Write every plot as an SVG file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, plot in charts_of(judged).items():
        (folder / f"{name}.svg").write_text(plot, encoding="utf-8")


def charts_of(judged: Sequence[Judged]) -> Mapping[str, str]:
    """Return every plot as SVG text, by name."""
    return {
        "risk_coverage": curves(
            "Risk against coverage",
            "share of all decisions that are acted on, surest first",
            "share of those that are wrong",
            [Line(name="by the model's probability", points=list(_risk_coverage(judged)))],
        ),
        "calibration": curves(
            "Calibration",
            "probability of the call",
            "share of calls that were right",
            [Line(name="ten groups", points=list(_calibration(judged)), dots=True)],
            diagonal=True,
        ),
        "errors": bars("Wrong, by what happened", _errors(judged)),
    }


def _sure(judged: Sequence[Judged]) -> list[tuple[float, bool]]:
    """Return each decision that became a call with its probability and whether it was right, surest first."""
    found = []
    for one in judged:
        probability = None if one.prediction is None else one.prediction.facts.get("p_call")
        acted = one.kind in {Kind.ACTED_RIGHT, Kind.ACTED_WRONG}
        if acted and isinstance(probability, (int, float)):
            found.append((float(probability), one.kind is Kind.ACTED_RIGHT))
    return sorted(found, reverse=True)


def _risk_coverage(judged: Sequence[Judged]) -> Iterator[tuple[float, float]]:
    wrong = 0
    for taken, (_, right) in enumerate(_sure(judged), 1):
        wrong += not right
        yield taken / len(judged), wrong / taken


def _calibration(judged: Sequence[Judged]) -> Iterator[tuple[float, float]]:
    groups: dict[int, list[tuple[float, bool]]] = {}
    for probability, right in _sure(judged):
        groups.setdefault(min(int(probability * _BINS), _BINS - 1), []).append((probability, right))
    for group in (groups[key] for key in sorted(groups)):
        yield sum(p for p, _ in group) / len(group), sum(right for _, right in group) / len(group)


def _errors(judged: Sequence[Judged]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in judged:
        if one.kind in {Kind.ACTED_WRONG, Kind.MALFORMED}:
            found[one.kind.value] += 1
        elif one.kind is Kind.STOPPED_WRONG:
            facts = {} if one.prediction is None else one.prediction.facts
            found[f"stopped: {facts.get('reason') or facts.get('status') or 'said nothing'}"] += 1
    return found
