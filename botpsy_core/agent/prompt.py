"""What the model is told: as little as it needs, the same for every turn."""

from collections.abc import Sequence
from dataclasses import replace

from botpsy_core.catalog import only_schema
from botpsy_core.dialect import signatures
from botpsy_core.domain.heard import Clause, How
from botpsy_core.domain.messages import ResultMessage, Transcript, UserMessage
from botpsy_core.domain.offer import Choice, Offer
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, Role, ToolSpec

SYSTEM = (
    "You control a home. Call the one tool that does what the user asks, with values from the user's words. "
    f"If no tool does it, call {NO_SUITABLE_TOOL}. If something needed was not said, call {ASK_USER}."
)
"""Short, because a small machine reads about a hundred tokens a second."""

_MOST_LISTED = 16
"""Foreign tools that a prompt lists in full; a small machine would read more of them for a minute."""
_MOST_SHOWN = 10
"""Of more than those: tools that one decision is about."""
FOREIGN = (
    "Call the function that does what the user asks. Take each value from the user's words, and leave out what was "
    f"not said. If no function does it, call {NO_SUITABLE_TOOL}. If something needed was not said, call {ASK_USER}."
)
"""The same for requests that only other people's tools can serve."""

_MOST_LABELS = 12
_SHORT = 4
"""Words of a clause that names nothing: "make it 22", "and the hall", "set them to blue"."""


def system_of(tools: Sequence[ToolSpec], instructions: str = "") -> str:
    """Return the system text with one line for each tool of the home; the grammar knows its arguments."""
    lines = [f"{t.name}: {t.description}" for t in tools if not is_foreign(t)]
    task = FOREIGN if tools and all(only_schema(t) for t in tools) else SYSTEM
    parts = [task, *(["Tools:", *lines] if lines else []), *([instructions] if instructions else [])]
    return "\n".join(parts)


def listed_of(tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """Return the foreign tools that the prompt's beginning lists in full: all of them, or none where they are many."""
    foreign = [t for t in tools if is_foreign(t)]
    return foreign if len(foreign) <= _MOST_LISTED else []


def narrowed(offer: Offer, tools: Sequence[ToolSpec]) -> Offer:
    """Return the part of an offer that the model gets to see: the best few, where the tools are too many to list."""
    many = len(listed_of(tools)) < sum(is_foreign(t) for t in tools)
    return replace(offer, tools=offer.tools[:_MOST_SHOWN]) if many else offer


def is_foreign(tool: ToolSpec) -> bool:
    """Return True for another integration's tool: only its schema tells what its arguments are."""
    return tool.binding.get("kind") == "foreign"


def note_of(offer: Offer, clause: Clause, listed: Sequence[ToolSpec] = ()) -> str:
    """Return the candidates that the grammar offers, so that the model knows what it chooses from.

    A foreign tool that is not `listed` stands here with its arguments, for this one decision.
    """
    unlisted = [t for t in offer.tools if is_foreign(t.tool) and t.tool not in listed]
    names = [t.tool.name for t in offer.tools if t not in unlisted]
    things = [choice.label for choice in things_shown(offer)]
    lines = [signatures(unlisted)] if unlisted else []
    lines.append(f"Tools: {', '.join([*names, NO_SUITABLE_TOOL])}")
    if things:
        lines.append(f"Things: {', '.join(things)}")
    if clause.directions:
        lines.append(f"Heard: {', '.join(d.value for d in clause.directions)}")
    return "\n".join(lines)


def things_shown(offer: Offer) -> tuple[Choice, ...]:
    """Return the things that the prompt names, best first, each label once; no more than a small model can weigh."""
    choices = (c for t in offer.tools for s in t.slots if s.argument.role is Role.TARGET for c in s.choices)
    by_label: dict[str, Choice] = {}
    for choice in choices:
        by_label.setdefault(choice.label, choice)
    return tuple(by_label.values())[:_MOST_LABELS]


def history_of(transcript: Transcript, clause: Clause, *, foreign: bool = False) -> Transcript:
    """Return the part of the talk that the model reads for this clause: the last exchange, where the words point back.

    What was spoken of is found by code and stands among the things; a clause that says its own direction needs no more,
    unless results of its own turn are there, or it is short and only other people's tools are there (`foreign`).
    An exchange costs more tokens than the whole decision, so a talk that is read in full makes each command slower.
    """
    begun = bool(transcript.messages) and isinstance(transcript.messages[-1], ResultMessage)
    short = foreign and not clause.targets and len(clause.text.split()) <= _SHORT
    points_back = begun or short or not clause.directions or any(t.how is How.REFERENCE for t in clause.targets)
    last = max((i for i, m in enumerate(transcript.messages) if isinstance(m, UserMessage)), default=None)
    if not points_back or last is None:
        return Transcript()
    return Transcript(messages=transcript.messages[last:])


def is_untrusted(transcript: Transcript) -> bool:
    """Return True if a talk holds text that somebody else may have written."""
    return any(isinstance(m, ResultMessage) and m.result.untrusted for m in transcript.messages)
