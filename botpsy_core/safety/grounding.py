"""Trace every part of a call to the words that ask for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from botpsy_core.domain.cues import beside, cue_hits
from botpsy_core.domain.heard import Clause, Heard, How, Span, Target, Value, covered_by
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import OPPOSITES, Argument, Direction, Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.safety.hollow import is_hollow
from botpsy_core.safety.saying import leaves_of
from botpsy_core.safety.tracing import trace_value
from botpsy_core.safety.words import folded, occurrences, words

# Ways to say nearly the same thing of different devices: blinds go up or are opened, a player starts or is switched on.
_KIN: tuple[frozenset[Direction], ...] = (
    frozenset({Direction.OPEN, Direction.UP, Direction.UNLOCK}),
    frozenset({Direction.CLOSE, Direction.DOWN}),
    frozenset({Direction.ON, Direction.START}),
    frozenset({Direction.OFF, Direction.STOP}),
)


class Agreement(StrEnum):
    """How a tool's direction stands to the words."""

    SAID = "said"
    SILENT = "silent"
    """No direction was said, or the tool has none."""
    OTHER = "other"
    """Another direction was said, but not the opposite one."""
    OPPOSITE = "opposite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """Where each part of a call comes from."""

    target: Target | None = None
    """The weakest of the heard targets that the call's things come from."""
    strays: tuple[str, ...] = ()
    """Entity ids of the call that no heard target holds."""
    ungrounded: tuple[str, ...] = ()
    """Arguments whose value stands nowhere in the words."""
    direction: Agreement = Agreement.SILENT
    cued: bool = False
    """True if the tool's own words were said."""
    leftover: tuple[str, ...] = ()
    """Content words that neither hearing nor this call explains."""
    absent: tuple[str, ...] = ()
    """Names that were said, exist nowhere, and are no part of the call's texts."""
    unused: tuple[Value, ...] = ()
    """Numbers and times that were said and are no part of the call."""
    spans: Mapping[str, Span] = field(default_factory=dict)
    """Argument to the words that it comes from."""


def only_schema(spec: ToolSpec) -> bool:
    """Return True for a tool of which only text and schema are known: it has no words and things to look for."""
    return not (spec.cues or spec.target or spec.arguments_of(Role.TARGET))


def ground(call: ToolCall, *, spec: ToolSpec, clause: Clause, heard: Heard, offered: OfferedTool | None) -> Grounding:
    """Trace a call to the words of its clause."""
    spans: dict[str, Span] = {}
    ungrounded: list[str] = []
    loosely = only_schema(spec)
    for argument in spec.arguments:
        value = call.args.get(argument.name)
        if value is None or argument.role is Role.TARGET:
            continue
        span = trace_value(argument, value, clause=clause, heard=heard, offered=offered, loosely=loosely)
        taken = [folded(str(leaf)) for name in spans for leaf in leaves_of(call.args[name])]
        worded = loosely and argument.required and span is not None and span.start < span.end
        hollow = worded and is_hollow(argument, value, spec=spec, heard=heard, taken=taken)
        if span is None or hollow:
            ungrounded.append(argument.name)
        else:
            spans[argument.name] = span
    target, strays = _targets(call, spec, clause)
    cue_spans = cues(spec, clause, heard)
    put_off = [c.span for c in offered.at if c.span is not None] if offered is not None else []
    explained = [*spans.values(), *(cue_spans or ()), *put_off]
    asked = [] if offered is None else _to_be_asked(call, offered)
    return Grounding(
        target=target,
        strays=strays,
        ungrounded=tuple(ungrounded),
        direction=_direction(call, spec, clause),
        cued=cue_spans is not None,
        leftover=_leftover(clause, heard, explained),
        absent=tuple(a for a in clause.absent if not _inside(a, heard.text, explained)),
        unused=tuple(v for v in clause.values if not covered_by(v.span, [*explained, *asked, *_name_spans(clause)])),
        spans=spans,
    )


def is_grounded(argument: Argument, call: ToolCall, *, spec: ToolSpec, heard: Heard) -> bool:
    """Return True if nothing stands in an argument, or what somebody said somewhere in the utterance."""
    value = call.args.get(argument.name)
    if value is None:
        return True
    whole = Span(start=0, end=len(heard.text))
    values = tuple(v for clause in heard.clauses for v in clause.values)
    clause = Clause(text=heard.text, span=whole, mood=heard.clauses[0].mood, values=values)
    return trace_value(argument, value, clause=clause, heard=heard, offered=None, loosely=only_schema(spec)) is not None


