"""What a caller that is no person reads of a turn."""

from typing import Any

from botpsy_core.domain.context import TurnContext

from .chat_bridge import Deltas, call_of, verdict_word


def response_of(deltas: Deltas, context: TurnContext) -> dict[str, Any]:
    """Return a turn as the actions answer it; the fields are described in docs/user/actions.md."""
    ended = deltas.ended
    assert ended is not None
    return {
        "status": ended.status.value,
        "reason": ended.reason.value if ended.reason else None,
        "reply": ended.reply,
        "calls": [call_of(each.call, each.result.outcome.value) for each in deltas.executed],
        "verdicts": [verdict_word(each.verdict) for each in deltas.decided],
        "pending": ended.pending,
        "conversation_id": context.conversation_id,
    }
