"""The bounds of one turn."""

from dataclasses import dataclass

from botpsy_core.dialect import ThinkingBudget

MAX_CHARACTERS = 2000
"""Of an utterance; more is refused politely."""

MAX_CLAUSES = 12
"""Things that one utterance may ask for; more is refused as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLimits:
    """What a turn may cost."""

    rounds: int = 2
    """Times that the model is asked about one clause: once, and once more after a mistake."""
    tokens: int = 256
    """Tokens of one decision."""
    generation_s: float = 30.0
    """Seconds of one decision."""
    thinking: ThinkingBudget | None = None
    """What a thought before a decision may cost; None for none, which is right for commands."""
