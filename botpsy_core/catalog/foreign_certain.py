"""Tell the one call of a foreign tool that a few words leave ("set them to purple"), so that no model is asked."""

from botpsy_core.catalog.foreign_words import stems
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.offer import Choice, Offer, Slot
from botpsy_core.domain.tools import Role

MOST_WORDS = 5
"""Of words that say nothing but an option."""


def said_by_option(offer: Offer, clause: Clause) -> RawCall | None:
    """Return the call of the only tool that has an option which was said, where nothing else was and all of it was."""
    if not 0 < len(clause.text.split()) <= MOST_WORDS:
        return None
    having = [t for t in offer.tools if any(s.argument.role is Role.OPTION and _own(s, clause) for s in t.slots)]
    if len(having) != 1 or having[0].tool.read_only:
        return None
    values = {s.argument.name: _said(s, clause) for s in having[0].slots}
    if any(len(choices) != 1 for choices in values.values()):
        return None
    return RawCall(name=having[0].tool.name, args={name: choices[0].label for name, choices in values.items()})


def _said(slot: Slot, clause: Clause) -> list[Choice]:
    return [c for c in slot.choices if c.span is not None and c.span.overlaps(clause.span)]


def _own(slot: Slot, clause: Clause) -> bool:
    """Return True if every word of an option was said, and nothing else but the verb before it."""
    said, first = stems(clause.text), stems(clause.text.split(maxsplit=1)[0])
    options = [stems(c.label) for c in _said(slot, clause)]
    return any(option and option <= said and said - option <= first for option in options)
