"""A model that always calls a tool: whatever the grammar allows, at random, but never the refusal."""

import random

from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

from botpsy_core.domain.engine import Finished, ModelInfo, Piece
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL
from botpsy_core.errors import EngineFailed


class _Bytes:
    """A vocabulary of single bytes."""

    eos_token_id = 256
    bos_token_id = None
    tokens = (*tuple(bytes([n]) for n in range(256)), b"<eos>")
    special_token_ids = (256,)
    unk_token_id = None

    def __call__(self, text):
        return list(text.encode() if isinstance(text, str) else text)


class EagerEngine:
    """Implements `ports.Engine`; sure of everything it says."""

    def __init__(self, seed: int = 0, *, tries: int = 12) -> None:
        self._dice = random.Random(seed)
        self._tries = tries
        self._tokenizer = LLTokenizer(TokenizerWrapper(_Bytes()))
        self.asked = 0

    async def info(self) -> ModelInfo:
        return ModelInfo(name="eager", architecture="qwen2", template="", digest="eager", context_tokens=4096)

    async def generate(self, prompt, grammar, limits):
        self.asked += 1
        if grammar is None:
            raise EngineFailed("an eager model speaks in calls alone")
        text = next(
            (t for _ in range(self._tries) if NO_SUITABLE_TOOL not in (t := self._walk(grammar)) and ASK_USER not in t),
            "",
        )
        if not text:
            raise EngineFailed("nothing but a refusal was allowed")
        yield Piece(text=text, probability=1.0)
        yield Finished(
            prompt_tokens=1,
            prompt_tokens_evaluated=1,
            generated_tokens=1,
            decode_steps=1,
            seconds=0.0,
            reason="grammar",
        )

    async def score(self, prompt, continuations):
        return tuple(0.0 for _ in continuations)

    async def prepare(self, prefix) -> None:
        """Read nothing ahead."""

    async def close(self) -> None:
        """Free nothing."""

    def _walk(self, grammar) -> str:
        matcher = LLMatcher(self._tokenizer, grammar.lark, log_level=0)
        written = b""
        while not matcher.is_stopped() and len(written) < 2000:
            mask = matcher.compute_bitmask()
            allowed = [token for token in range(256) if mask[token // 8] >> token % 8 & 1]
            if not allowed:
                break
            token = self._dice.choice(allowed)
            matcher.consume_token(token)
            written += bytes([token])
        return written.decode(errors="replace")
