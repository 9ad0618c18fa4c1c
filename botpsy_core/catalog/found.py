"""Values that earlier results hold, as choices for the arguments of foreign tools that ask for them.

What was read may fill an argument and can never choose a tool: only slots change here, the tools of an offer do not.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from botpsy_core.catalog.facts import Fact, name_words
from botpsy_core.catalog.foreign import FOREIGN
from botpsy_core.domain.heard import Clause, Span, covered_by
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Argument, Role
from botpsy_core.domain.values import JsonValue

MOST_CHOICES = 8
WORD = re.compile(r"[^\W_]{3,}")
BARE = frozenset({"id", "name", "number", "value", "result", "status", "type", "message"})
"""Keys that mean something only beside another word."""


def found(offer: Offer, facts: Sequence[Fact], *, clause: Clause, said_before: str = "") -> Offer:
    """Return the offer with values of earlier results where the words give none.

    `said_before` is our last reply, which may have named what the user now agrees to. A choice has the span of the
    words that point at its record, and none where no word does.
    """
    if not facts:
        return offer
    return replace(offer, tools=tuple(_filled(t, facts, clause, said_before) for t in offer.tools))


def told_for(argument: Argument, facts: Sequence[Fact], clause: Clause) -> JsonValue:
    """Return the first of the facts that an argument asks for, or None."""
    return next((f.value for f in facts if _suits(f, argument, clause)), None)


def _filled(offered: OfferedTool, facts: Sequence[Fact], clause: Clause, said_before: str) -> OfferedTool:
    if offered.tool.binding.get("kind") != FOREIGN:
        return offered
    slots = [_with_found(slot, facts, clause, said_before) for slot in offered.slots]
    slots = _shared_out(slots, offered.slots)
    given = [s.argument.name for s, old in zip(slots, offered.slots, strict=True) if s is not old]
    return replace(offered, slots=tuple(slots), missing=tuple(m for m in offered.missing if m not in given))


def _with_found(slot: Slot, facts: Sequence[Fact], clause: Clause, said_before: str) -> Slot:
    if any(c.span is not None for c in slot.choices):
        return slot
    levels = [(fact, level) for fact in facts if (level := _suits(fact, slot.argument, clause))]
    best = max((level for _, level in levels), default=0)
    asked_for = [fact for fact, level in levels if level == best]
    if not asked_for:
        return slot
    newest = [f for f in asked_for if f.result == asked_for[0].result or _is_list(slot.argument)]
    pointed, span = _pointed_at(newest, clause, said_before)
    choices = tuple(_choices(pointed, slot.argument, span))
    return replace(slot, choices=choices, words="") if choices else slot


def _suits(fact: Fact, argument: Argument, clause: Clause) -> int:
    """Return how well an argument asks for a fact: 3 by its name, 2 in part, 1 by description or the user's word."""
    if not _is_of_type(fact.value, argument):
        return 0
    key, name = name_words(fact.key), name_words(argument.name)
    text = name_words(argument.description)
    if argument.role is Role.OPTION:
        return int(bool((key - BARE) & (name | text)))
    if name <= key:
        return 3 if name - BARE else 0
    if key <= name:
        return 2 if key - BARE or (name - key) <= name_words(fact.source) else 0
    if not _is_unspeakable(fact.value) or argument.role not in {Role.TEXT, Role.FREE}:
        return 0
    spoken = (key - BARE) & {w.removesuffix("s") for w in _content(clause)}
    return int(bool(spoken) or (key <= (name | text) and bool(key - BARE)))


def _is_of_type(value: JsonValue, argument: Argument) -> bool:
    schema = argument.schema
    if _is_list(argument):
        items = schema.get("items")
        schema = items if isinstance(items, dict) else {"type": "string"}
    options = schema.get("enum")
    if isinstance(options, Sequence):
        return _option(value, options) is not None
    if schema.get("type") in {"number", "integer"}:
        return isinstance(value, int | float) and not (schema.get("type") == "integer" and value != int(value))
    return schema.get("type", "string") == "string" and isinstance(value, str)


def _is_unspeakable(value: JsonValue) -> bool:
    """Return True for what nobody says in words: an id, a number of digits, an address."""
    return not isinstance(value, str) or any(c.isdigit() for c in value)


def _is_list(argument: Argument) -> bool:
    return argument.schema.get("type") == "array"


def _option(value: JsonValue, options: Iterable[JsonValue]) -> JsonValue:
    return next((o for o in options if str(o).casefold() == str(value).casefold()), None)


def _pointed_at(facts: Sequence[Fact], clause: Clause, said_before: str) -> tuple[list[Fact], Span | None]:
    """Return the facts in whose record most of the telling words stand, and where in the clause those words stand.

    The user's words count first; where they tell no record from another, our last reply does.
    """
    records = [{w.lower() for w in WORD.findall(f.record)} for f in facts]
    for places, start in ((_content(clause), clause.span.start), (_places(said_before), None)):
        telling = [w for w in places if 0 < sum(w in r for r in records) < len(records)]
        counts = [sum(_weight(w) for w in telling if w in record) for record in records]
        best = max(counts, default=0)
        if best:
            hits = [places[w] for w in telling if w in records[counts.index(best)]]
            at, end = min(m.start() for m in hits), max(m.end() for m in hits)
            kept = [f for f, count in zip(facts, counts, strict=True) if count == best]
            return kept, None if start is None else Span(start=start + at, end=start + end)
    return list(facts), None


def _weight(word: str) -> int:
    """Return how much a word says of a record: a name with digits is seldom in two."""
    return 4 if any(c.isdigit() for c in word) and not word.isdigit() else 1


def _places(text: str) -> dict[str, re.Match[str]]:
    return {m[0].lower(): m for m in reversed(list(WORD.finditer(text)))}


def _content(clause: Clause) -> dict[str, re.Match[str]]:
    """Return where the words of a clause stand that are no function words."""
    at = clause.span.start
    named = [t.span for t in clause.targets if t.span is not None]
    kept = (*clause.unexplained, *named, *(v.span for v in clause.values))
    places = _places(clause.text)
    return {w: m for w, m in places.items() if covered_by(Span(start=at + m.start(), end=at + m.end()), kept)}


def _choices(facts: Iterable[Fact], argument: Argument, span: Span | None) -> Iterable[Choice]:
    seen: set[str] = set()
    options = argument.schema.get("enum")
    for fact in facts:
        value = _option(fact.value, options) if isinstance(options, Sequence) else fact.value
        label = value if isinstance(value, str) else repr(value)
        if label not in seen and len(seen) < MOST_CHOICES:
            yield Choice(label=label, value=[value] if _is_list(argument) else value, span=span)
        seen.add(label)


def _shared_out(slots: list[Slot], before: Sequence[Slot]) -> list[Slot]:
    """Give each of several arguments that ask for the same as many things its own, in the order they were told."""
    new = [i for i, (slot, old) in enumerate(zip(slots, before, strict=True)) if slot is not old and slot.required]
    for i in new:
        alike = [j for j in new if slots[j].choices == slots[i].choices]
        if len(alike) > 1 and len(alike) == len(slots[i].choices):
            told = slots[i].choices[::-1]  # the newest came first
            for j, choice in zip(alike, told, strict=True):
                slots[j] = replace(slots[j], choices=(choice,))
    return slots
