"""The talk so far, as values."""

from dataclasses import dataclass

from botpsy_core.domain.tools import ToolCall, ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What a person said."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """What we said, and the calls that we made before saying it."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultMessage:
    """What became of one call."""

    call: ToolCall
    result: ToolResult


type Message = UserMessage | AssistantMessage | ResultMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The messages of one conversation, oldest first; the newest utterance is not in it."""

    messages: tuple[Message, ...] = ()

    def extended(self, *messages: Message) -> Transcript:
        """Return a transcript with these messages at its end."""
        return Transcript(messages=(*self.messages, *messages))
