"""What became of one command, and why."""

from dataclasses import dataclass
from enum import StrEnum

from botpsy_core.domain.tools import Outcome


class Detail(StrEnum):
    """Why it ended so; for the reply and the log."""

    NOT_ENABLED = "not_enabled"
    WRONG_ARGUMENT = "wrong_argument"
    UNAVAILABLE = "unavailable"
    NOT_CONNECTED = "not_connected"
    UNSAFE_NOW = "unsafe_now"
    STALE_STATE = "stale_state"
    RATE_LIMITED = "rate_limited"
    BUSY = "busy"
    DENIED_TOPIC = "denied_topic"
    NEEDS_PRIVATE_CONNECTION = "needs_private_connection"
    NOBODY_LISTENING = "nobody_listening"
    NOT_ALLOWED = "not_allowed"
    NO_ANSWER = "no_answer"
    UNCLEAR_ANSWER = "unclear_answer"
    NOT_SEEN = "not_seen"
    NONE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of one command."""

    outcome: Outcome
    detail: Detail = Detail.NONE
    say: str = ""
    """A sentence of the profile or of ours, where there is one; never the device's own words."""
    seconds: float = 0.0
    """From publishing to the outcome."""
    attempts: int = 0
