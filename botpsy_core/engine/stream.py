"""The one sequence that grows and is rolled back: what was read stays read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from botpsy_core.engine.batch import BATCH, Aborted, ContextFull, Logits, Row, State
from botpsy_core.engine.llama import Context
from botpsy_core.engine.prefix import Snapshots

GRAIN = 4
"""A tail that is read in part begins at a multiple of this, and LEAST tokens or more are read at once: then every row
meets the same kernel and tile as when all of it is read, and the logits come out the same, bit for bit."""

LEAST = 8

CHECKPOINT = 64
"""Tokens between two checkpoints of a memory that cannot be cut."""

CHECKPOINTS = 4
MIN_SNAPSHOT = 32
"""Tokens; reading fewer is cheaper than keeping them."""


@dataclass(slots=True, kw_only=True)
class Stream:
    """The tokens in the context's first sequence."""

    context: Context
    cuts: bool
    """True where the memory can forget its last tokens."""
    snapshots: Snapshots
    progress: Callable[[], None]
    """Called after each batch."""
    reuse: bool = True
    counted: int = 0
    """Tokens evaluated so far."""
    tokens: list[int] = field(default_factory=list)
    _checkpoints: dict[int, State] = field(default_factory=dict)
    _boundary: int = 0
    _solid: int = 0
    """What was read in whole tiles; written tokens were decoded singly and count as unread."""

    def read(self, prefix: Sequence[int], tail: Sequence[int], *, then: Sequence[int] = ()) -> None:
        """Make the sequence prefix + tail + then, reading only what is not there; the last token has logits.

        Raise Aborted, ContextFull or EngineFailed; what was read before that stays.
        """
        if not tail:
            while self.advance(prefix):
                self.progress()
            prefix, tail = prefix[:-1], prefix[-1:]
        target, boundary = [*prefix, *tail], len(prefix)
        if not self.reuse:
            self.forget()
        start = self._rewind(target, boundary, len(then))
        self._read_prefix(target[start:boundary], boundary)
        self._extend([*target[max(start, boundary) :], *then], last=True)
        self._solid = boundary + _floor(len(self.tokens) - boundary, GRAIN)

    def advance(self, prefix: Sequence[int]) -> int:
        """Read a part of a prefix ahead of its use and return how many tokens are left to read."""
        target, boundary = list(prefix), len(prefix)
        if self.tokens[:boundary] == target:
            return 0
        start = self._rewind([*target, -1], boundary, LEAST)
        self._read_prefix(target[start : start + BATCH], boundary)
        return boundary - len(self.tokens)

    def append(self, tokens: Sequence[int]) -> None:
        """Evaluate what was written; the last token has logits."""
        self._extend(tokens, last=True, mark=False)

    def logits(self) -> Logits:
        """Return the logits after the last token; valid until the next decode."""
        return self.context.logits()

    @property
    def checkpoint_bytes(self) -> int:
        """Return what the checkpoints hold."""
        return sum(state.nbytes for state in self._checkpoints.values())

    def forget(self) -> None:
        """Empty the sequence."""
        self.context.clear()
        self.tokens.clear()
        self._checkpoints.clear()

    def _rewind(self, target: list[int], boundary: int, more: int) -> int:
        """Go back to the furthest place that agrees with the target, and return it."""
        common = _common(self.tokens, target[:-1])
        if not self.cuts:
            place = max((p for p in self._checkpoints if p <= common), default=0)
        elif common >= boundary == self._boundary:
            most = min(common, self._solid, len(target) + more - LEAST)
            place = boundary + _floor(max(most - boundary, 0), GRAIN)
        else:
            place = _floor(min(common, self._boundary or common), BATCH)
        if place < boundary and self._restore(target[:boundary]):
            return boundary
        return self._cut(min(place, len(self.tokens)))

    def _read_prefix(self, part: Sequence[int], boundary: int) -> None:
        """Read on in a prefix; its end is kept for ever."""
        self._boundary = boundary
        self._extend(part, last=False)
        if part and len(self.tokens) == boundary >= MIN_SNAPSHOT:
            self.snapshots.keep(self.tokens, self.context.save())
        self._mark(len(self.tokens))

    def _restore(self, prefix: list[int]) -> bool:
        state = self.snapshots.find(prefix) if self.reuse and len(prefix) >= MIN_SNAPSHOT else None
        if state is None:
            return False
        self.forget()
        if not self.context.restore(state):
            self.snapshots.forget(prefix)
            self.context.clear()
            return False
        self.tokens = list(prefix)
        return True

    def _cut(self, place: int) -> int:
        """Forget everything from this place on; return where the sequence really ends then."""
        if place == len(self.tokens):
            return place
        if place and not self.cuts and not self.context.restore(self._checkpoints[place], partial=True):
            place = 0
        if place == 0 or not self.context.cut(0, place):
            self.forget()
            return 0
        del self.tokens[place:]
        self._checkpoints = {p: state for p, state in self._checkpoints.items() if p <= place}
        return place

    def _mark(self, place: int) -> None:
        """Take a checkpoint here where the memory needs one."""
        if self.cuts or not place or place != len(self.tokens) or place in self._checkpoints:
            return
        while len(self._checkpoints) >= CHECKPOINTS:
            del self._checkpoints[min(p for p in self._checkpoints if p != self._boundary)]
        self._checkpoints[place] = self.context.save(partial=True)

    def _extend(self, tokens: Sequence[int], *, last: bool, mark: bool = True) -> None:
        step = BATCH if self.cuts or not last else CHECKPOINT
        done = 0
        while done < len(tokens):
            left = len(tokens) - done
            size = step - LEAST if step < left < step + LEAST else min(step, left)
            self._decode(tokens[done : done + size], logits=last and size == left)
            done += size
            if done < len(tokens):
                self.progress()
                if mark:
                    self._mark(len(self.tokens))

    def _decode(self, part: Sequence[int], *, logits: bool) -> None:
        begin = len(self.tokens)
        rows = [Row(token, begin + place) for place, token in enumerate(part)]
        rows[-1] = Row(part[-1], begin + len(part) - 1, logits=logits)
        try:
            self.context.decode(rows)
        except Aborted, ContextFull:
            self._settle(begin)
            raise
        self.tokens.extend(part)
        self.counted += len(part)

    def _settle(self, begin: int) -> None:
        """Come back to a known place after a batch that did not end."""
        if self.cuts and self.context.cut(0, begin):
            return
        place = max((p for p in self._checkpoints if p <= begin), default=0)
        self.tokens.append(-1)  # the state is past its last known token
        self._cut(place)


def _floor(count: int, grain: int) -> int:
    return count - count % grain


def _common(left: Sequence[int], right: Sequence[int]) -> int:
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count
