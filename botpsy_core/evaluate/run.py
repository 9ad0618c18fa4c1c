"""All cases, one after another, so that a stopped run goes on where it was."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from botpsy_core.errors import HostFault, PromptTooLong
from botpsy_core.evaluate.cases import Case
from botpsy_core.evaluate.prediction import Prediction, read_predictions, write_predictions
from botpsy_core.evaluate.replay import AnswerMissing

_MOST_FAILURES = 3
"""Cases in a row that a model may fail before it counts as gone."""


class Predictor(Protocol):
    """Something that answers cases."""

    async def predict(self, case: Case) -> Prediction:
        """Return the answer to a case; raise HostFault where there can be none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is."""

    done: int
    total: int
    seconds: float
    """Spent so far."""

    @property
    def left_s(self) -> float:
        """Return the seconds that the rest will take, if it goes on like this."""
        return self.seconds / self.done * (self.total - self.done) if self.done else 0.0


def in_shared_order(cases: Iterable[Case]) -> list[Case]:
    """Return the cases so that those with one beginning of the prompt follow each other."""
    return sorted(cases, key=lambda case: (_beginning(case), case.id))


async def run_cases(
    cases: Sequence[Case],
    predictor: Predictor,
    *,
    file: Path | None = None,
    resume: bool = False,
    told: Callable[[Progress], None] = lambda _: None,
) -> dict[str, Prediction]:
    """Return the prediction of every case, in the order of the cases.

    `file` gets each as it comes and all of them in order at the end. Raises HostFault where the model is gone.
    """
    done = _begun(file, cases) if file is not None and resume else {}
    if file is not None:
        write_predictions(file, done.values())
    left = [case for case in in_shared_order(cases) if case.id not in done]
    started = time.monotonic()
    async for prediction in _predicted(left, predictor):
        done[prediction.id] = prediction
        if file is not None:
            _append(file, prediction)
        fresh = len(done) - (len(cases) - len(left))
        told(Progress(done=fresh, total=len(left), seconds=time.monotonic() - started))
    ordered = {case.id: done[case.id] for case in cases}
    if file is not None:
        write_predictions(file, ordered.values())
    return ordered


def _begun(file: Path, cases: Sequence[Case]) -> dict[str, Prediction]:
    """Return what an earlier run left; the line that a kill cut short is no prediction."""
    if not file.exists():
        return {}
    wanted = {case.id for case in cases}
    text = file.read_text(encoding="utf-8")
    if not text.endswith("\n"):
        file.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")
    known = read_predictions(file)
    return {id_: prediction for id_, prediction in known.items() if id_ in wanted and "failed" not in prediction.facts}


async def _predicted(cases: Sequence[Case], predictor: Predictor) -> AsyncIterator[Prediction]:
    """Yield an answer a case; one that failed is marked so, passes nothing, and is tried again on a resumed run."""
    in_a_row = 0
    for case in cases:
        try:
            yield await predictor.predict(case)
            in_a_row = 0
        except AnswerMissing:
            raise
        except HostFault as fault:
            in_a_row += not isinstance(fault, PromptTooLong)
            if in_a_row >= _MOST_FAILURES:
                raise
            yield Prediction(id=case.id, facts={"failed": str(fault)})
        await asyncio.sleep(0)


def _beginning(case: Case) -> str:
    system = [message.get("content") for message in case.messages if message["role"] == "system"]
    return json.dumps([case.tools, system], sort_keys=True, ensure_ascii=False)


def _append(file: Path, prediction: Prediction) -> None:
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(prediction.to_json(), ensure_ascii=False, sort_keys=True) + "\n")
