"""Fit the weights of foreign tools anew from a run with the gate open, leaving one source out at a time.

fit_weights.py PREDICTIONS CASES...
PREDICTIONS come from `botpsy eval CASES --allow-all --model M --predictions PREDICTIONS`. Prints weights for
botpsy_core/safety/weights.yaml, the curve of risk against coverage, and the calibration error.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from botpsy_core.evaluate.cases import Case, load_cases
from botpsy_core.evaluate.fitting import Example, calibration_error, curve, fit, left_out
from botpsy_core.evaluate.prediction import Prediction, read_predictions
from botpsy_core.evaluate.tally import Kind, judge
from botpsy_core.safety.calibration import certainty, scale_for

THRESHOLDS = (0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def examples(cases: tuple[Case, ...], predictions: Mapping[str, Prediction]) -> Iterator[Example]:
    """Yield each call that was right, and each where none was due."""
    scale = scale_for(foreign=True)
    for judged in judge(tuple(c for c in cases if c.id in predictions), predictions):
        right = judged.kind is Kind.ACTED_RIGHT
        if not right and judged.case.category not in {"irrelevance", "irrelevance_live", "no_suitable_tool"}:
            continue
        heard: Any = predictions[judged.case.id].facts.get("heard") or {}
        clauses = heard.get("clauses", [])
        evidence = next((c["evidence"] for c in clauses if c.get("evidence")), None)
        if evidence is None or "ungrounded" not in evidence["signals"]:
            continue
        known = {n: v - scale.centres.get(n, 0.0) for n, v in evidence["signals"].items() if n in scale.weights}
        yield Example(signals=known, right=right, source=judged.case.id.partition(".")[0] + judged.case.category)


def main() -> None:
    """Read a run, fit, and print."""
    predictions = read_predictions(Path(sys.argv[1]))
    found = list(examples(load_cases([Path(each) for each in sys.argv[2:]]), predictions))
    scale = scale_for(foreign=True)
    weights = fit(found, scale.weights)
    print(f"{len(found)} calls, {sum(e.right for e in found)} right")
    force = [
        (certainty({n: v + scale.centres.get(n, 0.0) for n, v in e.signals.items()}, scale), e.right) for e in found
    ]
    print(f"calibration error of the weights in force: {calibration_error(force):.3f}")
    print("weights:", {name: round(weight, 2) for name, weight in weights.items()})
    points = left_out(found, scale.weights)
    print(f"calibration error, each source left out: {calibration_error(points):.3f}")
    for point in curve(points, THRESHOLDS):
        print(f"  from {point.threshold:.2f}: {point.wrong:.1%} of wrong calls out, {point.lost:.1%} of right lost")


if __name__ == "__main__":
    main()
