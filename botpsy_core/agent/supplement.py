"""Tell what only adds to a request that came to nothing ("I mean 20 liters of it"): both are then one request.

For other people's tools alone: what the home's own tools lack is asked for, and the answer fills the kept call. Both
halves are the user's own words, and the gate judges the whole as if it had been said at once.
"""

from collections.abc import Sequence

from botpsy_core.agent.retry import only_tells
from botpsy_core.catalog import only_schema, tells_a_value
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.messages import AssistantMessage, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Outcome, ToolSpec
from botpsy_core.hearing import begins_by_telling

MOST_WORDS = 16
"""Of what only adds; more is a request of its own."""


def supplemented(heard: Heard, transcript: Transcript, tools: Sequence[ToolSpec]) -> str | None:
    """Return the last request with what these words add to it, or None where they ask for something of their own."""
    if not any(only_schema(tool) for tool in tools) or len(heard.text.split()) > MOST_WORDS:
        return None
    if not heard.clauses or not all(_only_adds(c, heard.language) for c in heard.clauses):
        return None
    before = _came_to_nothing(transcript)
    if before is None or not tells_a_value(heard):
        return None
    return f"{before.rstrip()} {heard.text}"


def _only_adds(clause: Clause, language: str) -> bool:
    return only_tells(clause) and not clause.directions and begins_by_telling(clause.text, language)


def _came_to_nothing(transcript: Transcript) -> str | None:
    """Return the words of the last turn where it called nothing, or nothing that went well, and was answered."""
    answered = False
    for message in reversed(transcript.messages):
        match message:
            case ResultMessage() if message.result.outcome is not Outcome.FAILED:
                return None
            case AssistantMessage(calls=()):
                answered = True
            case UserMessage(text=text):
                return text if answered else None
    return None
