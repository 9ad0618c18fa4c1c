"""The model at work inside the child process: loads it, answers one request at a time."""

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from botpsy_core.domain.engine import Finished, Piece
from botpsy_core.engine import gguf, llama, scoring
from botpsy_core.engine.batch import BATCH, Aborted, ContextFull
from botpsy_core.engine.constrain import Free, GrammarInvalid, Grammars
from botpsy_core.engine.generation import Generation, Job, Stopwatch
from botpsy_core.engine.prefix import Snapshots
from botpsy_core.engine.stream import Stream
from botpsy_core.engine.threads import Governor, levels
from botpsy_core.engine.warming import warm_up
from botpsy_core.errors import EngineFailed, ModelFileInvalid

SEQUENCES = 21
"""Of a plain transformer, where a sequence costs nothing: one to read and twenty to score."""

SEQUENCES_WITH_STATE = 4
"""Of a memory that keeps a state for each sequence, tens of megabytes."""

SPARE_TOKENS = 256
"""Room beyond the context for what is scored."""

PREFIXES = 8


def failure_kind(error: Exception) -> str:
    """Return how the supervisor names an error: `model`, `full`, `grammar`, `cancelled`, `engine` or `bug`."""
    match error:
        case ModelFileInvalid():
            return "model"
        case ContextFull():
            return "full"
        case Aborted():
            return "cancelled"
        case GrammarInvalid():
            return "grammar"
        case EngineFailed() | MemoryError() | OSError():
            return "engine"
        case _:
            return "bug"


class Runner:
    """One loaded model with its context."""

    def __init__(self, request: dict[str, Any], messages: deque[str]) -> None:
        """Load what the request names, with complaints into `messages`; raise ModelFileInvalid or EngineFailed."""
        llama.silence(messages.append)
        path = Path(request["model"])
        header = gguf.read_header(path)
        self.watch = Stopwatch()
        self._model = _load(path, messages)
        room = min(int(request["context_tokens"]), self._model.trained_context or 1 << 30)
        self._context = llama.Context(
            self._model,
            tokens=room + SPARE_TOKENS,
            sequences=SEQUENCES if self._model.rolls_back else SEQUENCES_WITH_STATE,
            governor=Governor(levels(request["threads"])),
            abort=lambda: self.watch.expired(),  # noqa: PLW0108 - the watch changes with each request
        )
        folder = Path(request["state_dir"]) if request["state_dir"] else None
        self._room = room
        self._digest = file_digest(path, folder)
        self._name = header.text("general.name") or path.stem
        self._architecture = header.text("general.architecture")
        self._runs = bool(request["forced_runs"])
        self._grammars = Grammars(self._model)
        self._grammars.prepare()
        warm_up(self._context)
        self._prefixes: dict[str, list[int]] = {}
        self._progress: Callable[[], None] = lambda: None
        self._stream = Stream(
            context=self._context,
            cuts=self._model.rolls_back,
            snapshots=Snapshots(identity=f"{self._digest} {llama.BUILD} fa0 f16 {BATCH}", folder=folder),
            progress=lambda: self._progress(),  # noqa: PLW0108 - it changes with each request
            reuse=bool(request["reuse"]),
        )

    def about(self) -> dict[str, Any]:
        """Return what `ModelInfo` holds."""
        return {
            "name": self._name,
            "architecture": self._architecture,
            "template": self._model.template(),
            "digest": self._digest,
            "context_tokens": self._room,
            "size_bytes": self._model.size_bytes,
            "bos": self._model.special("bos"),
            "eos": self._model.special("eos"),
            "special": self._grammars.special,
        }

    def begin(self, timeout_s: float, progress: Callable[[], None]) -> None:
        """Start the clock of a request."""
        self.watch = Stopwatch.lasting(timeout_s)
        self._progress = progress

    def generate(self, request: dict[str, Any], emit: Callable[[Piece], None]) -> Finished:
        """Write one answer."""
        prefix, tail = self._tokens(request)
        if len(prefix) + len(tail) + int(request["max_tokens"]) > self._room:
            raise ContextFull
        lark = request["lark"]
        guide = Free() if lark is None else self._grammars.guide(lark, runs=self._runs)
        job = Job(prefix=prefix, tail=tail, max_tokens=int(request["max_tokens"]), stop=tuple(request["stop"]))
        return Generation(
            model=self._model, stream=self._stream, guide=guide, job=job, watch=self.watch, emit=emit
        ).run()

    def score(self, request: dict[str, Any]) -> list[float]:
        """Return the log probability of each continuation."""
        prefix, tail = self._tokens(request)
        continuations = [self._model.tokenize(text, first=False) for text in request["continuations"]]
        if not all(continuations):
            raise EngineFailed("an empty continuation cannot be scored")
        if len(prefix) + len(tail) > self._room:
            raise ContextFull
        self._stream.read(prefix, tail)
        return scoring.score(self._stream, continuations)

    def prepare(self, request: dict[str, Any]) -> int:
        """Read a part of a prefix ahead of its use and return how many tokens are left to read."""
        prefix, _ = self._tokens(request)
        return self._stream.advance(prefix)

    def stats(self) -> dict[str, int]:
        """Return what the model holds and uses."""
        return {
            "threads": self._context.threads,
            "state_bytes": self._context.state_bytes,
            "snapshot_bytes": self._stream.snapshots.size_bytes + self._stream.checkpoint_bytes,
        }

    def flush(self) -> None:
        """Wait for what is still on its way to the disk."""
        self._stream.snapshots.flush()

    def _tokens(self, request: dict[str, Any]) -> tuple[list[int], list[int]]:
        prefix = request["prefix"]
        if prefix not in self._prefixes:
            if len(self._prefixes) >= PREFIXES:
                self._prefixes.pop(next(iter(self._prefixes)))
            self._prefixes[prefix] = self._model.tokenize(prefix, first=True) if prefix else []
        tokens = self._prefixes[prefix]
        tail = self._model.tokenize(request["tail"], first=not prefix) if request["tail"] else []
        if not tokens and not tail:
            raise EngineFailed("the prompt is empty")
        return tokens, tail


def _load(path: Path, messages: deque[str]) -> llama.Model:
    try:
        return llama.Model(path)
    except ModelFileInvalid as error:
        if any("alloc" in message for message in messages):
            raise EngineFailed("there is not enough memory for the model") from error
        raise


def file_digest(path: Path, folder: Path | None) -> str:
    """Return the file's SHA-256, remembered in the folder as long as the file stays as it is."""
    stat = path.stat()
    mark = f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"
    note = folder / "digests.json" if folder is not None else None
    known: dict[str, str] = {}
    if note is not None and note.exists():
        try:
            known = json.loads(note.read_text(encoding="utf-8"))
            return known[mark]
        except ValueError, KeyError, OSError:
            known = {}
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if note is not None:
        try:
            note.parent.mkdir(parents=True, exist_ok=True)
            side = note.with_suffix(f".{os.getpid()}.part")
            side.write_text(json.dumps({mark: digest}), encoding="utf-8")
            side.replace(note)
        except OSError:
            return digest
    return digest
