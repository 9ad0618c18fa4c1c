"""Tell a follow-up of another integration's call: "make it 22", "and Rome", "set them to blue".

What the words change changes, the rest of the last call stays as the user had it; by code, since a small model would
change more.
"""

from dataclasses import replace

from botpsy_core.catalog import shortlist
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import AssistantMessage, Transcript, UserMessage
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Role, ToolCall, ToolSpec

MOST_WORDS = 6
"""Of a follow-up; more is a request of its own."""


def followed_up(
    clause: Clause,
    heard: Heard,
    *,
    transcript: Transcript,
    tools: tuple[ToolSpec, ...],
    home: Home,
    context: TurnContext,
) -> Offer | None:
    """Return the last call's tool with what a clause changes of it, or None where the clause is no follow-up."""
    call = _last_call(transcript)
    tool = next((t for t in tools if call is not None and t.name == call.name), None)
    if call is None or tool is None or tool.arguments_of(Role.TARGET) or tool.binding.get("kind") != "foreign":
        return None
    if clause.targets or len(clause.text.split()) > MOST_WORDS:
        return None
    offered = shortlist(clause, heard=heard, tools=(tool,), home=home, context=context).tool(tool.name)
    changed = {} if offered is None else _changed(offered, clause)
    if offered is None or not changed or _left_over(changed, clause):
        return None
    kept = [
        _kept(s, call, clause) if s.argument.name not in changed else changed[s.argument.name] for s in offered.slots
    ]
    slots = tuple(s for s in kept if s is not None)
    return Offer(tools=(replace(offered, slots=slots, missing=(), whole=True),))


def _last_call(transcript: Transcript) -> ToolCall | None:
    """Return the call of the last exchange, where it made just one."""
    for message in reversed(transcript.messages):
        match message:
            case AssistantMessage(calls=calls) if calls:
                return calls[0] if len(calls) == 1 else None
            case UserMessage():
                return None
            case _:
                continue
    return None


def _changed(offered: OfferedTool, clause: Clause) -> dict[str, Slot]:
    """Return the slots for which the clause has words: one value each."""
    found: dict[str, Slot] = {}
    for slot in offered.slots:
        heard = tuple(c for c in slot.choices if c.span is not None and c.span.overlaps(clause.span))
        if len(heard) == 1:
            found[slot.argument.name] = replace(slot, choices=heard, words="")
    texts = [s for s in offered.slots if not s.choices and s.argument.schema.get("type") == "string"]
    if not found and len(texts) == 1 and len(clause.unexplained) == 1:
        span = clause.unexplained[0]
        text = clause.text[span.start - clause.span.start : span.end - clause.span.start]
        choice = Choice(label=text, value=text, span=span)
        found[texts[0].argument.name] = replace(texts[0], choices=(choice,), words="")
    return found


def _left_over(changed: dict[str, Slot], clause: Clause) -> bool:
    """Return True if the clause has words that no changed value explains."""
    spans = [c.span for slot in changed.values() for c in slot.choices if c.span is not None]
    values = [v.span for v in clause.values]
    return any(not any(s.overlaps(by) for by in spans) for s in (*clause.unexplained, *values))


def _kept(slot: Slot, call: ToolCall, clause: Clause) -> Slot | None:
    """Return a slot with the value that it had; None for one that had none."""
    if slot.argument.name not in call.args:
        return None
    value = call.args[slot.argument.name]
    at = Span(start=clause.span.start, end=clause.span.end)  # the words stand for the whole of the last request
    return replace(slot, choices=(Choice(label=str(value), value=value, span=at),), words="")
