"""What may come next: a grammar's forced runs and allowed tokens, or everything."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import llguidance
import numpy as np
from numpy.typing import NDArray

from botpsy_core.engine.batch import Logits
from botpsy_core.engine.llama import Model

MAX_COMPILED = 16
ALTERNATIVES = 8


class GrammarInvalid(Exception):
    """The grammar does not compile, or the text left it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One token that was chosen."""

    token: int
    probability: float
    """Among the allowed tokens, 0 to 1."""
    others: Mapping[int, float]
    """The likeliest other allowed tokens."""


class Guide(Protocol):
    """Says what may be written next."""

    @property
    def constrained(self) -> bool:
        """Return True if a grammar decides."""
        ...

    def finished(self) -> bool:
        """Return True once nothing more may be written."""
        ...

    def forced(self) -> list[int]:
        """Return the tokens that must come next, and count them as written."""
        ...

    def pick(self, logits: Logits) -> Pick:
        """Return the likeliest allowed token."""
        ...

    def accept(self, token: int) -> None:
        """Count a picked token as written."""
        ...


@dataclass(slots=True)
class Free:
    """Everything may be written."""

    constrained: bool = False

    def finished(self) -> bool:
        """Return False: only the model ends it."""
        return False

    def forced(self) -> list[int]:
        """Return nothing."""
        return []

    def pick(self, logits: Logits) -> Pick:
        """Return the likeliest token."""
        return _best(logits, None)

    def accept(self, token: int) -> None:
        """Do nothing."""


@dataclass(slots=True)
class Constrained:
    """Only what a grammar allows may be written."""

    matcher: llguidance.LLMatcher
    bits: NDArray[np.uint8]
    runs: bool
    """False: nothing is forced, everything is picked."""
    constrained: bool = True

    def finished(self) -> bool:
        """Return True once the grammar is complete."""
        return bool(self.matcher.is_stopped())

    def forced(self) -> list[int]:
        """Return the run that the grammar leaves no way around."""
        if not self.runs or self.finished():
            return []
        run = list(self.matcher.compute_ff_tokens())
        if run and not self.matcher.consume_tokens(run):
            raise GrammarInvalid(self.matcher.get_error())
        return run

    def pick(self, logits: Logits) -> Pick:
        """Return the likeliest allowed token."""
        self.matcher.unsafe_compute_mask_ptr(self.bits.ctypes.data, self.bits.nbytes)
        allowed = np.flatnonzero(np.unpackbits(self.bits, bitorder="little")[: logits.size])
        if not allowed.size:
            raise GrammarInvalid(self.matcher.get_error() or "the grammar allows nothing here")
        return _best(logits, allowed)

    def accept(self, token: int) -> None:
        """Move the grammar on."""
        if not self.matcher.consume_token(token):
            raise GrammarInvalid(self.matcher.get_error())


@dataclass(slots=True)
class Grammars:
    """Compiles grammars for one model and keeps the last ones."""

    model: Model
    special: tuple[str, ...] = ()
    """Texts of the special tokens, known once prepared."""
    _tokenizer: llguidance.LLTokenizer | None = None
    _bits: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    _compiled: OrderedDict[str, llguidance.LLMatcher] = field(default_factory=OrderedDict)

    def prepare(self) -> llguidance.LLTokenizer:
        """Read the vocabulary; a second's work, done once."""
        if self._tokenizer is None:
            words = self.model.vocabulary()
            self._tokenizer = llguidance.LLTokenizer.from_llamacpp(  # type: ignore[attr-defined]
                tokens=words.pieces,
                vocab_ptr=words.pointer,
                tokenize_fptr=words.tokenize,
                eos_token=words.ends,
                slices=[],  # they speed up free text by a millisecond a token, and cost 37 MB and half a second
            )
            self.special = tuple(p[1:].decode("utf-8", "replace") for p in words.pieces if p.startswith(b"\xff"))
            self._bits = np.zeros(-(-self._tokenizer.vocab_size // 32) * 4, np.uint8)
        return self._tokenizer

    def guide(self, lark: str, *, runs: bool) -> Constrained:
        """Return a guide at the grammar's start; raise GrammarInvalid."""
        tokenizer = self.prepare()
        if lark not in self._compiled:
            matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_lark(lark), log_level=0)
            if matcher.is_error():
                raise GrammarInvalid(matcher.get_error())
            self._compiled[lark] = matcher
            while len(self._compiled) > MAX_COMPILED:
                self._compiled.popitem(last=False)
        self._compiled.move_to_end(lark)
        return Constrained(self._compiled[lark].deep_copy(), self._bits, runs)


def _best(logits: Logits, allowed: NDArray[np.intp] | None) -> Pick:
    values = logits if allowed is None else logits[allowed]
    place = int(values.argmax())
    weights = np.exp(values - values[place])
    total = float(weights.sum(dtype=np.float64))
    few = min(ALTERNATIVES + 1, values.size)
    near = np.argpartition(values, values.size - few)[-few:]
    near = near[np.argsort(-values[near], kind="stable")]

    def token(index: int) -> int:
        return index if allowed is None else int(allowed[index])

    others = {token(int(i)): float(weights[i]) / total for i in near if int(i) != place}
    return Pick(token=token(place), probability=float(weights[place]) / total, others=others)
