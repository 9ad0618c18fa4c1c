"""What came of a line; knows nothing of Home Assistant."""

from dataclasses import dataclass
from enum import StrEnum

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "hi")


class Outcome(StrEnum):
    """What came of a line."""

    RIGHT = "right"
    ASKED = "asked"
    REFUSED = "refused"
    PARTLY = "partly"
    """Some of what was wanted was done, and nothing else."""
    WRONG = "wrong"
    """Something was done that was not wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One line, and what came of it."""

    said: str
    want: str
    outcome: Outcome
    reply: str
    by_words: bool
    """True where no model was asked."""
    done: str = ""
    """What changed, in words."""

    @property
    def is_command(self) -> bool:
        """Whether something was to be done or told."""
        return self.want != "nothing"
