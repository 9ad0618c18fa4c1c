"""Find the excluded topics that some words speak of."""

from collections.abc import Iterable

from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.safety.policy import Policy
from botpsy_core.safety.words import covered, occurrences


def topics_in(clause: Clause, heard: Heard, policy: Policy, *, outside: Iterable[Span] = ()) -> frozenset[str]:
    """Return the topics that a clause speaks of, but for words inside some spans (a text, a name)."""
    quoted = tuple(outside)
    found = set()
    for topic, by_language in policy.topics.items():
        listed = {*by_language.get(heard.language, ()), *by_language.get("en", ())}
        places = (
            Span(start=s.start + clause.span.start, end=s.end + clause.span.start)
            for word in listed
            for s in occurrences(word, clause.text)
        )
        if any(not covered(place, quoted) for place in places):
            found.add(topic)
    return frozenset(found)
