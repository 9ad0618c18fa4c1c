"""What a turn tells its host, in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from botpsy_core.domain.tools import ToolCall, ToolResult
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Evidence, Reason, Verdict


class TurnStatus(StrEnum):
    """How a turn ended."""

    DONE = "done"
    REFUSED = "refused"
    ASKED = "asked"
    FAILED = "failed"
    UNCONFIRMED = "unconfirmed"
    """Sent; it may still happen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the turn cost."""

    prompt_tokens: int = 0
    """Tokens of all prompts."""
    prompt_tokens_evaluated: int = 0
    """Of those, the ones that were not read from a cache."""
    generated_tokens: int = 0
    seconds: float = 0.0
    engine_seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Return the sum of both."""
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            prompt_tokens_evaluated=self.prompt_tokens_evaluated + other.prompt_tokens_evaluated,
            generated_tokens=self.generated_tokens + other.generated_tokens,
            seconds=self.seconds + other.seconds,
            engine_seconds=self.engine_seconds + other.engine_seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The gate has spoken about one call, or about a clause that became no call."""

    verdict: Verdict
    evidence: Evidence
    clause: str
    """The words that it is about."""
    certainty: float | None = None
    """The probability, 0 to 1, that the call is what was asked for; None where there is no call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """One call went through a toolbox."""

    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The last event of every turn; there is exactly one."""

    status: TurnStatus
    reply: str
    """What to say; made from outcomes."""
    reason: Reason | None = None
    calls: tuple[ToolCall, ...] = ()
    """The calls that were executed, in order."""
    pending: str | None = None
    """The id of the question that is now open."""
    continue_conversation: bool = False
    """True whenever something was asked."""
    usage: Usage = field(default_factory=Usage)
    trace: Mapping[str, JsonValue] = field(default_factory=dict)
    """What each room saw; for the panel, `explain` and Home Assistant's trace. No secrets."""
    secret: bool = False
    """True where the words may have held a PIN; the arguments of calls are then written down masked."""


type TurnEvent = Decided | Executed | Ended


def ended_of(events: Sequence[TurnEvent]) -> Ended:
    """Return how a whole turn ended."""
    ended = events[-1]
    assert isinstance(ended, Ended)  # every turn ends with it
    return ended
