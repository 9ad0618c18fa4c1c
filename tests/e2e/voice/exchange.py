"""One thing said into an Assist pipeline, and what came back, with the times of both."""

import asyncio
import time
from dataclasses import dataclass, field

from demo.client import HassClient, Json
from tests.e2e.voice.sound import RATE, Sound, decoded

CHUNK_S = 0.02
LEAD_S = 0.5
"""How long a room is quiet before somebody speaks."""
ANSWERS_S = 240.0
"""How long a whole exchange may take on a machine that is busy with everything else."""
SHOWN = {
    "stt-vad-end": "the silence is noticed",
    "stt-end": "transcript",
    "intent-end": "answer",
}


class PipelineFailed(Exception):
    """The pipeline ended with an error, or without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What was said and what was answered; every time counts in seconds from the first sound of the question."""

    said: str
    heard: str
    answer: str
    question: Sound
    reply: Sound
    times: dict[str, float]
    """By event of the pipeline, and `first-sound`."""
    conversation_id: str | None
    goes_on: bool
    """Whether a satellite's microphone stays open."""

    def after_speech(self, event: str) -> float:
        """Return how long after the last sound of the question something came, in seconds."""
        return self.times[event] - self.question.seconds

    def lines(self) -> list[str]:
        """Return the exchange as text."""
        rows = [(f"{self.question.seconds:7.2f} s", "spoken", self.said)]
        words = {"stt-end": self.heard, "intent-end": self.answer}
        rows += [(f"{self.after_speech(event):+7.2f} s", name, words.get(event, "")) for event, name in SHOWN.items()]
        rows.append((f"{self.after_speech('first-sound'):+7.2f} s", "first sound", f"{self.reply.seconds:.1f} s long"))
        open_ = ["           the microphone stays open"] if self.goes_on else []
        return [f"{at}  {name:<23}  {text}".rstrip() for at, name, text in rows] + open_


@dataclass(slots=True, kw_only=True)
class _Run:
    """What is gathered while a pipeline runs."""

    began: float = 0.0
    times: dict[str, float] = field(default_factory=dict)
    told: dict[str, Json] = field(default_factory=dict)

    def note(self, event: str, data: Json = None) -> None:
        self.times.setdefault(event, time.monotonic() - self.began)
        self.told[event] = data


async def exchange(
    client: HassClient, pipeline: str, question: Sound, said: str, conversation_id: str | None = None
) -> Exchange:
    """Say something in real time, as a satellite does, and listen to the answer; raise PipelineFailed."""
    asked = {"start_stage": "stt", "end_stage": "tts", "input": {"sample_rate": RATE}, "pipeline": pipeline}
    events = await client.subscribe("assist_pipeline/run", conversation_id=conversation_id, **asked)
    run = _Run()
    started = await events.get()
    handler = int(started["data"]["runner_data"]["stt_binary_handler_id"])
    url = str(started["data"]["tts_output"]["url"])
    run.began = time.monotonic() + LEAD_S
    async with asyncio.timeout(ANSWERS_S), asyncio.TaskGroup() as tasks:
        speaking = tasks.create_task(_speak(client, handler, question, run))
        listening = tasks.create_task(_listen(client, url, run))
        await _follow(events, run)
        speaking.cancel()
        encoded = await listening
    answer = run.told["intent-end"]["intent_output"]
    return Exchange(
        said=said,
        heard=run.told["stt-end"]["stt_output"]["text"].strip(),
        answer=answer["response"]["speech"]["plain"]["speech"],
        question=question,
        reply=(await decoded(encoded)).trimmed(),
        times=run.times,
        conversation_id=answer["conversation_id"],
        goes_on=answer["continue_conversation"],
    )


async def _follow(events: asyncio.Queue[Json], run: _Run) -> None:
    while "run-end" not in run.told:
        event = await events.get()
        if event["type"] == "error":
            raise PipelineFailed(f"{event['data']} after {sorted(run.told)}")
        run.note(event["type"], event["data"])


async def _speak(client: HassClient, handler: int, question: Sound, run: _Run) -> None:
    """Send the question as fast as it is spoken, and then silence until somebody notices."""
    step = int(RATE * CHUNK_S) * 2
    at = -int(LEAD_S / CHUNK_S) * step
    while "stt-end" not in run.told:
        await client.send(bytes([handler]) + (question.samples[at : at + step] if at >= 0 else b"").ljust(step, b"\0"))
        at += step
        await asyncio.sleep(max(0.0, run.began + at / 2 / RATE - time.monotonic()))


async def _listen(client: HassClient, url: str, run: _Run) -> bytes:
    """Open the answer's address at once, as a satellite does; its sound comes when there is any."""
    heard = b""
    async for part in client.stream(url):
        run.note("first-sound")
        heard += part
    return heard
