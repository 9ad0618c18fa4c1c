"""What the figures look like: risk against coverage, calibration, and why it went wrong."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from botpsy_core.evaluate.svg import Line, bars, curves
from botpsy_core.evaluate.tally import Judged, Kind

_BINS = 10


def write_charts(folder: Path, judged: Sequence[Judged], other: Sequence[Judged] | None = None) -> None:
    """Write every plot as an SVG file; `other` is the bare model's run."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, plot in charts_of(judged, other).items():
        (folder / f"{name}.svg").write_text(plot, encoding="utf-8")


def charts_of(judged: Sequence[Judged], other: Sequence[Judged] | None = None) -> Mapping[str, str]:
    """Return every plot as SVG text, by name."""
    surest = [
        Line(name="as it stands, surest first", points=list(_risk_coverage(judged))),
        Line(name="as it stands, whole", points=_whole(judged), dots=True),
    ]
    if other is not None:
        surest.append(Line(name="the bare model", points=_whole(other), dots=True))
    plots = {
        "risk_coverage": curves(
            "Risk against coverage",
            "share of all cases that are acted on",
            "share of those that are acted on wrongly",
            surest,
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
    return plots if other is None else {**plots, "errors_bare": bars("Wrong, the bare model", _errors(other))}


def _acted(judged: Sequence[Judged]) -> list[Judged]:
    return [j for j in judged if j.kind in {Kind.ACTED_RIGHT, Kind.ACTED_WRONG}]


def _whole(judged: Sequence[Judged]) -> list[tuple[float, float]]:
    """Return the one point of a whole run, none where it never acted."""
    acted = _acted(judged)
    wrong = sum(j.kind is Kind.ACTED_WRONG for j in acted)
    return [(len(acted) / len(judged), wrong / len(acted))] if acted else []


def _sure(judged: Sequence[Judged]) -> list[tuple[float, bool]]:
    """Return each decision of the model that became a call with its probability and whether it was right."""
    found = []
    for one in _acted(judged):
        probability = None if one.prediction is None else one.prediction.facts.get("p_call")
        if isinstance(probability, (int, float)):
            found.append((float(probability), one.kind is Kind.ACTED_RIGHT))
    return sorted(found, reverse=True)


def _risk_coverage(judged: Sequence[Judged]) -> Iterator[tuple[float, float]]:
    """Yield the points of the curve: what words alone decided first, then the model's by its probability."""
    alone = [(1.0, j.kind is Kind.ACTED_RIGHT) for j in _acted(judged) if _by_code(j)]
    wrong = 0
    for taken, (_, right) in enumerate([*alone, *_sure(judged)], 1):
        wrong += not right
        if taken >= len(alone):
            yield taken / len(judged), wrong / taken


def _by_code(one: Judged) -> bool:
    return one.prediction is not None and one.prediction.facts.get("p_call") is None


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
            found[f"stopped: {one.why}"] += 1
    return found
