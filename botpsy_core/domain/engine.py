"""What goes into an engine and what comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A rendered prompt in two parts, so that the first is never read twice."""

    prefix: str
    """Byte-stable for one model and tool set: system text and tools."""
    tail: str
    """History, candidates and the utterance."""

    @property
    def text(self) -> str:
        """Return the whole prompt."""
        return self.prefix + self.tail


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What the engine may write, in llguidance's Lark syntax."""

    lark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Hard bounds of one generation."""

    max_tokens: int = 256
    timeout_s: float = 30.0
    stop: tuple[str, ...] = ()
    """Texts that end a generation without a grammar; not part of the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of text that came out at once."""

    text: str
    forced: bool = False
    """True if the grammar left no other way; probability is then 1."""
    probability: float | None = None
    """Of its first token among what the grammar allowed, 0 to 1; None where the engine cannot tell."""
    alternatives: Mapping[str, float] = field(default_factory=dict)
    """First tokens of other ways that were allowed, with their probability; the likeliest few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The last thing that a generation yields."""

    prompt_tokens: int
    prompt_tokens_evaluated: int
    generated_tokens: int
    decode_steps: int
    seconds: float
    reason: str
    """`grammar` (complete), `eos`, `stop`, `length`, `timeout` or `cancelled`."""
    compute_seconds: float | None = None
    """Of `seconds`, those inside the model's own library; None where the engine cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """What an engine knows of its model; formats are recognised from it."""

    name: str
    architecture: str
    template: str
    """The GGUF's own chat template (Jinja); empty where there is none."""
    digest: str
    """SHA-256 of the file, or a server's model id."""
    context_tokens: int
    size_bytes: int = 0
    bos: str = ""
    eos: str = ""
    special: tuple[str, ...] = ()
    """Texts of the vocabulary's control and user-defined tokens, as llguidance names them; empty where unknown."""
