"""What a model answered, kept, so that everything after it can be decided again without it."""

import hashlib
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.errors import EngineFailed
from botpsy_core.ports import Engine


class AnswerMissing(EngineFailed):
    """A run is replayed that does not hold the answer."""


class ReplayEngine:
    """Implements `ports.Engine`: answers what it knows from a file and asks the model for the rest."""

    def __init__(self, file: Path, engine: Engine | None = None) -> None:
        """Read what was kept; without an engine an unknown question raises AnswerMissing."""
        self._file = file
        self._engine = engine
        self._model: ModelInfo | None = None
        self._known: dict[str, Mapping[str, Any]] = {}
        self.asked = self.replayed = 0
        """Questions put to the model, and questions answered from the file."""
        self.waited_s = 0.0
        """Seconds that the model took for its answers, its start included."""
        if file.exists():
            self._read()

    async def info(self) -> ModelInfo:
        """Return the model's own account, or the kept one where there is no model."""
        if self._engine is None:
            if self._model is None:
                raise AnswerMissing(f"{str(self._file)!r} holds no answers yet, and there is no model to ask")
            return self._model
        with self._waiting():
            info = await self._engine.info()
        if info != self._model:
            self._model = info
            self._keep({"model": {**asdict(info), "special": list(info.special)}})
        return info

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Yield the kept answer, or the model's and keep it once it is whole."""
        lark = None if grammar is None else grammar.lark
        key = self._key("generate", prompt.text, lark, limits.max_tokens, limits.stop)
        kept = self._known.get(key)
        if kept is not None:
            self.replayed += 1
            for piece in kept["pieces"]:
                yield Piece(**piece)
            yield Finished(**kept["finished"])
            return
        pieces: list[Piece] = []
        async for part in self._timed(self._asking().generate(prompt, grammar, limits)):
            if isinstance(part, Piece):
                pieces.append(part)
            elif part.reason not in {"timeout", "cancelled"}:
                self._keep({"key": key, "pieces": [_slim(p) for p in pieces], "finished": asdict(part)})
            yield part

    async def prepare(self, prefix: str) -> None:
        """Let the model read ahead."""
        if self._engine is not None:
            await self._engine.prepare(prefix)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Return the kept scores, or the model's and keep them."""
        key = self._key("score", prompt.text, list(continuations))
        kept = self._known.get(key)
        if kept is None:
            with self._waiting():
                scores = await self._asking().score(prompt, continuations)
            self._keep({"key": key, "scores": None if scores is None else list(scores)})
            return scores
        self.replayed += 1
        return None if kept["scores"] is None else tuple(kept["scores"])

    async def close(self) -> None:
        """Free the model."""
        if self._engine is not None:
            await self._engine.close()

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self.waited_s += time.monotonic() - started

    async def _timed(self, parts: AsyncIterator[Piece | Finished]) -> AsyncIterator[Piece | Finished]:
        """Yield the same; what the reader does between two parts is not the model's time."""
        while True:
            with self._waiting():
                part = await anext(parts, None)
            if part is None:
                return
            yield part

    def _asking(self) -> Engine:
        if self._engine is None:
            raise AnswerMissing("the run to replay holds no answer to this prompt")
        self.asked += 1
        return self._engine

    def _key(self, *question: object) -> str:
        digest = self._model.digest if self._model is not None else ""
        return hashlib.sha256(json.dumps([digest, *question]).encode()).hexdigest()

    def _keep(self, entry: Mapping[str, Any]) -> None:
        if "key" in entry:
            self._known[entry["key"]] = entry
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def _read(self) -> None:
        with self._file.open(encoding="utf-8") as lines:
            for line in lines:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # the line that a kill cut short
                if "model" in entry:
                    self._model = ModelInfo(**{**entry["model"], "special": tuple(entry["model"]["special"])})
                else:
                    self._known[entry["key"]] = entry


def _slim(piece: Piece) -> dict[str, Any]:
    kept: dict[str, Any] = {"text": piece.text}
    if piece.forced:
        kept["forced"] = True
    if piece.probability is not None:
        kept["probability"] = piece.probability
    if piece.alternatives:
        kept["alternatives"] = dict(piece.alternatives)
    return kept
