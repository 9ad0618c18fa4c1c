"""The ways to speak to the agent, and what came of it as the agent itself tells; never used to judge it."""

import asyncio
import json
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from demo.client import HassClient, HassRefused, Json
from demo.onboarding import PIN
from demo.world import Listener

REQUESTS = "botpsy/request/demo"
"""Where a program puts a request in the name of the user Demo."""
RESPONSES = "botpsy/response/demo"


ANSWERS_S = 120
"""How long an answer may take."""


class Way(StrEnum):
    """How an utterance reaches the agent."""

    CHAT = "chat"
    PIPELINE = "pipeline"
    AUTOMATION = "automation"
    REQUEST = "request"
    """A message on the broker."""
    ANSWER = "answer"
    """In the chat, to the question that is open."""
    PIN = "pin"
    """The owner's PIN through `botpsy.confirm`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the agent tells of one utterance."""

    reply: str = ""
    status: str = ""
    verdict: str = ""
    calls: tuple[Json, ...] = ()
    seconds: float = 0.0
    prompt_tokens_evaluated: int = 0
    conversation_id: str = ""
    pending: str | None = None
    raw: Json = field(default=None, repr=False)

    @property
    def outcome(self) -> str:
        """Return what became of the calls, or how the turn ended where there was none."""
        return ", ".join(call["outcome"] for call in self.calls) or self.status


class Talker:
    """Speaks, and waits for the answer."""

    def __init__(self, client: HassClient, listener: Listener, agent: str) -> None:
        """Keep who is spoken to; `open` comes first."""
        self._client = client
        self._listener = listener
        self._agent = agent
        self._turns: asyncio.Queue[Json] = asyncio.Queue()
        self._answers: asyncio.Queue[Json] = asyncio.Queue()

    async def open(self) -> None:
        """Listen to what the agent announces, and to the automation's answers."""
        self._turns = await self._client.subscribe("subscribe_events", event_type="botpsy_turn")
        self._answers = await self._client.subscribe("subscribe_events", event_type="demo_answer")

    async def say(self, text: str, way: Way, before: Turn | None = None) -> Turn:
        """Say one thing one way; `before` is the turn that an answer belongs to."""
        while not self._turns.empty():
            self._turns.get_nowait()
        began = time.monotonic()
        try:
            reply = await self._spoken(text, way, before)
        except (TimeoutError, HassRefused) as error:
            return Turn(reply=f"({type(error).__name__}: {error})", verdict="refuse", status="no answer")
        seconds = time.monotonic() - began
        return told(reply, await self._announced(), seconds)

    def _spoken(self, text: str, way: Way, before: Turn | None) -> Awaitable[str]:
        match way:
            case Way.CHAT:
                return self._chat(text, None)
            case Way.ANSWER:
                return self._chat(text, before)
            case Way.PIN:
                return self._pin(before)
            case Way.PIPELINE:
                return self._pipeline(text)
            case Way.AUTOMATION:
                return self._automation(text)
            case Way.REQUEST:
                return self._request(text)

    async def _chat(self, text: str, before: Turn | None) -> str:
        asked = {"text": text, "language": "en", "agent_id": self._agent}
        if before is not None:
            asked["conversation_id"] = before.conversation_id
        answer = await self._client.post("/api/conversation/process", asked)
        return str(answer["response"]["speech"].get("plain", {}).get("speech", ""))

    async def _pin(self, before: Turn | None) -> str:
        assert before is not None
        data = {"pin": PIN, "accept": True, "conversation_id": before.conversation_id}
        if before.pending:
            data["pending"] = before.pending
        answer = await self._client.action("botpsy.confirm", data, response=True)
        return str(answer["reply"])

    async def _pipeline(self, text: str) -> str:
        events = await self._client.subscribe(
            "assist_pipeline/run", start_stage="intent", end_stage="intent", input={"text": text}
        )
        async with asyncio.timeout(ANSWERS_S):
            while True:
                event = await events.get()
                if event["type"] == "intent-end":
                    return str(event["data"]["intent_output"]["response"]["speech"]["plain"]["speech"])
                if event["type"] == "error":
                    return str(event["data"])

    async def _automation(self, text: str) -> str:
        while not self._answers.empty():
            self._answers.get_nowait()
        await self._client.post("/api/events/demo_ask", {"text": text})
        async with asyncio.timeout(ANSWERS_S):
            answer = (await self._answers.get())["data"]["answer"]
        return str(answer["reply"])

    async def _request(self, text: str) -> str:
        name = f"demo-{time.monotonic_ns()}"
        answers = self._listener.follow(RESPONSES)
        self._listener.publish(REQUESTS, json.dumps({"id": name, "text": text}))
        async with asyncio.timeout(ANSWERS_S):
            while (answer := json.loads(await answers.get())).get("id") != name:
                continue
        return str(answer["reply"])

    async def _announced(self) -> Json:
        try:
            async with asyncio.timeout(3):
                return (await self._turns.get())["data"]
        except TimeoutError:
            return {}


def told(reply: str, event: dict[str, Any], seconds: float) -> Turn:
    """Return a turn out of the answer and of what was announced."""
    verdicts = event.get("verdicts", [])
    verdict = next((word for word in ("refuse", "ask", "allow") if word in verdicts), "refuse")
    return Turn(
        reply=reply,
        status=event.get("status", ""),
        verdict=verdict,
        calls=tuple(event.get("calls", ())),
        seconds=seconds,
        prompt_tokens_evaluated=event.get("usage", {}).get("prompt_tokens_evaluated", 0),
        conversation_id=event.get("conversation_id", ""),
        pending=event.get("pending"),
        raw=event,
    )
