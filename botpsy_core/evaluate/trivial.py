"""Answers that need no thought, to see what a figure is worth: whoever refuses everything passes half of the cases."""

from enum import StrEnum

from botpsy_core.evaluate.cases import Case
from botpsy_core.evaluate.prediction import Made, Prediction


class Habit(StrEnum):
    """What is always done."""

    REFUSE = "refuse"
    FIRST_TOOL = "first-tool"
    SILENT = "silent"


class Trivial:
    """A predictor with one habit."""

    def __init__(self, habit: Habit) -> None:
        """Take the habit."""
        self._habit = habit

    async def predict(self, case: Case) -> Prediction:
        """Return the same answer to every case."""
        call = Made(name=next(iter(case.functions), "nothing"))
        calls = (call,) if self._habit is Habit.FIRST_TOOL else ()
        turns = tuple(calls for _ in case.expected["turns"]) if "turns" in case.expected else None
        text = "I cannot do that." if self._habit is Habit.REFUSE else ""
        return Prediction(id=case.id, calls=calls if turns is None else (), text=text, final_text=text, turns=turns)
