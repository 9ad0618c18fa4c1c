"""One answer: read the prompt, then write what the guide allows, most of it without sampling."""

import codecs
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from botpsy_core.domain.engine import Finished, Piece
from botpsy_core.engine.batch import Aborted
from botpsy_core.engine.constrain import Guide, Pick
from botpsy_core.engine.llama import Model
from botpsy_core.engine.stream import Stream


@dataclass(slots=True, kw_only=True)
class Stopwatch:
    """Says whether a request must end; asked between tokens and during every decode."""

    deadline: float = float("inf")
    cancelled: bool = False

    @classmethod
    def lasting(cls, seconds: float) -> Stopwatch:
        """Return one that runs out after so many seconds."""
        return cls(deadline=time.monotonic() + seconds)

    def expired(self) -> bool:
        """Return True if the request must end now."""
        return self.cancelled or time.monotonic() > self.deadline

    @property
    def reason(self) -> str:
        """Return why, as `Finished.reason` says it."""
        return "cancelled" if self.cancelled else "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is to be written after what."""

    prefix: Sequence[int]
    tail: Sequence[int]
    max_tokens: int
    stop: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Generation:
    """The state of one answer."""

    model: Model
    stream: Stream
    guide: Guide
    job: Job
    watch: Stopwatch
    emit: Callable[[Piece], None]
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace")
    )
    _held: str = ""
    """Text that may be the beginning of a stop text."""
    _evaluated: int = 0
    _prompt: int = 0
    _written: int = 0
    _steps: int = 0

    def run(self) -> Finished:
        """Write the answer and return its account."""
        started, computed = time.perf_counter(), self.stream.context.seconds
        try:
            reason = self._run()
        except Aborted:
            reason = self.watch.reason
        if self._held and reason != "stop":
            self.emit(Piece(text=self._held))
        return Finished(
            prompt_tokens=self._prompt,
            prompt_tokens_evaluated=self._evaluated,
            generated_tokens=self._written,
            decode_steps=self._steps,
            seconds=time.perf_counter() - started,
            reason=reason,
            compute_seconds=self.stream.context.seconds - computed,
        )

    def _run(self) -> str:
        self._prompt = len(self.job.prefix) + len(self.job.tail)
        pending = self.guide.forced()[: self.job.max_tokens]
        self._write_forced(pending)
        if self.guide.finished():
            return "grammar"
        before = self.stream.counted
        try:
            self.stream.read(self.job.prefix, self.job.tail, then=pending)
            before += len(pending)
        finally:
            self._evaluated = self.stream.counted - before
        while True:
            if self.watch.expired():
                return self.watch.reason
            pick = self.guide.pick(self.stream.logits())
            if self.model.ends(pick.token):
                return "eos" if not self.guide.constrained else "grammar"
            self.guide.accept(pick.token)
            run = self.guide.forced()[: max(self.job.max_tokens - self._written - 1, 0)]
            if self._write_picked(pick):
                return "stop"
            self._write_forced(run)
            if self.guide.finished():
                return "grammar"
            if self._written >= self.job.max_tokens:
                return "length"
            self.stream.append([pick.token, *run])
            self._steps += 1

    def _write_forced(self, run: Sequence[int]) -> None:
        self._written += len(run)
        text = self._text(run)
        if text:
            self.emit(Piece(text=text, forced=True, probability=1.0))

    def _write_picked(self, pick: Pick) -> bool:
        """Emit a picked token; return True if a stop text is complete."""
        self._written += 1
        self._held += self._text([pick.token])
        for stop in self.job.stop:
            if stop in self._held:
                self._held = self._held.partition(stop)[0]
                self._release(len(self._held), pick)
                return True
        keep = max((n for s in self.job.stop for n in range(1, len(s)) if self._held.endswith(s[:n])), default=0)
        self._release(len(self._held) - keep, pick)
        return False

    def _release(self, length: int, pick: Pick) -> None:
        text, self._held = self._held[:length], self._held[length:]
        if text:
            others: dict[str, float] = {}
            for token, probability in pick.others.items():
                others.setdefault(self._name(token), probability)  # pieces of characters look alike
            self.emit(Piece(text=text, probability=pick.probability, alternatives=others))

    def _name(self, token: int) -> str:
        return self.model.piece(token).decode("utf-8", "replace")

    def _text(self, tokens: Sequence[int]) -> str:
        return "".join(self._decoder.decode(self.model.piece(token)) for token in tokens)
