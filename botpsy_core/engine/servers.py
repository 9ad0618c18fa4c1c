"""How the kinds of model servers are spoken to; one small description each."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from botpsy_core.domain.engine import Limits

TOP = 40
"""Alternatives to ask for when scoring; a continuation outside of them cannot be told."""


class Kind(StrEnum):
    """Which server it is."""

    LLAMA = "llama-server"
    VLLM = "vllm"
    OLLAMA = "ollama"
    OPENAI = "openai"


class GrammarStyle(StrEnum):
    """How a server takes a grammar; found out by trying, since some ignore what they do not know.

    llama-server built with llguidance takes Lark too, but drops it without a word where it names a special token that
    is user-defined, as Qwen's are; so it gets GBNF, of which it reports every error.
    """

    GBNF = "gbnf"
    STRUCTURED = "structured_outputs"
    GUIDED = "guided_grammar"
    NONE = "none"


STYLES: Mapping[Kind, tuple[GrammarStyle, ...]] = {
    Kind.LLAMA: (GrammarStyle.GBNF,),
    Kind.VLLM: (GrammarStyle.STRUCTURED, GrammarStyle.GUIDED),
    Kind.OLLAMA: (),
    Kind.OPENAI: (),
}


@dataclass(frozen=True, slots=True)
class Chunk:
    """One part of an answer, in any server's words."""

    text: str = ""
    end: str = ""
    """`eos`, `length` or `stop` once it has ended."""
    prompt_tokens: int = 0
    evaluated: int = 0
    written: int = 0


def path(kind: Kind) -> str:
    """Return where a prompt is posted to."""
    match kind:
        case Kind.LLAMA:
            return "/completion"
        case Kind.OLLAMA:
            return "/api/generate"
        case Kind.VLLM | Kind.OPENAI:
            return "/v1/completions"


def body(kind: Kind, *, model: str, prompt: str, limits: Limits, stream: bool = True) -> dict[str, Any]:
    """Return the request for a greedy answer to a prompt that is rendered already."""
    match kind:
        case Kind.LLAMA:
            return {
                "prompt": prompt,
                "n_predict": limits.max_tokens,
                "temperature": 0,
                "stop": list(limits.stop),
                "cache_prompt": True,
                "stream": stream,
            }
        case Kind.OLLAMA:
            options = {"temperature": 0, "num_predict": limits.max_tokens, "stop": list(limits.stop)}
            return {"model": model, "prompt": prompt, "raw": True, "stream": stream, "options": options}
        case Kind.VLLM | Kind.OPENAI:
            return {
                "model": model,
                "prompt": prompt,
                "max_tokens": limits.max_tokens,
                "temperature": 0,
                "stop": list(limits.stop) or None,
                "stream": stream,
                **({"stream_options": {"include_usage": True}} if stream else {}),
            }


def with_grammar(style: GrammarStyle, gbnf: str) -> dict[str, Any]:
    """Return what a request has to hold beside the rest for a grammar."""
    match style:
        case GrammarStyle.NONE:
            return {}
        case GrammarStyle.GBNF:
            return {"grammar": gbnf}
        case GrammarStyle.STRUCTURED:
            return {"structured_outputs": {"grammar": gbnf}}
        case GrammarStyle.GUIDED:
            return {"guided_grammar": gbnf}


def read_chunk(kind: Kind, data: Mapping[str, Any]) -> Chunk:
    """Return one streamed or whole answer in our words."""
    match kind:
        case Kind.LLAMA:
            return _llama(data)
        case Kind.OLLAMA:
            read = int(data.get("prompt_eval_count") or 0)
            end = ("length" if data.get("done_reason") == "length" else "eos") if data.get("done") else ""
            return Chunk(str(data.get("response", "")), end, read, read, int(data.get("eval_count") or 0))
        case Kind.VLLM | Kind.OPENAI:
            return _openai(data)


def _llama(data: Mapping[str, Any]) -> Chunk:
    text = str(data.get("content", ""))
    if not data.get("stop"):
        return Chunk(text)
    end = {"limit": "length", "word": "stop"}.get(str(data.get("stop_type")), "eos")
    timings = data.get("timings") or {}
    return Chunk(
        text,
        end,
        int(data.get("tokens_evaluated") or 0),
        int(timings.get("prompt_n") or 0),
        int(data.get("tokens_predicted") or 0),
    )


def _openai(data: Mapping[str, Any]) -> Chunk:
    choices = data.get("choices") or [{}]
    usage = data.get("usage") or {}
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    read = int(usage.get("prompt_tokens") or 0)
    reason = choices[0].get("finish_reason")
    end = {"length": "length", "stop": "eos"}.get(str(reason), "eos") if reason else ""
    text = str(choices[0].get("text") or "")
    return Chunk(text, end, read, max(read - int(cached), 0), int(usage.get("completion_tokens") or 0))
