"""Combine a few named signals into one probability that a call is what was asked for."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
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
_MOST_UNGROUNDED = 2
_MOST_GAIN = 40.0
_LEAST = 1e-4
"""Of a probability whose logarithm is taken, and of what is left to 1."""

type Signals = Mapping[str, float]
"""Signal to value; a signal that cannot be told is absent, never 0 by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tilt:
    """How one model's signals are to be read: its log odds are `slope` times the sum, plus `shift`."""

    slope: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Weights by signal, and where an absent dear signal may lie."""

    weights: Mapping[str, float]
    centres: Mapping[str, float] = field(default_factory=dict)
    """What is taken from a signal before it is weighed, so that an absent one speaks neither for nor against."""
    doubt: tuple[float, float] = (0.0, 0.0)
    """The gain of a poor and of a good call; between them a model is asked for it."""
    shown: Tilt = field(default_factory=Tilt)
    """How the log odds of the score are read where a probability is shown."""
    objection: float = 0.0
    """What an objection of the gate to words or call adds to the log odds that are shown."""


def own_signals(grounding: Grounding, clause: Clause, evidence: Evidence) -> Signals:
    """Return the value of every signal that a call of a tool with words and things of its own has."""
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
        found["model"] = evidence.p_call
    return found


def foreign_signals(grounding: Grounding, evidence: Evidence, covered: float | None) -> Signals:
    """Return the value of every signal that a call of a tool has of which only text and schema are known."""
    found = {"ungrounded": float(min(len(grounding.ungrounded), _MOST_UNGROUNDED))}
    if covered is not None:
        # Likeness of letters means as little as coverage where the words are of another language than the tool's text.
        found["covered"] = covered
        if evidence.likeness is not None:
            found["fit"] = evidence.likeness
    if evidence.p_call is not None:
        found["model"] = evidence.p_call
    if evidence.p_args:
        found["values"] = sum(math.log10(max(p, _LEAST)) for p in evidence.p_args.values()) / len(evidence.p_args)
    if evidence.gain is not None:
        found["gain"] = max(-_MOST_GAIN, min(_MOST_GAIN, evidence.gain))
    return found


def certainty(found: Signals, scale: Scale, tilt: Tilt | None = None) -> float:
    """Return how much speaks for a call with these signals, 0 to 1: what the policy's thresholds are compared with."""
    tilt = tilt or Tilt()
    weighed = (scale.weights[name] * (value - scale.centres.get(name, 0.0)) for name, value in found.items())
    total = tilt.slope * (scale.weights["bias"] + sum(weighed)) + tilt.shift
    return 1.0 / (1.0 + math.exp(-total))


def shown(score: float, scale: Scale, *, objected: bool) -> float:
    """Return the probability, 0 to 1, to show for a score; `objected` where the gate found fault with words or call."""
    kept = min(1.0 - _LEAST, max(_LEAST, score))
    odds = math.log(kept / (1.0 - kept))
    return 1.0 / (1.0 + math.exp(-(scale.shown.slope * odds + scale.shown.shift + objected * scale.objection)))


def scale_for(*, foreign: bool = False) -> Scale:
    """Return the weights; `foreign` for a tool of which only its schema is known."""
    return _data().scales["foreign" if foreign else "own"]


def tilt_for(model: str, measured: Mapping[str, Tilt]) -> Tilt:
    """Return how to read a model's signals: as the home or we measured it, else with caution; plainly without one."""
    if not model:
        return Tilt()
    return measured.get(model) or _data().measured.get(model) or _data().unmeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class _Data:
    scales: Mapping[str, Scale]
    measured: Mapping[str, Tilt]
    unmeasured: Tilt


@cache
def _data() -> _Data:
    data = yaml.safe_load(files("botpsy_core.safety").joinpath("weights.yaml").read_text("utf-8"))
    try:
        scales = {
            name: Scale(
                weights={signal: float(weight) for signal, weight in own["weights"].items()},
                centres={signal: float(centre) for signal, centre in own.get("centres", {}).items()},
                doubt=tuple(own.get("doubt", (0.0, 0.0))),
                shown=Tilt(**own["shown"]),
                objection=float(data["objection"]),
            )
            for name, own in data["scales"].items()
        }
        tilts = {str(model["sha256"]): Tilt(**model["tilt"]) for model in data["models"].values()}
        return _Data(scales=scales, measured=tilts, unmeasured=Tilt(**data["unmeasured"]))
    except (KeyError, TypeError) as fault:
        raise ConfigurationInvalid(f"weights.yaml: {fault!r}") from fault
