"""Tell several commands of other people's tools from one, by the verbs that the ear knows and the tool each is like."""

from collections.abc import Sequence

from botpsy_core.catalog.likeness import likeness
from botpsy_core.domain.heard import Clause, Heard, Mood
from botpsy_core.domain.tools import ToolSpec

LIKE = 0.12
"""The likeness from which a clause speaks of a tool."""


def command_starts(clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> tuple[int, ...]:
    """Return where the second and every further command begins: each says its own way, and is like another tool."""
    commands = [
        c
        for c in heard.clauses
        if c.mood is Mood.COMMAND and c.directions and c.span.overlaps(clause.span) and _best(c, heard, tools)
    ]
    liked = [_best(c, heard, tools) for c in commands]
    if len(set(liked)) < len(liked):
        return ()
    return tuple(c.span.start for c in commands[1:])


def _best(clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> str:
    """Return the name of the tool that a clause is most like, empty where it is like none."""
    scores = likeness(clause.text, tools, heard.language)
    score, tool = max(zip(scores, tools, strict=True), key=lambda pair: pair[0])
    return tool.name if score >= LIKE else ""
