"""What follows from the offer alone: a read of everything that fits, a question for what is missing or wrong."""

from botpsy_core.catalog import decide_by_words
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Role
from botpsy_core.domain.values import JsonValue

_NEAR = 0.1
"""Things whose score differs by less are asked about together."""


def decide_without_model(offer: Offer, clause: Clause) -> RawCall | None:
    """Return the call that needs no model, for the gate to judge; it may lack what has to be asked for."""
    return (
        decide_by_words(offer, clause)
        or _read_of_all(offer)
        or _incomplete(offer)
        or _only_one(offer)
        or _which_one(offer)
    )


def _read_of_all(offer: Offer) -> RawCall | None:
    """Return a read of every thing that fits the question equally well; reading too much harms nobody."""
    if not offer.tools or not offer.tools[0].tool.read_only or not offer.tools[0].whole:
        return None
    best = offer.tools[0]
    args: dict[str, JsonValue] = {}
    for slot in best.slots:
        if slot.argument.role is Role.TARGET and slot.choices:
            top = max(c.score for c in slot.choices)
            args[slot.argument.name] = [c.label for c in slot.choices if top - c.score < _NEAR]
        elif slot.required:
            only = _single(slot)
            if only is None:
                return None
            args[slot.argument.name] = only.label
    return RawCall(name=best.tool.name, args=args)


def _incomplete(offer: Offer) -> RawCall | None:
    """Return the best tool's call without what nobody said, where no tool of the offer is complete."""
    if not offer.tools or any(not t.missing for t in offer.tools):
        return None
    return _filled(offer.tools[0])


def _only_one(offer: Offer) -> RawCall | None:
    """Return the call of the one tool that makes sense of every word, where its values leave no choice."""
    if len(offer.tools) != 1 or not offer.tools[0].whole:
        return None
    open_slots = [s for s in offer.tools[0].slots if s.required and _single(s) is None and not _is_text(s)]
    return None if open_slots else _filled(offer.tools[0])


def _which_one(offer: Offer) -> RawCall | None:
    """Return the one tool's call without its target, where several things fit the same words equally well."""
    if len(offer.tools) != 1 or not offer.tools[0].whole:
        return None
    best = offer.tools[0]
    open_slots = [s for s in best.slots if s.required and _single(s) is None]
    alike = [s for s in open_slots if s.argument.role is Role.TARGET and _equally_near(s)]
    return _filled(best) if alike and alike == open_slots else None


def _equally_near(slot: Slot) -> bool:
    top = [c for c in slot.choices if slot.choices[0].score - c.score < _NEAR]
    return len(top) > 1 and len({c.span for c in top}) == 1


def _filled(offered: OfferedTool) -> RawCall:
    singles = {s.argument.name: c.label for s in offered.slots if (c := _single(s)) is not None}
    texts = {s.argument.name: s.words for s in offered.slots if s.words and not s.choices}
    return RawCall(name=offered.tool.name, args={**texts, **singles})


def _is_text(slot: Slot) -> bool:
    """Return True for words that were said for it; a tool that is whole knows which."""
    return bool(slot.words) and not slot.choices


def _single(slot: Slot) -> Choice | None:
    return slot.choices[0] if len(slot.choices) == 1 else None
