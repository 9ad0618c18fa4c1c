"""Find out what is at the other end: which server, which model, and how it takes a grammar."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from botpsy_core.domain.engine import Grammar, Limits, ModelInfo
from botpsy_core.engine.gbnf import NotConvertible, to_gbnf
from botpsy_core.engine.servers import STYLES, GrammarStyle, Kind, body, path, read_chunk, with_grammar
from botpsy_core.engine.wire import Wire
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
class Known:
    """What was found at the other end."""

    kind: Kind
    style: GrammarStyle
    info: ModelInfo


async def meet(settings: RemoteSettings, wire: Wire) -> Known:
    """Return what a server is; raise EngineFailed."""
    return await _Meeting(settings, wire).meet()


class _Meeting:
    """One round of questions to a server."""

    def __init__(self, settings: RemoteSettings, wire: Wire) -> None:
        self._settings = settings
        self._wire = wire

    async def meet(self) -> Known:
        """Ask which kind it is, what it serves, and how it takes a grammar."""
        seconds = self._settings.answer_s
        props = await self._wire.maybe("/props", seconds)
        if "chat_template" in props:
            return await self._with_style(Kind.LLAMA, self._llama_info(props))
        if "version" in await self._wire.maybe("/api/version", seconds):
            return Known(Kind.OLLAMA, GrammarStyle.NONE, await self._ollama_info())
        models = await self._wire.json("/v1/models", None, timeout_s=seconds)
        served = [each for each in models.get("data") or [] if isinstance(each, Mapping)]
        if not served:
            raise EngineFailed(f"{self._wire.base} serves no model")
        chosen = next((each for each in served if each.get("id") == self._settings.model), served[0])
        kind = Kind.VLLM if chosen.get("owned_by") == "vllm" else Kind.OPENAI
        info = self._info(str(chosen["id"]), context=int(chosen.get("max_model_len") or 0))
        return await self._with_style(kind, info)

    async def _with_style(self, kind: Kind, info: ModelInfo) -> Known:
        """Try each way of giving a grammar; only one that is obeyed counts."""
        for style in STYLES[kind]:
            request = body(kind, model=info.name, prompt="Say yes.\n", limits=Limits(max_tokens=8), stream=False)
            try:
                data = await self._wire.json(path(kind), request | bounds_of(style, _PROBE), timeout_s=60.0)
            except EngineFailed:
                continue
            if read_chunk(kind, data).text == "ok":
                return Known(kind, style, info)
        return Known(kind, GrammarStyle.NONE, info)

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


def bounds_of(style: GrammarStyle, grammar: Grammar | None) -> dict[str, Any]:
    """Return what tells the server the grammar; nothing where that cannot be, and the guard stands alone."""
    if grammar is None:
        return {}
    try:
        return with_grammar(style, to_gbnf(grammar.lark))
    except NotConvertible:
        return {}
