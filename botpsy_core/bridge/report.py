"""What became of one command, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from botpsy_core.domain.tools import Outcome


class Detail(StrEnum):
    """Why it ended so; for programs and the log."""

    NOT_ENABLED = "not_enabled"
    WRONG_ARGUMENT = "wrong_argument"
    UNAVAILABLE = "unavailable"
    NOT_CONNECTED = "not_connected"
    UNSAFE_NOW = "unsafe_now"
    STALE_STATE = "stale_state"
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
    """A sentence of the profile, where there is one; never the device's own words."""
    seconds: float = 0.0
    """From publishing to the outcome."""

    @property
    def sentence(self) -> str:
        """Return why, to be spoken; empty where the outcome says it all."""
        return self.say or _SENTENCES.get(self.detail, "")


_SENTENCES: Mapping[Detail, str] = {
    Detail.NOT_ENABLED: "This command is not switched on.",
    Detail.WRONG_ARGUMENT: "One of its values is wrong.",
    Detail.NOT_CONNECTED: "There is no connection to the MQTT broker.",
    Detail.DENIED_TOPIC: "Its topic is on the deny list.",
    Detail.NEEDS_PRIVATE_CONNECTION: "It holds a secret, and there is no private connection.",
    Detail.NOBODY_LISTENING: "Nobody listens to it on MQTT.",
    Detail.NOT_ALLOWED: "The MQTT broker does not allow it.",
    Detail.UNCLEAR_ANSWER: "It answered in words that I do not know.",
}
