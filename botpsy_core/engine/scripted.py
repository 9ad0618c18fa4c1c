"""A model that says what it was told to say: the test double, shipped with the core."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.errors import EngineFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request that the engine got."""

    prompt: Prompt
    grammar: Grammar | None
    limits: Limits


@dataclass(slots=True)
class ScriptedEngine:
    """Implements `ports.Engine`: each generation takes the next output of the script.

    An output is a text, pieces (for probabilities), or an exception to raise. `scores` answers `score`
    by continuation; without it scoring cannot be told.
    """

    outputs: Iterable[str | Sequence[Piece] | Exception] = ()
    scores: Mapping[str, float] | None = None
    model: ModelInfo = field(
        default_factory=lambda: ModelInfo(
            name="scripted", architecture="qwen2", template="", digest="scripted", context_tokens=4096
        )
    )
    asked: list[Asked] = field(default_factory=list)
    prepared: list[str] = field(default_factory=list)
    closed: bool = False
    _script: list[str | Sequence[Piece] | Exception] = field(init=False)

    def __post_init__(self) -> None:
        """Take the script as a list."""
        self._script = list(self.outputs)

    async def info(self) -> ModelInfo:
        """Return the model that this engine pretends to be."""
        return self.model

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Yield the next output; raise EngineFailed where the script is at its end."""
        self.asked.append(Asked(prompt=prompt, grammar=grammar, limits=limits))
        if not self._script:
            raise EngineFailed("the script has no further output")
        output = self._script.pop(0)
        if isinstance(output, Exception):
            raise output
        pieces = [Piece(text=output)] if isinstance(output, str) else output
        for piece in pieces:
            yield piece
        words = len(prompt.text.split())
        yield Finished(
            prompt_tokens=words,
            prompt_tokens_evaluated=words,
            generated_tokens=len(pieces),
            decode_steps=len(pieces),
            seconds=0.0,
            reason="grammar" if grammar is not None else "eos",
        )

    async def prepare(self, prefix: str) -> None:
        """Note the prefix."""
        self.prepared.append(prefix)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Return the scripted scores, or None where there are none."""
        self.asked.append(Asked(prompt=prompt, grammar=None, limits=Limits()))
        if self.scores is None or any(text not in self.scores for text in continuations):
            return None
        return tuple(self.scores[text] for text in continuations)

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True
