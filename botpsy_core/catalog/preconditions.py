"""What has to be so before a call ("all doors must be locked"), as a call of another tool."""

from collections.abc import Sequence

from botpsy_core.catalog.foreign import only_schema
from botpsy_core.catalog.foreign_words import WORD, stems
from botpsy_core.domain.heard import Clause, Mood
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue

_UNWANTED = frozenset({Mood.NEGATED, Mood.CONDITIONAL, Mood.QUESTION})


def named_first(told: Clause, offer: Offer, blocked: ToolCall) -> ToolCall | None:
    """Return the call that a sentence about an unmet precondition names, or None where it names none, or not all of it.

    `told` is the sentence and `offer` what it can mean. A tool is named where the sentence holds every word of its
    name; the longest name wins, and two as long name nothing.
    """
    if told.mood in _UNWANTED:
        return None
    named = [t for t in offer.tools if t.tool.name != blocked.name and _is_named(t.tool, told)]
    longest = max((len(stems(t.tool.called)) for t in named), default=0)
    best = [t for t in named if len(stems(t.tool.called)) == longest]
    args = _only_values(best[0]) if len(best) == 1 else None
    return None if args is None else ToolCall(id="", name=best[0].tool.name, args=args)


def _is_named(tool: ToolSpec, told: Clause) -> bool:
    name, words = stems(tool.called), [word.lower() for word in WORD.findall(told.text)]
    said = all(any(word.startswith(stem) for word in words) for stem in name)
    return only_schema(tool) and not tool.read_only and len(name) > 1 and said


def _only_values(offered: OfferedTool) -> dict[str, JsonValue] | None:
    """Return the one value that each needed argument can have, or None where one has several or none."""
    args: dict[str, JsonValue] = {}
    for slot in offered.slots:
        choices = _said(slot)
        if len(choices) == 1 and not slot.several:
            args[slot.argument.name] = choices[0].value
        elif choices and slot.several:
            args[slot.argument.name] = [c.value for c in choices]
        elif slot.required:
            return None
    return args


def _said(slot: Slot) -> Sequence[Choice]:
    return [c for c in slot.choices if c.span is not None]
