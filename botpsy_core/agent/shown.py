"""The names under which a model sees tools: what a tool is called stands for a name that says nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.messages import AssistantMessage, Message, ResultMessage, Transcript
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import RESERVED_NAMES, ToolCall, ToolSpec


@dataclass(frozen=True, slots=True)
class Shown:
    """Tools as the model sees them, and its calls as everybody else does."""

    names: Mapping[str, str]
    """By a tool's own name, the one that is shown; only where it is another."""

    @classmethod
    def of(cls, tools: Sequence[ToolSpec]) -> Shown:
        """Return the names of these tools; two that are called the same keep their own.

        So does one that is called as a word of the grammar is.
        """
        called = Counter((*RESERVED_NAMES, *(t.called for t in tools)))
        return cls({t.name: t.called for t in tools if t.called != t.name and called[t.called] == 1})

    def tools(self, tools: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
        """Return the tools under these names."""
        return tuple(replace(t, name=self.names[t.name]) if t.name in self.names else t for t in tools)

    def offer(self, offer: Offer) -> Offer:
        """Return the offer under these names."""
        shown = self.tools([t.tool for t in offer.tools])
        return replace(offer, tools=tuple(replace(t, tool=s) for t, s in zip(offer.tools, shown, strict=True)))

    def transcript(self, transcript: Transcript) -> Transcript:
        """Return the talk with its calls under these names."""
        return replace(transcript, messages=tuple(self._message(m) for m in transcript.messages))

    def own(self, raw: RawCall) -> RawCall:
        """Return what the model wrote under the tool's own name."""
        return replace(raw, name=next((own for own, shown in self.names.items() if shown == raw.name), raw.name))

    def _message(self, message: Message) -> Message:
        match message:
            case AssistantMessage():
                return replace(message, calls=tuple(self._call(c) for c in message.calls))
            case ResultMessage():
                return replace(message, call=self._call(message.call))
            case _:
                return message

    def _call(self, call: ToolCall) -> ToolCall:
        return replace(call, name=self.names.get(call.name, call.name))
