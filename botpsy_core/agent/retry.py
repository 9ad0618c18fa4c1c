"""Tell "and now?" after a request that came to nothing: the request is taken once more, in the user's own words."""

import re
from collections.abc import Sequence

from botpsy_core.domain.heard import Clause, Heard, Mood
from botpsy_core.domain.messages import ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Outcome, ToolSpec

_SENTENCE = re.compile(r"[.!?\u3002\uff01\uff1f\u0964]+")


def asked_again(heard: Heard, transcript: Transcript, words: Sequence[str], tools: Sequence[ToolSpec]) -> str | None:
    """Return the words of the last request that changed nothing, where an utterance only asks for it once more.

    What stands before "and now?" may tell something ("I have added a tool") and must ask for nothing.
    """
    if not _is_again(heard.text, words):
        return None
    if not all(only_tells(clause) for clause in heard.clauses[:-1]):
        return None
    for message in reversed(transcript.messages):
        match message:
            case ResultMessage() if _may_have_changed(message, tools):
                return None
            case UserMessage(text=text) if not _is_again(text, words):
                return text
            case _:
                continue
    return None


def _may_have_changed(message: ResultMessage, tools: Sequence[ToolSpec]) -> bool:
    spec = next((t for t in tools if t.name == message.call.name), None)
    return message.result.outcome is not Outcome.FAILED and (spec is None or not spec.read_only)


def only_tells(clause: Clause) -> bool:
    """Return True for a statement about nothing of the home that does not begin with its verb, as a request does."""
    begins_with_content = any(s.start <= clause.span.start for s in clause.unexplained)
    return clause.mood is Mood.STATEMENT and not clause.targets and not begins_with_content


def _is_again(text: str, words: Sequence[str]) -> bool:
    sentences = [s.strip(" ,;:-¿¡").casefold() for s in _SENTENCE.split(text)]
    last = next((s for s in reversed(sentences) if s), "")
    return last in {w.casefold() for w in words}