def _to_be_asked(call: ToolCall, offered: OfferedTool) -> list[Span]:
    """Return the words of needed values that are left out because they have more than one reading."""
    open_slots = (s for s in offered.slots if s.required and s.argument.name not in call.args)
    return [c.span for slot in open_slots for c in slot.choices if c.span is not None]


def _name_spans(clause: Clause) -> list[Span]:
    return [t.span for t in clause.targets if t.span is not None]


def _leftover(clause: Clause, heard: Heard, explained: Sequence[Span]) -> tuple[str, ...]:
    """Return the unexplained words one by one, less those that the call's own texts and cues take in."""
    left: list[str] = []
    for span in clause.unexplained:
        text = heard.text[span.start : span.end]
        for word in dict.fromkeys(words(text)):
            places = [Span(start=s.start + span.start, end=s.end + span.start) for s in occurrences(word, text)]
            if not places or not all(covered_by(p, explained) for p in places):
                left.append(word)
    return tuple(left)


def cues(spec: ToolSpec, clause: Clause, heard: Heard) -> tuple[Span, ...] | None:
    """Return where the tool's own words stand in the clause, or None where a group of them is missing."""
    groups = cue_hits(spec.cues, clause.text, heard.language)
    if not groups or not all(groups):
        return None
    more = [beside(a.schema, clause.text, heard.language) for a in spec.arguments if a.role is not Role.OPTION]
    return tuple(_shifted(span, clause) for group in (*groups, *more) for span in group)


def _shifted(span: Span, clause: Clause) -> Span:
    return Span(start=span.start + clause.span.start, end=span.end + clause.span.start)


# The weakest way of all those that an act rests on decides; the order is that of `How`.
_TRUST = {how: place for place, how in enumerate(How)}


def _targets(call: ToolCall, spec: ToolSpec, clause: Clause) -> tuple[Target | None, tuple[str, ...]]:
    strays: list[str] = []
    weakest: Target | None = None
    for entity_id in spec.targets_of(call):
        holders = [t for t in clause.targets if entity_id in t.entities]
        if not holders:
            strays.append(entity_id)
            continue
        best = max(holders, key=lambda t: (t.score, -_TRUST[t.how]))
        if weakest is None or (best.score, -_TRUST[best.how]) < (weakest.score, -_TRUST[weakest.how]):
            weakest = best
    return weakest, tuple(strays)


def ways_left(spec: ToolSpec, clause: Clause) -> frozenset[Direction]:
    """Return the ways that a tool may go here: those that were said; all where it can go two opposite ways."""
    ways = spec.directions
    if any(OPPOSITES.get(way) in ways for way in ways):
        return ways
    said = frozenset(way for way in ways if not _kin({way}).isdisjoint(clause.directions))
    return said or ways


def _direction(call: ToolCall, spec: ToolSpec, clause: Clause) -> Agreement:
    if any(_goes_against(call.args.get(argument.name), argument.way, clause) for argument in spec.arguments):
        return Agreement.OPPOSITE
    if not spec.directions or not clause.directions:
        return Agreement.SILENT
    kin = _kin(spec.directions)
    if not kin.isdisjoint(clause.directions):
        return Agreement.SAID
    against = {OPPOSITES[k] for k in kin if k in OPPOSITES}
    return Agreement.OTHER if against.isdisjoint(clause.directions) else Agreement.OPPOSITE


def _goes_against(value: JsonValue, way: Direction | None, clause: Clause) -> bool:
    """Return True if a yes or no goes the other way than the words, and not theirs too: "lock" with unlock = true."""
    against = None if way is None else OPPOSITES.get(way)
    if way is None or against is None or not isinstance(value, bool):
        return False
    goes, other = (way, against) if value else (against, way)
    return _kin({goes}).isdisjoint(clause.directions) and not _kin({other}).isdisjoint(clause.directions)


def _kin(ways: Iterable[Direction]) -> frozenset[Direction]:
    """Return these ways and those that mean nearly the same."""
    return frozenset(kin for way in ways for kin in next((k for k in _KIN if way in k), frozenset({way})))


def _inside(phrase: str, text: str, spans: Sequence[Span]) -> bool:
    places = list(occurrences(phrase, text))
    return bool(places) and all(covered_by(p, spans) for p in places) and bool(folded(phrase))


def required(spec: ToolSpec, call: ToolCall) -> tuple[Argument, ...]:
    """Return the required arguments that the call leaves open."""
    return tuple(a for a in spec.arguments if a.required and call.args.get(a.name) in (None, [], ()))
