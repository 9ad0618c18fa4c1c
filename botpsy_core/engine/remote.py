"""A model on another machine: llama-server, vLLM, Ollama or whatever speaks OpenAI's completions."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Sequence

import aiohttp

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.engine.meeting import Known, RemoteSettings, bounds_of, meet
from botpsy_core.engine.servers import TOP, Kind, body, path, read_chunk
from botpsy_core.engine.wire import Wire, events
from botpsy_core.errors import EngineFailed

__all__ = ["RemoteEngine", "RemoteSettings"]

FRESH_S = 5.0
"""Seconds after which a server that has not been heard of is looked for before a turn."""


class RemoteEngine:
    """Implements `ports.Engine` over HTTP, with the host's session or one of its own."""

    def __init__(
        self,
        settings: RemoteSettings,
        session: aiohttp.ClientSession | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Ask nothing yet."""
        self._settings = settings
        self._wire = Wire(settings.url.rstrip("/").removesuffix("/v1"), settings.api_key, session)
        self._clock = clock
        self._known: Known | None = None
        self._heard_at = 0.0

    async def info(self) -> ModelInfo:
        """Return what is known of the model, after a look whether it is still there; raise EngineFailed."""
        if self._known is not None and self._clock() - self._heard_at > FRESH_S:
            await self._look()
        return (await self._server()).info

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Yield pieces as they come and one Finished at the end; raise EngineFailed or EngineBusy."""
        server = await self._server()
        model = server.info.name
        bounds = bounds_of(server.style, grammar)
        request = body(server.kind, model=model, prompt=prompt.text, limits=limits) | bounds
        started = time.monotonic()
        end, read, evaluated, written, steps = "", 0, 0, 0, 0
        try:
            async with asyncio.timeout(limits.timeout_s), self._wire.open(path(server.kind), request) as reply:
                async for data in events(reply):
                    chunk = read_chunk(server.kind, data)
                    if chunk.text:
                        steps += 1
                        yield Piece(text=chunk.text)
                    end = chunk.end or end
                    read, evaluated = chunk.prompt_tokens or read, chunk.evaluated or evaluated
                    written = chunk.written or written
        except TimeoutError:
            end = "timeout"
        except EngineFailed:
            self._known = None  # it may come back as another one
            raise
        if not end:
            self._known = None
            raise EngineFailed(f"{self._wire.base} broke off in the middle of an answer")
        self._heard_at = self._clock()
        yield Finished(
            prompt_tokens=read,
            prompt_tokens_evaluated=evaluated,
            generated_tokens=written or steps,
            decode_steps=written or steps,
            seconds=time.monotonic() - started,
            reason="grammar" if bounds and end == "eos" else end,
        )

    async def prepare(self, prefix: str) -> None:
        """Have a prompt's prefix read ahead of its first use, where the server keeps prompts."""
        server = await self._server()
        if server.kind is Kind.LLAMA:
            request = body(server.kind, model="", prompt=prefix, limits=Limits(max_tokens=0), stream=False)
            await self._wire.json(path(server.kind), request | {"n_predict": 0}, timeout_s=600.0)

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Return the log probability of each continuation, or None where the server does not tell it."""
        server = await self._server()
        match server.kind:
            case Kind.LLAMA:
                scores = [await self._score_stepwise(prompt.text, text) for text in continuations]
            case Kind.VLLM:
                scores = [await self._score_echo(server.info.name, prompt.text, text) for text in continuations]
            case Kind.OLLAMA | Kind.OPENAI:
                return None
        return None if any(score is None for score in scores) else tuple(s for s in scores if s is not None)

    async def close(self) -> None:
        """Forget what was learnt of the server."""
        self._known = None
        await self._wire.close()

    async def _server(self) -> Known:
        """Find out once what is at the other end."""
        if self._known is None:
            self._known = await meet(self._settings, self._wire)
            self._heard_at = self._clock()
        return self._known

    async def _look(self) -> None:
        """See that the server is there; raise EngineFailed where it is gone, so that no turn is begun with it."""
        try:
            await self._wire.maybe("/v1/models", self._settings.answer_s)
        except EngineFailed:
            self._known = None
            raise
        self._heard_at = self._clock()

    async def _score_stepwise(self, prompt: str, continuation: str) -> float | None:
        """Add up the log probability of each token; llama-server tells the likeliest of the next one only."""
        cut = await self._wire.json("/tokenize", {"content": continuation, "parse_special": True, "with_pieces": True})
        total, written = 0.0, prompt
        for token in cut.get("tokens") or []:
            request = body(Kind.LLAMA, model="", prompt=written, limits=Limits(max_tokens=1), stream=False)
            data = await self._wire.json(path(Kind.LLAMA), request | {"n_probs": TOP})
            top = (data.get("completion_probabilities") or [{}])[0].get("top_logprobs") or []
            found = next((float(each["logprob"]) for each in top if each.get("id") == token["id"]), None)
            if found is None or not isinstance(token["piece"], str):
                return None
            total, written = total + found, written + token["piece"]
        return total

    async def _score_echo(self, model: str, prompt: str, continuation: str) -> float | None:
        """Add up what vLLM says of the prompt's own tokens."""
        request = {
            "model": model,
            "prompt": prompt + continuation,
            "max_tokens": 1,
            "temperature": 0,
            "echo": True,
            "logprobs": 1,
        }
        choice = ((await self._wire.json(path(Kind.VLLM), request)).get("choices") or [{}])[0]
        told = choice.get("logprobs") or {}
        offsets, values = told.get("text_offset") or [], told.get("token_logprobs") or []
        whole = len(prompt) + len(continuation)
        inside = [v for o, v in zip(offsets, values, strict=False) if len(prompt) <= o < whole]
        return math.fsum(inside) if inside and all(isinstance(v, float) for v in inside) else None
