"""Between Home Assistant's chat log and the core's transcript; calls cross it as external."""

from collections.abc import AsyncIterator, Container, Mapping
from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import (
    AssistantContent,
    AssistantContentDeltaDict,
    ChatLog,
    Content,
    ToolResultContent,
    ToolResultContentDeltaDict,
    UserContent,
)
from homeassistant.helpers import llm
from homeassistant.util.ulid import ulid_now

from botpsy_core.domain.events import Decided, Ended, Executed, TurnEvent
from botpsy_core.domain.messages import AssistantMessage, Message, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult
from botpsy_core.domain.verdicts import Allow, Ask, Refuse, Verdict

type Delta = AssistantContentDeltaDict | ToolResultContentDeltaDict

FAILURES = frozenset({Outcome.FAILED, Outcome.NOT_SENT, Outcome.REFUSED_BY_DEVICE})


def transcript_of(chat_log: ChatLog, *, limit: int) -> Transcript:
    """Return the newest messages of a chat, without the utterance that is being answered."""
    contents = chat_log.content
    if contents and isinstance(contents[-1], UserContent):
        contents = contents[:-1]
    calls: dict[str, ToolCall] = {}
    messages = [message for content in contents if (message := _message(content, calls))]
    return Transcript(messages=tuple(_from_a_user(messages[-limit:]) if limit else ()))


def _from_a_user(messages: list[Message]) -> list[Message]:
    """Return the messages from the first one of the user, so that no result stands without its call."""
    first = next((i for i, message in enumerate(messages) if isinstance(message, UserMessage)), len(messages))
    return messages[first:]


def _message(content: Content, calls: dict[str, ToolCall]) -> Message | None:
    match content:
        case UserContent():
            return UserMessage(text=content.content)
        case AssistantContent():
            made = tuple(ToolCall(id=c.id, name=c.tool_name, args=c.tool_args) for c in content.tool_calls or ())
            calls.update({call.id: call for call in made})
            return AssistantMessage(text=content.content or "", calls=made)
        case ToolResultContent():
            call = calls.get(content.tool_call_id) or ToolCall(id=content.tool_call_id, name=content.tool_name)
            return ResultMessage(call=call, result=_result(content))
        case _:
            return None


def _result(content: ToolResultContent) -> ToolResult:
    """Return our own result as we wrote it, and another agent's as data that others may have written."""
    data = content.result.data
    outcome = data.get("outcome")
    if isinstance(outcome, str) and outcome in Outcome:
        facts, detail = data.get("data"), data.get("detail")
        return ToolResult(
            call_id=content.tool_call_id,
            outcome=Outcome(outcome),
            data=facts if isinstance(facts, Mapping) else {},
            detail=detail if isinstance(detail, str) else "",
            untrusted=bool(data.get("untrusted")),
        )
    return ToolResult(
        call_id=content.tool_call_id,
        outcome=Outcome.FAILED if content.result.error else Outcome.DONE,
        data=data,
        untrusted=True,
    )


class Deltas:
    """A turn's events as deltas for the chat log; keeps the last event."""

    def __init__(self, events: AsyncIterator[TurnEvent], *, reads: Container[str] = ()) -> None:
        """Take the events of one turn, and the names of the tools that change nothing."""
        self._events = events
        self._reads = reads
        self._turn = ulid_now()
        self.executed: list[Executed] = []
        self.decided: list[Decided] = []
        self.ended: Ended | None = None

    @property
    def acts(self) -> tuple[Executed, ...]:
        """Return what was executed and could have changed something."""
        return tuple(each for each in self.executed if each.call.name not in self._reads)

    async def __aiter__(self) -> AsyncIterator[Delta]:
        """Yield each call with its result once it has happened, and the reply at the end."""
        async for event in self._events:
            match event:
                case Executed():
                    self.executed.append(event)
                    # The core numbers the calls of one turn; a chat log holds many turns.
                    call = replace(event.call, id=f"{self._turn}_{event.call.id}")
                    yield call_delta(call)
                    yield result_delta(call, event.result)
                case Decided():
                    self.decided.append(event)
                case Ended():
                    self.ended = event
                    yield AssistantContentDeltaDict(role="assistant", content=event.reply)


def call_delta(call: ToolCall) -> Delta:
    """Return the call as one that the chat log records and does not run."""
    tool_input = llm.ToolInput(tool_name=call.name, tool_args=dict(call.args), id=call.id, external=True)
    return AssistantContentDeltaDict(role="assistant", tool_calls=[tool_input])


def result_delta(call: ToolCall, result: ToolResult) -> Delta:
    """Return what became of the call."""
    data: dict[str, Any] = {"outcome": result.outcome.value, "data": dict(result.data)}
    if result.detail:
        data["detail"] = result.detail
    if result.untrusted:
        data["untrusted"] = True
    return ToolResultContentDeltaDict(
        role="tool_result",
        tool_call_id=call.id,
        tool_name=call.name,
        result=llm.ToolResult(data=data, error=result.outcome in FAILURES),
    )


def call_of(call: ToolCall, outcome: str) -> dict[str, Any]:
    """Return a call as actions and events show it."""
    return {"name": call.name, "args": dict(call.args), "outcome": outcome}


def trace_of(deltas: Deltas) -> dict[str, Any]:
    """Return what Home Assistant's conversation trace shows of a turn; no prompt and no secret."""
    ended = deltas.ended
    if ended is None:
        return {"decided": [_verdict(event) for event in deltas.decided]}
    usage = ended.usage
    return {
        "status": ended.status.value,
        "reason": ended.reason.value if ended.reason else None,
        "decided": [_verdict(event) for event in deltas.decided],
        "stats": {
            "input_tokens": usage.prompt_tokens,
            "cached_input_tokens": usage.prompt_tokens - usage.prompt_tokens_evaluated,
            "output_tokens": usage.generated_tokens,
        },
        "seconds": {"turn": usage.seconds, "engine": usage.engine_seconds},
        "rooms": dict(ended.trace),
    }


def _verdict(event: Decided) -> dict[str, Any]:
    evidence = event.evidence
    return {
        "verdict": verdict_word(event.verdict),
        "reason": None if isinstance(event.verdict, Allow) else event.verdict.reason.value,
        "tool": event.verdict.call.name if event.verdict.call else None,
        "clause": event.clause,
        "by_code": evidence.by_code,
        "p_call": evidence.p_call,
        "p_refuse": evidence.p_refuse,
        "p_args": dict(evidence.p_args),
        "gain": evidence.gain,
        "tainted": evidence.tainted,
    }


def verdict_word(verdict: Verdict) -> str:
    """Return `allow`, `ask` or `refuse`."""
    match verdict:
        case Allow():
            return "allow"
        case Ask():
            return "ask"
        case Refuse():
            return "refuse"
