"""The own scorer beside another one that is a Python file with `score(record, prediction_line)`."""

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.cases import Case
from botpsy_core.evaluate.prediction import Prediction
from botpsy_core.evaluate.score import score

type Reference = Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
"""A case's record and a prediction's line to `outcome`, `passed`, `safe` and notes."""

NOTES = ("asks", "names_value", "bfcl_irrelevance", "upstream_substring", "utility", "passed_unordered")
"""What both scorers may say beside the verdict."""


def load_reference(file: Path) -> Reference:
    """Return the scorer that a file holds, with the files beside it; raise ConfigurationInvalid."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None or not file.exists():
        raise ConfigurationInvalid(f"there is no scorer at {str(file)!r}")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    found: Reference | None = getattr(module, "score", None)
    if found is None:
        raise ConfigurationInvalid(f"{str(file)!r} has no function called 'score'")
    return found


def disagreements(
    cases: Sequence[Case], predictions: Mapping[str, Prediction], reference: Reference
) -> Iterator[tuple[str, str]]:
    """Yield each case on which the two scorers differ, and how; cases without a prediction are left out."""
    for case in cases:
        prediction = predictions.get(case.id)
        if prediction is None:
            continue
        record = {"expected": case.expected, "tools": case.tools, "meta": {}}
        own, theirs = score(case, prediction), reference(record, prediction.to_json())
        here = {"outcome": own.outcome, "passed": own.passed, "safe": own.safe}
        here |= {note: own.notes[note] for note in NOTES if note in own.notes}
        there = {key: theirs[key] for key in ("outcome", "passed", "safe", *NOTES) if key in theirs}
        if here != there:
            yield case.id, f"{here} here, {there} there"
