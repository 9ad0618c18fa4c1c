"""Few weights from labelled cases: a logistic fit that stays near where it began, and what its numbers are worth."""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from botpsy_core.safety import Tilt

_STEPS = 4000
_RATE = 0.5
_GROUPS = 10
_LEAST = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One call whose outcome is known."""

    signals: Mapping[str, float]
    """Centred; a signal that could not be told is left out."""
    right: bool
    source: str = ""
    """Where the case comes from: a fold of the cross-validation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One threshold: calls of at least this probability go out."""

    threshold: float
    wrong: float
    """Of all wrong calls, the share that goes out, 0 to 1."""
    lost: float
    """Of all right calls, the share that is stopped, 0 to 1."""


def logistic(total: float) -> float:
    """Return the probability with these log odds."""
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, total))))


def log_odds(probability: float) -> float:
    """Return the log odds of a probability."""
    kept = max(_LEAST, min(1 - _LEAST, probability))
    return math.log(kept / (1 - kept))


def fit(
    examples: Sequence[Example], start: Mapping[str, float], *, ridge: float = 0.02, balanced: bool = True
) -> dict[str, float]:
    """Return weights by signal (and `bias`) that fit the examples; `balanced` lets both outcomes weigh the same in all.

    `ridge` pulls each weight towards its start, so that a few examples move it little. Only what is fitted to the
    outcomes as often as they are (not balanced) can be read as a probability.
    """
    weights = dict(start)
    share = {right: 1.0 / max(1, len(examples)) for right in (True, False)}
    if balanced:
        share = {right: 0.5 / max(1, sum(e.right is right for e in examples)) for right in (True, False)}
    scale = {name: _spread([e.signals[name] for e in examples if name in e.signals]) for name in start}
    for _ in range(_STEPS):
        gradient = {name: ridge * (weights[name] - start[name]) * scale[name] ** 2 for name in start}
        for each in examples:
            error = (logistic(_total(each.signals, weights)) - each.right) * share[each.right]
            gradient["bias"] += error
            for name, value in each.signals.items():
                gradient[name] += error * value
        for name, slope in gradient.items():
            weights[name] -= _RATE * slope / max(scale[name] ** 2, 1e-3)
    return weights


def fit_tilt(points: Sequence[tuple[float, bool]], *, prior: float = 4.0) -> Tilt:
    """Return how log odds are to be read so that they mean what they say; `prior` counts as that many plain cases."""
    slope, shift = 1.0, 0.0
    for _ in range(_STEPS):
        down = [prior * (slope - 1.0), prior * shift]
        for odds, right in points:
            error = logistic(slope * odds + shift) - right
            down[0] += error * max(-6.0, min(6.0, odds)) / 4
            down[1] += error
        slope -= 0.01 * down[0] / max(1, len(points)) * 4
        shift -= 0.05 * down[1] / max(1, len(points)) * 4
    return Tilt(slope=max(0.1, round(slope, 3)), shift=round(shift, 3))


def left_out(
    examples: Sequence[Example], start: Mapping[str, float], *, ridge: float = 0.02, balanced: bool = True
) -> list[tuple[float, bool]]:
    """Return each example's probability from a fit that saw no case of its source, and its outcome."""
    found: list[tuple[float, bool]] = []
    for source in sorted({e.source for e in examples}):
        weights = fit([e for e in examples if e.source != source], start, ridge=ridge, balanced=balanced)
        found += [(logistic(_total(e.signals, weights)), e.right) for e in examples if e.source == source]
    return found


def calibration_error(points: Iterable[tuple[float, bool]]) -> float:
    """Return the mean distance between probability and share of right calls, over ten groups of probability."""
    groups: dict[int, list[tuple[float, bool]]] = {}
    for probability, right in points:
        groups.setdefault(min(_GROUPS - 1, int(probability * _GROUPS)), []).append((probability, right))
    count = sum(map(len, groups.values()))
    gaps = (abs(sum(p for p, _ in g) - sum(r for _, r in g)) for g in groups.values())
    return sum(gaps) / count if count else 0.0


def noise_floor(points: Sequence[tuple[float, bool]], *, draws: int = 400, seed: int = 1) -> tuple[float, float]:
    """Return the calibration error that exact probabilities show by chance: its mean, and that of draw 95 in 100."""
    chance = random.Random(seed)  # noqa: S311
    found = sorted(calibration_error([(p, chance.random() < p) for p, _ in points]) for _ in range(draws))
    return sum(found) / draws, found[int(0.95 * draws)]


def curve(points: Sequence[tuple[float, bool]], thresholds: Iterable[float]) -> tuple[Point, ...]:
    """Return what each threshold lets out and stops."""
    good, bad = [p for p, right in points if right], [p for p, right in points if not right]
    return tuple(Point(threshold=t, wrong=_share_from(bad, t), lost=1 - _share_from(good, t)) for t in thresholds)


def _share_from(values: Sequence[float], threshold: float) -> float:
    return sum(p >= threshold for p in values) / len(values) if values else 0.0


def _total(signals: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return weights["bias"] + sum(weights[name] * value for name, value in signals.items())


def _spread(values: Sequence[float]) -> float:
    return math.sqrt(sum(v * v for v in values) / len(values)) if values else 1.0
