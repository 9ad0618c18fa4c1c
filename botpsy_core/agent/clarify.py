"""Fill the one open slot of a kept call with a short answer; nothing else of the call can change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from botpsy_core.catalog import decide_by_words, only_schema, shortlist
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import PAIR, Clause, Heard, Mood, Span, Target, Value
from botpsy_core.domain.home import Home
from botpsy_core.domain.offer import OfferedTool, Slot
from botpsy_core.domain.tools import Argument, Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.safety import Pending

_ANSWERS = frozenset({Mood.COMMAND, Mood.STATEMENT, Mood.QUESTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A kept call with its slot filled, and the words of question and answer as one."""

    call: ToolCall
    clause: Clause
    heard: Heard
    offered: OfferedTool


def fill(
    pending: Pending, heard: Heard, *, spec: ToolSpec, tools: Sequence[ToolSpec], home: Home, context: TurnContext
) -> Filled | None:
    """Return the kept call with the answer in it, or None where the utterance is no answer to the question."""
    argument = spec.argument(pending.ask.argument or "")
    if argument is None or not is_fragment(heard, tools=tools, home=home, context=context):
        return None
    answer = heard.clauses[0]
    both, whole = joined(pending, heard)
    offer = shortlist(both, heard=whole, tools=(spec,), home=home, context=context)
    offered = offer.tool(spec.name) or pending.offered
    slot = next((s for s in offered.slots if s.argument.name == argument.name), None) if offered else None
    if offered is None or slot is None:
        return None
    if argument.role is Role.TARGET:
        value = _things(argument, answer, pending, home)
    else:
        value = _said(argument, slot, answer, both, pending, offered=offered)
    if value is None:
        return None
    if argument.role is Role.TARGET and isinstance(value, list):
        # What the question told apart and the answer left out is no rival any more.
        both = replace(both, targets=tuple(t for t in both.targets if not set(value).isdisjoint(t.entities)))
        whole = replace(whole, clauses=(both,))
    call = replace(pending.ask.call, args={**pending.ask.call.args, argument.name: value})
    return Filled(call=call, clause=both, heard=whole, offered=offered)


def is_fragment(heard: Heard, *, tools: Sequence[ToolSpec], home: Home, context: TurnContext) -> bool:
    """Return True if an utterance can be an answer: one clause, and no whole request by itself."""
    if len(heard.clauses) != 1 or heard.clauses[0].mood not in _ANSWERS:
        return False
    return not _is_a_command(heard.clauses[0], heard, tools, home, context)


def _is_a_command(answer: Clause, heard: Heard, tools: Sequence[ToolSpec], home: Home, context: TurnContext) -> bool:
    """Return True if the words alone make a whole other request."""
    if not answer.directions:
        return False
    offer = shortlist(answer, heard=heard, tools=tools, home=home, context=context)
    return decide_by_words(offer, answer) is not None


def joined(pending: Pending, heard: Heard) -> tuple[Clause, Heard]:
    """Return question and answer as one clause of one utterance."""
    old, answer = pending.clause, heard.clauses[0]
    shift = len(pending.heard.text) + 1
    text = f"{pending.heard.text} {heard.text}"
    clause = replace(
        old,
        text=text[old.span.start :],
        span=Span(start=old.span.start, end=len(text)),
        targets=(*(_moved_target(t, shift) for t in answer.targets), *old.targets),
        values=(*(_moved_value(v, shift) for v in answer.values), *old.values),
        absent=answer.absent,
        both=answer.both,
        unexplained=(*old.unexplained, *(_moved(s, shift) for s in answer.unexplained)),
    )
    return clause, replace(pending.heard, text=text, clauses=(clause,))


def _moved(span: Span, shift: int) -> Span:
    return Span(start=span.start + shift, end=span.end + shift)


def _moved_target(target: Target, shift: int) -> Target:
    return target if target.span is None else replace(target, span=_moved(target.span, shift))


def _moved_value(value: Value, shift: int) -> Value:
    return replace(value, span=_moved(value.span, shift))


def _said(
    argument: Argument, slot: Slot, answer: Clause, both: Clause, pending: Pending, *, offered: OfferedTool
) -> JsonValue:
    """Return what the answer says for the slot, or None; for a foreign number its choices are all that fit it."""
    start = len(pending.heard.text) + 1
    if argument.role is Role.TEXT:
        return answer.text.strip()
    said = [c.value for c in slot.choices if c.span is not None and c.span.start >= start]
    if said:
        return said[0]
    if argument.role is Role.OPTION or (argument.role is Role.NUMBER and only_schema(offered.tool)):
        return None
    return next((v.value for v in both.values if v.span.start >= start and not v.relative), None)


def _things(argument: Argument, answer: Clause, pending: Pending, home: Home) -> JsonValue:
    """Return the ids that the answer names among those that were asked about; it can never name another thing."""
    asked = asked_about(argument, pending, home)
    if answer.both:
        return list(asked) if len(asked) == PAIR else None
    for target in answer.targets:
        named = [i for i in asked if i in target.entities]
        if named:
            return named
    return None


def asked_about(argument: Argument, pending: Pending, home: Home) -> list[str]:
    """Return the ids behind the options of the question; behind every choice of the slot where it listed none."""
    slots = pending.offered.slots if pending.offered is not None else ()
    choices = [c for s in slots if s.argument.name == argument.name for c in s.choices]
    options = pending.ask.options
    ids = [i for c in choices if not options or c.label in options for i in _ids(c.value)]
    ids += [e.id for e in home.entities if e.name in options and e.id in _ids(pending.ask.call.args.get(argument.name))]
    return list(dict.fromkeys(ids))


def _ids(value: JsonValue) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list | tuple) else [str(value)] if value else []
