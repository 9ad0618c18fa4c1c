"""What needs no model: the words leave one tool and one value for each of its arguments."""

from botpsy_core.catalog.validate import check_value
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause, Mood
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Role
from botpsy_core.domain.values import JsonValue
from botpsy_core.errors import BadArguments

SURE = 0.9
"""The score from which a thing was named for certain."""
EXACT = 1.0
"""The score of a name that was said letter by letter."""
AHEAD = 0.15
"""How far before the next thing it must be."""


def decide_by_words(offer: Offer, clause: Clause) -> RawCall | None:
    """Return the only call that the words allow, or None where a model has something to decide.

    What the tool needs and nobody said is left out: no model can know it, and the gate asks.
    """
    told = clause.mood in {Mood.COMMAND, Mood.QUESTION} or clause.complaint is not None
    if not told or clause.absent:
        return None
    wholes = [t for t in offer.tools if t.whole]
    if len(wholes) != 1 or offer.tools[0] is not wholes[0] or len(wholes[0].at) > 1:
        return None
    return _call(wholes[0])


def _call(offered: OfferedTool) -> RawCall | None:
    args: dict[str, JsonValue] = {}
    for slot in offered.slots:
        if slot.argument.name in offered.missing:
            continue
        if slot.words and not slot.choices:
            args[slot.argument.name] = slot.words
            continue
        choice = _only(slot, reading=offered.tool.read_only)
        if choice is None:
            return None
        args[slot.argument.name] = choice.label
    return RawCall(name=offered.tool.name, args=args)


def _only(slot: Slot, *, reading: bool) -> Choice | None:
    """Return the one choice that there is, or that stands clear before the others; in range.

    For reading, the first choice of a target already holds everything that is equally near.
    """
    if not slot.choices:
        return None
    best, *others = slot.choices
    all_in = reading and slot.argument.role is Role.TARGET
    clear = all_in or all(_part_of(other, best) or _far_behind(other, best) or _wider(other, best) for other in others)
    try:
        check_value(slot.argument, best.value)
    except BadArguments:
        return None
    return best if clear else None


def _part_of(other: Choice, best: Choice) -> bool:
    """Return True if the best choice takes the other in, as "the bedroom lights" do the bedroom lamp."""
    if not isinstance(best.value, list) or not isinstance(other.value, list):
        return False
    nearer = best.score > other.score or other.label in best.label.split(", ")
    return best.score >= SURE and nearer and set(map(str, other.value)) <= set(map(str, best.value))


def _wider(other: Choice, best: Choice) -> bool:
    """Return True if the best was named letter by letter, and the other is that and more."""
    if not isinstance(best.value, list) or not isinstance(other.value, list) or best.score < EXACT:
        return False
    return other.score < best.score and set(map(str, best.value)) < set(map(str, other.value))


def _far_behind(other: Choice, best: Choice) -> bool:
    return best.score >= SURE and best.score - other.score >= AHEAD
