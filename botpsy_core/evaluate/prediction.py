"""What was answered to a case."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botpsy_core.domain.values import JsonObject
from botpsy_core.errors import ConfigurationInvalid


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One call, with the arguments of the case's own tool."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """Return the call as a prediction holds it."""
        return {"name": self.name, "args": dict(self.args)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """One line of a predictions file."""

    id: str
    calls: tuple[Made, ...] = ()
    text: str = ""
    malformed: bool = False
    """True where the raw output holds an attempt at a call that is none, or names an unknown tool."""
    final_text: str = ""
    """The answer after recorded results were read."""
    turns: tuple[tuple[Made, ...], ...] | None = None
    """For a talk of several turns: all calls of each."""
    facts: JsonObject = field(default_factory=dict)
    """What else is known: verdict, reason, probabilities, what was heard, seconds, tokens."""

    def to_json(self) -> JsonObject:
        """Return the line as a JSON object."""
        line: dict[str, Any] = {
            "id": self.id,
            "calls": [call.to_json() for call in self.calls],
            "text": self.text,
            "malformed": self.malformed,
            "final_text": self.final_text,
        }
        if self.turns is not None:
            line["turns"] = [[call.to_json() for call in turn] for turn in self.turns]
        return {**line, **self.facts}


def read_predictions(file: Path) -> dict[str, Prediction]:
    """Return the predictions of a file by id, the last of each; raise ConfigurationInvalid for a bad line."""
    return {prediction.id: prediction for prediction in _read(file)}


def write_predictions(file: Path, predictions: Iterable[Prediction]) -> None:
    """Write one line a prediction."""
    lines = [json.dumps(p.to_json(), ensure_ascii=False, sort_keys=True) + "\n" for p in predictions]
    file.write_text("".join(lines), encoding="utf-8")


def _read(file: Path) -> Iterator[Prediction]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield prediction_of(json.loads(line))
                except (ValueError, KeyError, TypeError, AttributeError) as fault:
                    raise ConfigurationInvalid(f"{file}:{number}: no prediction: {fault!r}") from fault


def prediction_of(line: Mapping[str, Any]) -> Prediction:
    """Return the prediction that one JSON object holds."""
    own = {"id", "calls", "text", "malformed", "final_text", "turns"}
    turns = line.get("turns")
    return Prediction(
        id=str(line["id"]),
        calls=_calls(line.get("calls") or ()),
        text=str(line.get("text") or ""),
        malformed=bool(line.get("malformed")),
        final_text=str(line.get("final_text") or ""),
        turns=None if turns is None else tuple(_calls(turn) for turn in turns),
        facts={key: value for key, value in line.items() if key not in own},
    )


def _calls(calls: Sequence[Mapping[str, Any]]) -> tuple[Made, ...]:
    return tuple(Made(name=str(call["name"]), args=call.get("args") or {}) for call in calls)
