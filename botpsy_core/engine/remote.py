"""A model on another machine: llama-server, vLLM, Ollama or whatever speaks OpenAI's completions."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp

from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.engine.gbnf import NotConvertible, to_gbnf
from botpsy_core.engine.servers import STYLES, TOP, GrammarStyle, Kind, body, path, read_chunk, with_grammar
from botpsy_core.engine.wire import Wire, events
from botpsy_core.errors import EngineFailed

_PROBE = Grammar(lark='start: "ok"')


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSettings:
    """Where the server is and what it cannot tell itself."""

    url: str
    """`http://host:port`, with or without `/v1`."""
    model: str = ""
    """Its name there; empty takes the first that is served."""
    api_key: str | None = None
    template: str = ""
    """The chat template, where the server does not tell it (vLLM, plain OpenAI servers)."""
    context_tokens: int = 4096
    answer_s: float = 5.0
    """Seconds in which it must say what it is."""


@dataclass(frozen=True, slots=True)
class _Known:
    kind: Kind
    style: GrammarStyle
    info: ModelInfo


class RemoteEngine:
    """Implements `ports.Engine` over HTTP; the session is the host's."""

    def __init__(self, settings: RemoteSettings, session: aiohttp.ClientSession) -> None:
        """Ask nothing yet."""
        self._settings = settings
        self._wire = Wire(settings.url.rstrip("/").removesuffix("/v1"), settings.api_key, session)
        self._known: _Known | None = None

    async def info(self) -> ModelInfo:
        """Return what is known of the model; raise EngineFailed."""
        return (await self._server()).info

    async def generate(
        self, prompt: Prompt, grammar: Grammar | None, limits: Limits
    ) -> AsyncIterator[Piece | Finished]:
        """Yield pieces as they come and one Finished at the end; raise EngineFailed or EngineBusy."""
        server = await self._server()
        model = server.info.name
        bounds = _grammar(server.style, grammar)
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

    async def _server(self) -> _Known:
        """Find out once what is at the other end."""
        if self._known is None:
            self._known = await self._meet()
        return self._known

    async def _meet(self) -> _Known:
        seconds = self._settings.answer_s
        props = await self._wire.maybe("/props", seconds)
        if "chat_template" in props:
            return await self._with_style(Kind.LLAMA, self._llama_info(props))
        if "version" in await self._wire.maybe("/api/version", seconds):
            return _Known(Kind.OLLAMA, GrammarStyle.NONE, await self._ollama_info())
        models = await self._wire.json("/v1/models", None, timeout_s=seconds)
        served = [each for each in models.get("data") or [] if isinstance(each, Mapping)]
        if not served:
            raise EngineFailed(f"{self._wire.base} serves no model")
        chosen = next((each for each in served if each.get("id") == self._settings.model), served[0])
        kind = Kind.VLLM if chosen.get("owned_by") == "vllm" else Kind.OPENAI
        info = self._info(str(chosen["id"]), context=int(chosen.get("max_model_len") or 0))
        return await self._with_style(kind, info)

    async def _with_style(self, kind: Kind, info: ModelInfo) -> _Known:
        """Try each way of giving a grammar; only one that is obeyed counts."""
        for style in STYLES[kind]:
            request = body(kind, model=info.name, prompt="Say yes.\n", limits=Limits(max_tokens=8), stream=False)
            try:
                data = await self._wire.json(path(kind), request | _grammar(style, _PROBE), timeout_s=60.0)
            except EngineFailed:
                continue
            if read_chunk(kind, data).text == "ok":
                return _Known(kind, style, info)
        return _Known(kind, GrammarStyle.NONE, info)

    def _llama_info(self, props: Mapping[str, Any]) -> ModelInfo:
        name = str(props.get("model_alias") or props.get("model_path") or "model")
        settings = props.get("default_generation_settings") or {}
        return self._info(
            name.rpartition("/")[2],
            template=str(props["chat_template"]),
            context=int(settings.get("n_ctx") or 0),
            bos=str(props.get("bos_token") or ""),
            eos=str(props.get("eos_token") or ""),
        )

    async def _ollama_info(self) -> ModelInfo:
        name = self._settings.model
        if not name:
            tags = await self._wire.json("/api/tags", None, timeout_s=self._settings.answer_s)
            name = next((str(each["name"]) for each in tags.get("models") or []), "")
        if not name:
            raise EngineFailed(f"{self._wire.base} serves no model")
        shown = await self._wire.json("/api/show", {"model": name}, timeout_s=self._settings.answer_s)
        facts = shown.get("model_info") or {}
        architecture = str(facts.get("general.architecture", ""))
        template = str(facts.get("tokenizer.chat_template") or "")
        context = int(facts.get(f"{architecture}.context_length") or 0)
        return self._info(name, architecture=architecture, template=template, context=context)

    def _info(
        self, name: str, *, template: str = "", context: int = 0, architecture: str = "", bos: str = "", eos: str = ""
    ) -> ModelInfo:
        text = self._settings.template or template
        if not text:
            raise EngineFailed(
                f"{self._wire.base} does not tell the chat template of {name!r}; give it in the settings"
            )
        return ModelInfo(
            name=name,
            architecture=architecture,
            template=text,
            digest=f"{self._wire.base} {name}",
            context_tokens=context or self._settings.context_tokens,
            bos=bos,
            eos=eos,
        )

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


def _grammar(style: GrammarStyle, grammar: Grammar | None) -> dict[str, Any]:
    """Return what tells the server the grammar; nothing where that cannot be, and the guard stands alone."""
    if grammar is None:
        return {}
    try:
        return with_grammar(style, to_gbnf(grammar.lark))
    except NotConvertible:
        return {}
