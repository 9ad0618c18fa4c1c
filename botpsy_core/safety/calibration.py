"""Combine a few named signals into one probability that a call is what was asked for."""

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml

from botpsy_core.domain.heard import Clause, How, Mood
from botpsy_core.domain.verdicts import Evidence
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.safety.grounding import Agreement, Grounding

_LOOSE = frozenset({How.KIND, How.PLACE, How.REFERENCE, How.ROOM, How.FUZZY})
_MOST_LEFTOVER = 4
_MOST_VALUES = 2

type Signals = Mapping[str, float]
"""Signal to value; a signal that cannot be told is absent, never 0 by chance."""


def signals(grounding: Grounding, clause: Clause, evidence: Evidence) -> Signals:
    """Return the value of every signal that this call has."""
    found = {
        "by_code": float(evidence.by_code),
        "direction_said": float(grounding.direction is Agreement.SAID),
        "direction_other": float(grounding.direction is Agreement.OTHER),
        "cued": float(grounding.cued),
        "value": float(min(len(grounding.spans), _MOST_VALUES)),
        "leftover": float(min(len(grounding.leftover), _MOST_LEFTOVER)),
        "statement": float(clause.mood is Mood.STATEMENT),
        "ungrounded": float(len(grounding.ungrounded)),
    }
    if grounding.target is not None:
        found["target"] = grounding.target.score
        found["loosely"] = float(grounding.target.how in _LOOSE)
    if evidence.likeness is not None:
        found["fit"] = evidence.likeness
    if evidence.p_call is not None:
        found["model"] = evidence.p_call - 0.5
    if evidence.p_without is not None:
        found["habit"] = evidence.p_without
    if evidence.self_check is not None:
        found["checked"] = evidence.self_check - 0.5
    return found


def certainty(found: Signals, weights: Mapping[str, float]) -> float:
    """Return the probability, 0 to 1, that a call with these signals is right."""
    total = weights["bias"] + sum(weights[name] * value for name, value in found.items())
    return 1.0 / (1.0 + math.exp(-total))


def weights_for(*, foreign: bool = False) -> Mapping[str, float]:
    """Return the weights; `foreign` for a tool of which only its schema is known."""
    return _weights()["foreign" if foreign else "default"]


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    data = yaml.safe_load(files("botpsy_core.safety").joinpath("weights.yaml").read_text("utf-8"))
    default = data["default"]
    for name, own in data.items():
        if set(own) != set(default):
            raise ConfigurationInvalid(f"weights.yaml: {name}: the signals differ from those of default")
    return {str(name): {signal: float(weight) for signal, weight in own.items()} for name, own in data.items()}
