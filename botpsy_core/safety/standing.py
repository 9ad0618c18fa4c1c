"""What the guard remembers from before this call, as one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.tools import Risk, ToolCall
from botpsy_core.domain.verdicts import AskKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Counts and switches that the gate reads and never changes."""

    calls: int = 0
    """Writes that this turn has let through."""
    risky: int = 0
    """Of those, the ones of security or hazard."""
    last_minute: Mapping[Risk, int] = field(default_factory=dict)
    """Acts of each class in the last sixty seconds."""
    pin_set: bool = False
    locked_out: bool = False
    """True after too many wrong PINs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """A person's answer to one question about one exact call; only `Confirmations` makes one."""

    call: ToolCall
    level: AskKind
    conversation_id: str
    user_id: str | None = None
    device_id: str | None = None

    def covers(self, call: ToolCall, context: TurnContext) -> bool:
        """Return True if this answers for this call in this conversation."""
        return self.call == call and self.conversation_id == context.conversation_id
