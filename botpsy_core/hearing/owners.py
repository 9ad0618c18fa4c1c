"""Owners: whose a thing is; what belongs to somebody whom no name of this home speaks of is no thing of this home."""

from collections.abc import Sequence

from botpsy_core.domain.heard import Span
from botpsy_core.hearing.chunks import Chunk
from botpsy_core.hearing.fitting import fit
from botpsy_core.hearing.index import Bits
from botpsy_core.hearing.reading import Reading, Segment, is_verb
from botpsy_core.hearing.senses import Sense


def others_things(segments: Sequence[Segment], reading: Reading) -> tuple[Span, ...]:
    """Return the words of things that are somebody else's: "Peter's lamp", where nothing of that name is a lamp."""
    found: list[Span] = []
    for at, here in enumerate(segments):
        if not here.has(Sense.GENITIVE) or not at or not _is_owner(segments[at - 1]) or not _follows(segments, at):
            continue
        begin, end = at - 1, at + 1
        while begin and segments[begin - 1].is_unknown:
            begin -= 1
        while end < len(segments) and segments[end].may_name and not is_verb(segments, end):
            end += 1
        if not _bits(segments[begin:at], reading) & _bits(segments[at + 1 : end], reading):
            tokens = reading.tokens
            found.append(Span(start=tokens[segments[begin].first].start, end=tokens[segments[end - 1].last - 1].end))
    return tuple(found)


def _is_owner(here: Segment) -> bool:
    return here.is_unknown or here.has(Sense.OWNER)


def _follows(segments: Sequence[Segment], at: int) -> bool:
    """Return True if a kind or a name of the home follows, and is what is spoken of."""
    after = segments[at + 1] if at + 1 < len(segments) else None
    joined = segments[at - 1].last == segments[at].first
    named = after is not None and (after.name or after.has(Sense.KIND, Sense.PLACE, Sense.FLOOR))
    return named and joined and not is_verb(segments, at + 1)


def _bits(run: Sequence[Segment], reading: Reading) -> Bits:
    """Return all things that a run of words may name, alone or as a group."""
    fitting = fit(Chunk(run[0].first, run[-1].last, linked=False, joined=False, known=True), reading)
    bits = fitting.singles
    for group in fitting.groups:
        bits |= group.bits
    return bits
