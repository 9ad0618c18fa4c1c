"""One request to a worker and the answers to it."""

import asyncio
from dataclasses import dataclass
from typing import Any

from botpsy_core.engine.process import WorkerProcess
from botpsy_core.engine.protocol import Frame
from botpsy_core.errors import EngineFailed, ModelFileInvalid, PromptTooLong

_BETWEEN = frozenset({"begun", "piece", "progress"})
_SILENT = frozenset({"begun", "progress"})


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, and for how long."""

    number: int
    frame: Frame
    timeout_s: float


class Exchange:
    """Keeps the time of one request; what the consumer does between answers does not count."""

    def __init__(self, worker: WorkerProcess, request: Request, grace_s: float) -> None:
        """Give the worker the request's time and a little more."""
        self.worker = worker
        self._request = request
        self.over = False
        """True once the worker has sent its last answer."""
        self.begun = False
        """True once the worker has taken the request up; what kills it before that was not the request."""
        self._left = request.timeout_s + grace_s

    async def begin(self) -> None:
        """Send the request and see it taken up; raise WorkerDied, TimeoutError, or what the worker says."""
        async with asyncio.timeout(self._left):
            await self.worker.send({**self._request.frame, "id": self._request.number})
            while not self.begun:
                self._read(await self.worker.receive())

    async def receive(self) -> dict[str, Any]:
        """Return the next answer; raise WorkerDied, TimeoutError, or what the worker says went wrong."""
        loop = asyncio.get_running_loop()
        while True:
            started = loop.time()
            async with asyncio.timeout(max(self._left, 0)):
                answer = await self.worker.receive()
            self._left -= loop.time() - started
            if self._read(answer) and answer["event"] not in _SILENT:
                return answer

    def _read(self, answer: Frame) -> bool:
        """Note what an answer says; return False where it belongs to an earlier request; raise what went wrong."""
        if answer.get("id") != self._request.number:
            return False
        self.begun, self.over = True, answer["event"] not in _BETWEEN
        if answer["event"] == "failed":
            raise failure(answer)
        return True

    async def cancel(self, seconds: float) -> None:
        """Have the request stopped and wait for that; raise WorkerDied or TimeoutError."""
        async with asyncio.timeout(seconds):
            await self.worker.send({"op": "cancel", "id": self._request.number})
            while not self.over:
                answer = await self.worker.receive()
                self.over = answer.get("id") == self._request.number and answer["event"] not in _BETWEEN


def failure(frame: Frame) -> EngineFailed | ModelFileInvalid:
    """Return the exception that a `failed` answer stands for."""
    message = str(frame["message"])
    match frame["kind"]:
        case "model":
            return ModelFileInvalid(message)
        case "full":
            return PromptTooLong("the prompt and its answer are longer than the model's context")
        case "grammar":
            return EngineFailed(f"the grammar cannot be followed: {message}")
        case _:
            return EngineFailed(message)
