"""What a host makes of a turn that has ended: how it ended, and what the talk now holds."""

from collections.abc import AsyncIterator, Sequence

from botpsy_core.domain.events import Ended, Executed, TurnEvent
from botpsy_core.domain.messages import AssistantMessage, Message, ResultMessage, UserMessage


async def run(events: AsyncIterator[TurnEvent]) -> Ended:
    """Drain a turn and return how it ended."""
    ended: Ended | None = None
    async for event in events:
        if isinstance(event, Ended):
            ended = event
    assert ended is not None  # every turn ends
    return ended


def messages_of(text: str, events: Sequence[TurnEvent]) -> tuple[Message, ...]:
    """Return what a turn adds to the transcript."""
    done = [e for e in events if isinstance(e, Executed)]
    reply = next((e.reply for e in events if isinstance(e, Ended)), "")
    added: list[Message] = [UserMessage(text=text)]
    if done:
        added.append(AssistantMessage(calls=tuple(e.call for e in done)))
        added += [ResultMessage(call=e.call, result=e.result) for e in done]
    return (*added, AssistantMessage(text=reply))
