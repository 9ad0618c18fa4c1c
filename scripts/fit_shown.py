"""Fit how the gate's score is shown as a probability, and print what that is worth where it was not fitted.

fit_shown.py OPEN CASES... [--other PREDICTIONS]
OPEN come from `botpsy eval CASES --allow-all --model M --predictions OPEN`: with the gate open every call goes out, so
that it is known of each whether it was right, also of those that the gate would have stopped. Cases with one call
count. `--other` is the same of another model, read with the numbers in force.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botpsy_core.domain.verdicts import Reason
from botpsy_core.evaluate.cases import Case, Rule, load_cases
from botpsy_core.evaluate.fitting import Example, calibration_error, fit, left_out, log_odds, noise_floor
from botpsy_core.evaluate.prediction import Prediction, read_predictions
from botpsy_core.evaluate.tally import Kind, judge
from botpsy_core.safety.calibration import scale_for, shown
from botpsy_core.safety.likelihood import AGAINST_THE_CALL

START = {"bias": 0.0, "own": 1.0, "foreign": 1.0, "other": 0.0, "objected": 0.0}
RIDGE = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a case that made no other, and whether it was right."""

    score: float
    foreign: bool
    objected: bool
    verdict: str
    right: bool
    source: str

    @property
    def example(self) -> Example:
        """Return the call as it is fitted."""
        signals = {"foreign" if self.foreign else "own": log_odds(self.score)}
        told = {"other": float(self.foreign), "objected": float(self.objected)}
        return Example(signals={**signals, **told}, right=self.right, source=self.source)

    @property
    def in_force(self) -> tuple[float, bool]:
        """Return the probability that is shown today, and whether the call was right."""
        return shown(self.score, scale_for(foreign=self.foreign), objected=self.objected), self.right


PARTS: Mapping[str, Callable[[Call], bool]] = {
    "all": lambda _call: True,
    "own tools": lambda call: not call.foreign,
    "other integrations' tools": lambda call: call.foreign,
    "let through": lambda call: call.verdict == "allow",
    "asked about": lambda call: call.verdict == "ask",
    "refused": lambda call: call.verdict == "refuse",
}


def calls(cases: Sequence[Case], predictions: Mapping[str, Prediction]) -> Iterator[Call]:
    """Yield each call of which it is known whether it was right."""
    for judged in judge(tuple(c for c in cases if c.id in predictions), predictions):
        if judged.kind not in {Kind.ACTED_RIGHT, Kind.ACTED_WRONG}:
            continue
        if judged.case.rule in {Rule.INJECTION, Rule.MULTI_TURN}:
            continue
        heard: Any = predictions[judged.case.id].facts.get("heard") or {}
        made = [c for c in heard.get("clauses", []) if c.get("evidence") and c.get("verdict")]
        if len(made) != 1:
            continue
        evidence, verdict = made[0]["evidence"], made[0]["verdict"]
        reason = verdict.get("reason")
        yield Call(
            score=evidence["certainty"],
            foreign="direction_said" not in evidence["signals"],
            objected=reason is not None and Reason(reason) in AGAINST_THE_CALL,
            verdict=verdict["kind"],
            right=judged.kind is Kind.ACTED_RIGHT,
            source=judged.case.category,
        )


def tell(title: str, found: Sequence[tuple[Call, tuple[float, bool]]]) -> None:
    """Print the calibration error of each part beside what chance alone would show."""
    print(title)
    for name, belongs in PARTS.items():
        points = [point for call, point in found if belongs(call)]
        mean, most = noise_floor(points)
        right = sum(right for _, right in points)
        error = calibration_error(points)
        print(f"  {name}: {len(points)} calls, {right} right: {error:.3f}; by chance {mean:.3f}, 95 % under {most:.3f}")


def main() -> None:
    """Read a run, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("open", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--other", type=Path)
    options = parser.parse_args()
    cases = load_cases(options.cases)
    found = sorted(calls(cases, read_predictions(options.open)), key=lambda call: call.source)
    tell("the score that the thresholds read", [(c, (c.score, c.right)) for c in found])
    tell("shown, in force", [(c, c.in_force) for c in found])
    weights = fit([c.example for c in found], START, ridge=RIDGE, balanced=False)
    print(f"own: slope {weights['own']:.2f}, shift {weights['bias']:.2f}")
    print(f"foreign: slope {weights['foreign']:.2f}, shift {weights['bias'] + weights['other']:.2f}")
    print(f"objection: {weights['objected']:.2f}")
    unseen = left_out([c.example for c in found], START, ridge=RIDGE, balanced=False)
    tell("shown, each kind of case left out of its fit", list(zip(found, unseen, strict=True)))
    if options.other is not None:
        other = list(calls(cases, read_predictions(options.other)))
        tell("another model, as this one is shown", [(c, c.in_force) for c in other])


if __name__ == "__main__":
    main()
