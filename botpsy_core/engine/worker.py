"""The child process that holds the model: `python -m botpsy_core.engine.worker`, spoken to over stdin and stdout."""

import contextlib
import os
import queue
import resource
import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from botpsy_core.engine import protocol

if TYPE_CHECKING:
    from botpsy_core.engine.runner import Runner

type Send = Callable[[protocol.Frame], None]


def main() -> None:
    """Serve requests until the pipe closes."""
    pipe_in, pipe_out = _take_pipes()
    lock = threading.Lock()

    def send(frame: protocol.Frame) -> None:
        with lock:
            pipe_out.write(protocol.encode(frame))
            pipe_out.flush()

    with contextlib.suppress(BrokenPipeError):
        Server(pipe_in, send).serve()
    os._exit(0)  # llama.cpp's own clean-up at exit takes longer than the kernel's


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep the two pipes for ourselves; whatever a library prints goes to stderr."""
    pipe_in, pipe_out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return pipe_in, pipe_out


class Server:
    """Takes one request after another; a cancel overtakes them."""

    def __init__(self, pipe: BinaryIO, send: Send) -> None:
        """Serve this pipe."""
        self._pipe = pipe
        self._send = send
        self._requests: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._runner: Runner | None = None
        self._messages: deque[str] = deque(maxlen=4)
        self._current: int | None = None
        self._cancelled: set[int] = set()

    def serve(self) -> None:
        """Answer until the other side closes its end."""
        threading.Thread(target=self._listen, daemon=True, name="listen").start()
        while (request := self._requests.get()) is not None:
            self._answer(request)
        if self._runner is not None:
            self._runner.flush()

    def _listen(self) -> None:
        try:
            while (request := protocol.read(self._pipe)) is not None:
                if request.get("op") == "cancel":
                    self._cancel(int(request["id"]))
                else:
                    self._requests.put(request)
        finally:
            self._cancelled.add(-1)
            if self._runner is not None:
                self._runner.watch.cancelled = True
            self._requests.put(None)

    def _cancel(self, number: int) -> None:
        self._cancelled.add(number)
        if self._runner is not None and self._current == number:
            self._runner.watch.cancelled = True

    def _answer(self, request: dict[str, Any]) -> None:
        """Carry one request out; every failure becomes an answer."""
        from botpsy_core.engine.runner import failure_kind  # noqa: PLC0415 - llama.cpp loads with the first request

        number = int(request["id"])
        self._current = number
        try:
            self._carry_out(number, request)
        except Exception as error:  # noqa: BLE001 - the worker's border: an answer instead of a death
            kind = failure_kind(error)
            if kind == "bug":
                traceback.print_exc()
            detail = "; ".join(self._messages) if kind in {"model", "engine"} else ""
            text = f"{error}" if not detail else f"{error} ({detail})"
            self._send({"id": number, "event": "failed", "kind": kind, "message": text or type(error).__name__})
        finally:
            self._current = None
            self._cancelled.discard(number)

    def _carry_out(self, number: int, request: dict[str, Any]) -> None:
        if request["op"] == "load":
            self._load(number, request)
            return
        runner = self._runner
        if runner is None:
            raise RuntimeError("no model is loaded")
        self._send({"id": number, "event": "begun"})
        runner.begin(float(request["timeout_s"]), progress=lambda: self._send({"id": number, "event": "progress"}))
        if number in self._cancelled or -1 in self._cancelled:
            runner.watch.cancelled = True
        match request["op"]:
            case "generate":
                finished = runner.generate(request, lambda piece: self._send(_event(number, "piece", asdict(piece))))
                self._send(_event(number, "finished", asdict(finished)))
            case "score":
                self._send(_event(number, "scores", {"scores": runner.score(request)}))
            case "prepare":
                self._send(_event(number, "prepared", {"left": runner.prepare(request)}))
            case "stats":
                self._send(_event(number, "stats", runner.stats()))
            case other:
                raise RuntimeError(f"nothing is called {other!r}")

    def _load(self, number: int, request: dict[str, Any]) -> None:
        _step_back(int(request["nice"]))
        from botpsy_core.engine.runner import Runner  # noqa: PLC0415 - llama.cpp loads here

        if request["memory_limit_mb"]:
            _limit_memory(int(request["memory_limit_mb"]))
        self._runner = Runner(request, self._messages)
        self._send({"id": number, "event": "ready", **self._runner.about()})


def _event(number: int, name: str, body: dict[str, Any]) -> protocol.Frame:
    return {"id": number, "event": name, **body}


def _step_back(nice: int) -> None:
    """Give way to others: for the processor, and when memory runs out."""
    with contextlib.suppress(OSError):
        niceness = os.nice(nice)
        # where the kernel groups processes by session, it is the group's niceness that counts against others
        Path("/proc/self/autogroup").write_text(f"{niceness}", encoding="ascii")
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")


def _limit_memory(megabytes: int) -> None:
    """Let the model take so much beside its file's own pages; an allocation beyond that fails."""
    used = 0
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmData:"):
                used = int(line.split()[1]) << 10
    limit = used + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__":
    main()
