"""Keep what is said short: a few things and how many more, a part of a long text."""

from collections.abc import Sequence

from botpsy_core.agent.phrases import Phrases
from botpsy_core.domain.values import JsonValue

MOST = 6
"""Things that one answer names."""
_LONGEST = 80
"""Characters of one text that somebody else wrote."""


def with_rest(phrases: Phrases, told: Sequence[str], total: int) -> list[str]:
    """Return the things that are named, at most `MOST` of them, and how many there are beyond."""
    named = told[:MOST]
    return [*named, phrases.say("many", count=total - len(named))] if total > len(named) else [*named]


def short(value: JsonValue) -> str:
    """Return a text in one line, cut where it is long."""
    text = " ".join(str(value or "").split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
