"""Take "if it is below 30, ..." as a command where what was read just now says that it is so.

For other people's tools alone: what waits for something in the home is planned. The condition is the user's own; what
was read only says whether it holds, and the act passes the gate as any other after somebody else's text.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from botpsy_core.agent.gathering import gathered
from botpsy_core.catalog import holds, only_schema
from botpsy_core.domain.heard import Clause, Heard, Mood
from botpsy_core.domain.messages import Message, ResultMessage, UserMessage
from botpsy_core.domain.tools import Outcome
from botpsy_core.hearing import hear

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn

_COMMA = re.compile(r",(?!\d)\s*|\uff0c")


def settled(clause: Clause, heard: Heard, turn: Turn) -> tuple[Sequence[Clause], Heard] | None:
    """Return what is to be done where a condition is met by the newest reading result, else None."""
    tools = turn.toolbox.specs()
    parts = _COMMA.split(clause.text, maxsplit=1)
    if clause.mood is not Mood.CONDITIONAL or len(parts) < 2 or not all(only_schema(t) for t in tools):
        return None
    newest = _newest_read(turn)
    if newest is None or holds(parts[0], newest.result.data, heard.language) is not True:
        return None
    home, context = turn.speech.home, turn.context
    then = hear(parts[1], home=home, transcript=turn.transcript, context=context)
    whole = gathered(list(then.clauses), then, tools=tools, home=home, context=context)
    return None if any(c.mood is Mood.CONDITIONAL for c in whole) else (whole, then)


def _newest_read(turn: Turn) -> ResultMessage | None:
    """Return the newest result of a reading tool, of this turn or the one before it."""
    reading = {t.name for t in turn.toolbox.specs() if t.read_only}
    for message in (*reversed(turn.results), *_last_exchange(turn.transcript.messages)):
        done = isinstance(message, ResultMessage) and message.result.outcome is not Outcome.FAILED
        if done and isinstance(message, ResultMessage) and message.call.name in reading:
            return message
    return None


def _last_exchange(messages: Sequence[Message]) -> Sequence[Message]:
    """Return what came after the user's last words, newest first."""
    last = max((i for i, m in enumerate(messages) if isinstance(m, UserMessage)), default=len(messages))
    return tuple(reversed(messages[last:]))
