"""Find the excluded topics that some words speak of."""

from collections.abc import Iterable

from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.safety.policy import Policy
from botpsy_core.safety.words import occurrences


def topics_in(clause: Clause, heard: Heard, policy: Policy, *, outside: Iterable[Span] = ()) -> frozenset[str]:
    """Return the topics that a clause speaks of, but for words inside some spans (a text, a name)."""
    quoted = tuple(outside)
    found = set()
    for name, topic in policy.topics.items():
        listed = {*topic.words.get(heard.language, ()), *topic.words.get("en", ())}
        spans = [s for phrase in listed for s in occurrences(phrase, heard.text)]
        about = [s for s in spans if topic.everywhere or s.overlaps(clause.span)]
        if any(not any(q.start <= s.start and s.end <= q.end for q in quoted) for s in about):
            found.add(name)
    return frozenset(found)
