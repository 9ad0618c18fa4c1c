"""Tell a foreign tool that leaves out what was said from another that has a place for it."""

from botpsy_core.catalog.foreign_words import stems
from botpsy_core.domain.heard import Span
from botpsy_core.domain.offer import Offer, OfferedTool
from botpsy_core.domain.tools import Role


def better_placed(name: str, offer: Offer) -> Offer:
    """Return the part of an offer that outdoes a tool; empty where none does.

    Such a tool is as like the words at least, takes every value that this one takes, and one of its options was said of
    which this one knows nothing: "with my debit card".
    """
    chosen = offer.tool(name)
    if chosen is None:
        return Offer()
    return Offer(tools=tuple(t for t in offer.tools if _outdoes(t, chosen)), must_call=True)


def _outdoes(tool: OfferedTool, chosen: OfferedTool) -> bool:
    if tool.score < chosen.score or tool.tool.name == chosen.tool.name or tool.missing:
        return False
    held = _spans(chosen)
    if not all(any(span.overlaps(own) for own in _spans(tool)) for span in held):
        return False
    known = stems(f"{chosen.tool.called} {chosen.tool.description} {_texts(chosen)}")
    options = [c for s in tool.slots if s.argument.role is Role.OPTION for c in s.choices if c.span is not None]
    return any(
        stems(c.label).isdisjoint(known) and not any(c.span.overlaps(h) for h in held) for c in options if c.span
    )


def _spans(tool: OfferedTool) -> list[Span]:
    return [c.span for s in tool.slots for c in s.choices if c.span is not None]


def _texts(tool: OfferedTool) -> str:
    return " ".join(f"{a.name} {a.description} {a.schema.get('enum', '')}" for a in tool.tool.arguments)
