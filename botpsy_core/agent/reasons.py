"""Say no before any model is asked, where the words alone are reason enough."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from botpsy_core.domain.cues import cue_hits
from botpsy_core.domain.heard import TIMES, Clause, Heard, Mood, Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import Direction, Role, ToolSpec
from botpsy_core.domain.verdicts import Reason, Refuse
from botpsy_core.safety import Policy, nearest_names, only_schema, topics_in

_NOTHING_TO_DO: Mapping[Mood, Reason] = {
    Mood.NEGATED: Reason.NEGATED,
    Mood.CONDITIONAL: Reason.NOT_A_COMMAND,
    Mood.REPORTED: Reason.NOT_A_COMMAND,
    Mood.EXPLANATION: Reason.QUESTION,
}


def before_the_model(clause: Clause) -> Refuse | None:
    """Return the refusal of a clause that asks for nothing now, or None."""
    reason = _NOTHING_TO_DO.get(clause.mood)
    if clause.mood is Mood.STATEMENT and clause.directions:
        reason = Reason.NOT_A_COMMAND  # "the light is on" tells of an act and asks for none
    return None if reason is None else Refuse(reason=reason)


def without_own_words(clause: Clause, tools: Sequence[ToolSpec], language: str) -> Clause:
    """Return a clause without absent names that are a tool's own words: "next appointment" and "timer" are no device.

    Of a question a tool that reads what others wrote speaks so; of anything one that acts on no thing, whose
    words then mean nothing to the other tools.
    """
    if not clause.absent:
        return clause
    asked = clause.mood is Mood.QUESTION
    reading = [t for t in tools if asked and t.read_only and t.untrusted_result and t.cues]
    alone = [t for t in tools if t.cues and t.target is None and not t.arguments_of(Role.TARGET)]
    read, own = (_own_words(which, clause, language) for which in (reading, alone))
    kept = tuple(name for name in clause.absent if not any(_in_name(name, hit, clause.text) for hit in (*read, *own)))
    at = clause.span.start
    meant = {
        Span(start=h.start + at, end=h.end + at) for h in own for n in clause.absent if _in_name(n, h, clause.text)
    }
    more = [span for span in meant if not any(span.overlaps(known) for known in clause.unexplained)]
    return replace(clause, absent=kept, unexplained=tuple(sorted((*clause.unexplained, *more), key=lambda s: s.start)))


def _own_words(tools: Sequence[ToolSpec], clause: Clause, language: str) -> list[Span]:
    """Return where words stand of the tools that were spoken of."""
    groups = [cue_hits(t.cues, clause.text, language) for t in tools]
    return [hit for hits in groups if hits and all(hits) for group in hits for hit in group]


def _in_name(name: str, hit: Span, text: str) -> bool:
    start = text.find(name)
    return start >= 0 and hit.overlaps(Span(start=start, end=start + len(name)))


def why_nothing_fits(offer: Offer, clause: Clause, heard: Heard, *, home: Home, policy: Policy) -> Refuse | None:
    """Return why no tool can serve the clause, or None where one may."""
    quotes = any(s.words or s.argument.role is Role.FREE for t in offer.tools for s in t.slots)
    quotes = quotes or any(only_schema(t.tool) for t in offer.tools)
    if clause.absent and not quotes:
        name = clause.absent[0]
        nearest = ", ".join(nearest_names(name, home))
        return Refuse(reason=Reason.ABSENT_DEVICE, detail={"name": name, "nearest": nearest})
    topics = topics_in(clause, heard, policy, outside=[t.span for t in clause.targets if t.span is not None])
    if topics and not quotes:
        return Refuse(reason=Reason.EXCLUDED_TOPIC, detail={"topic": min(topics)})
    if not offer.tools or _later_and_only_read(offer, clause):
        return Refuse(reason=Reason.NO_SUITABLE_TOOL)
    return None


def _later_and_only_read(offer: Offer, clause: Clause) -> bool:
    """Return True for an act at another time for which nothing but reading is left: a state is no answer to that."""
    acts = frozenset(clause.directions) - {Direction.SEND}
    return (
        clause.mood is Mood.COMMAND
        and bool(acts)
        and any(v.kind in TIMES for v in clause.values)
        and all(t.tool.read_only for t in offer.tools)
    )
