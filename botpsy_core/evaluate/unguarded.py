"""The bare model: its own template, free text, a reader that takes calls in any dress."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from botpsy_core.dialect import Parser, family_of, goes_round
from botpsy_core.dialect.template import PLAIN_TEMPLATE, ChatTemplate
from botpsy_core.domain.decisions import Item, Malformed, RawCall, Said
from botpsy_core.domain.engine import Finished, Limits, ModelInfo, Prompt
from botpsy_core.domain.values import JsonObject
from botpsy_core.errors import EngineFailed
from botpsy_core.evaluate.case_home import IDENTITY
from botpsy_core.evaluate.cases import Case, Record, Rule, arguments_of
from botpsy_core.evaluate.prediction import Made, Prediction
from botpsy_core.evaluate.programs import Simulation, simulation_of
from botpsy_core.evaluate.scene import recorded_answer
from botpsy_core.ports import Engine

_BEGINNING = Limits(max_tokens=48, timeout_s=600.0)
_REST = Limits(max_tokens=152, timeout_s=600.0)
_CALL_SIGNS = ("{", "`", "<tool", "<function", "<|tool", "<think")
"""A beginning without any of them is an answer in words, and not read to its end."""

_LONGEST_TOOL_RESULT = 6_000
_MOST_STEPS = 20
"""Answers within one turn of a talk, as the public suite allows."""


@dataclass(slots=True)
class Unguarded:
    """A model with nothing around it."""

    engine: Engine

    async def predict(self, case: Case) -> Prediction:
        """Return what the model answers."""
        if case.rule is Rule.HA_QUESTION:
            return await self._question(case)
        if case.rule is not Rule.MULTI_TURN:
            return await self._once(case, case.messages, case.tools)
        messages: list[Record] = []
        tools = list(case.tools)
        turns: list[tuple[Made, ...]] = []
        costs: list[JsonObject] = []
        simulation = simulation_of(case)
        for turn in case.expected["turns"]:
            tools += turn.get("tools_added", ())
            messages += turn["user"]
            answers = [a async for a in self._steps(case, messages, tools, simulation)]
            turns.append(tuple(call for answer in answers for call in answer.calls))
            costs += [answer.facts for answer in answers]
        return Prediction(id=case.id, turns=tuple(turns), facts=_together_of(costs))

    async def _steps(
        self, case: Case, messages: list[Record], tools: Sequence[Record], simulation: Simulation
    ) -> AsyncIterator[Prediction]:
        """Yield answer after answer, each call's result told to the model, until it calls nothing or the same again."""
        before: tuple[Made, ...] = ()
        for step in range(_MOST_STEPS):
            answer = await self._once(case, messages, tools)
            if answer.calls == before and step:
                return
            yield answer
            before = answer.calls
            if not answer.calls:
                messages.append({"role": "assistant", "content": answer.text})
                return
            calls = [_written(call, f"call_{len(messages)}_{i}") for i, call in enumerate(answer.calls)]
            messages.append({"role": "assistant", "content": "", "tool_calls": calls})
            for call, written in zip(answer.calls, calls, strict=True):
                told = json.dumps(simulation.perform(call.name, call.args))
                messages.append({"role": "tool", "name": call.name, "tool_call_id": written["id"], "content": told})

    async def _question(self, case: Case) -> Prediction:
        """Return what is said once the recorded results of the calls were read, where there are any."""
        first = await self._once(case, case.messages, case.tools)
        told = [recorded_answer(case, call) for call in first.calls]
        if first.malformed or not told or any(answer is None for answer in told):
            return first
        asked = [*case.messages, *_exchange(first, told)]
        last = await self._once(case, asked, case.tools)
        facts = {**last.facts, **_together_of([first.facts, last.facts])}
        return replace(last, calls=(*first.calls, *last.calls), facts=facts)

    async def _once(self, case: Case, messages: Sequence[Record], tools: Sequence[Record]) -> Prediction:
        info = await self.engine.info()
        names = frozenset(str(tool["function"]["name"]) for tool in tools)
        parser = Parser(family_of(info), names, lenient=True)
        template = _template_of(info)
        flat, listed = [_flat(m) for m in messages], [{key: t[key] for key in t if key != IDENTITY} for t in tools]
        text = template.render(flat, listed, thinking=False)
        if not all(name in text for name in names):  # a template that knows of no tools
            text = template.render(_with_listing(flat, listed), [], thinking=False)
        raw, finished = await self._write(_split(text, messages))
        return _prediction(case, (*parser.feed(raw), *parser.finish()), raw, finished)

    async def _write(self, prompt: Prompt) -> tuple[str, Finished]:
        raw, finished = await self._part(prompt, _BEGINNING)
        if finished.reason == "length" and any(sign in raw for sign in _CALL_SIGNS):
            rest, more = await self._part(Prompt(prefix=prompt.prefix, tail=prompt.tail + raw), _REST)
            raw, finished = raw + rest, _together(finished, more)
        return _cut(raw), finished

    async def _part(self, prompt: Prompt, limits: Limits) -> tuple[str, Finished]:
        raw = ""
        async for part in self.engine.generate(prompt, None, limits):
            if isinstance(part, Finished):
                return raw, part
            raw += part.text
        raise EngineFailed("the model's answer has no end")


@lru_cache(maxsize=2)
def _template_of(info: ModelInfo) -> ChatTemplate:
    return ChatTemplate(info.template or PLAIN_TEMPLATE, bos=info.bos, eos=info.eos)


def _written(call: Made, call_id: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": dict(call.args)}}


def _together_of(costs: Sequence[JsonObject]) -> JsonObject:
    """Return what all answers of a talk cost."""
    keys = ("seconds", "prompt_tokens", "prompt_tokens_evaluated", "generated_tokens")
    return {key: sum(v for cost in costs if isinstance(v := cost.get(key), int | float)) for key in keys}


def _exchange(answer: Prediction, told: Sequence[str | None]) -> list[Record]:
    """Return calls and what they brought, as OpenAI's messages."""
    calls = [_written(call, f"call{i:05}") for i, call in enumerate(answer.calls)]
    results = [
        {"role": "tool", "tool_call_id": written["id"], "name": call.name, "content": text}
        for written, call, text in zip(calls, answer.calls, told, strict=True)
    ]
    return [{"role": "assistant", "content": answer.text, "tool_calls": calls}, *results]


def _with_listing(messages: Sequence[dict[str, Any]], tools: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the talk with the tools in its system message, for a template that cannot list them."""
    listed = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    text = f'# Tools\n\n{listed}\n\nTo call one, write {{"name": "its name", "arguments": {{}}}}.'
    first, *rest = messages
    if first["role"] != "system":
        return [{"role": "system", "content": text}, *messages]
    return [{**first, "content": f"{first['content']}\n\n{text}"}, *rest]


def _together(first: Finished, rest: Finished) -> Finished:
    return replace(
        rest,
        prompt_tokens=first.prompt_tokens,
        prompt_tokens_evaluated=first.prompt_tokens_evaluated + rest.prompt_tokens_evaluated,
        generated_tokens=first.generated_tokens + rest.generated_tokens,
        seconds=first.seconds + rest.seconds,
    )


def _cut(raw: str) -> str:
    """Return the text up to where it goes round."""
    for end in range(60, len(raw), 20):
        if goes_round(raw[:end]):
            return raw[:end]
    return raw


def _flat(message: Record) -> dict[str, Any]:
    """Return a message as templates take it: a text, and arguments as objects."""
    content = str(message.get("content") or "")
    flat = {**message, "content": content[:_LONGEST_TOOL_RESULT] if message["role"] == "tool" else content}
    calls = message.get("tool_calls")
    if calls:
        flat["tool_calls"] = [
            {**c, "function": {**c["function"], "arguments": arguments_of(c["function"])}} for c in calls
        ]
    return flat


def _split(text: str, messages: Sequence[Record]) -> Prompt:
    """Return the prompt, its prefix up to the first user's words, so that cases of one home share it."""
    first = next((str(m.get("content") or "") for m in messages if m["role"] == "user"), "")
    at = max(text.find(first), 0) if first else 0
    return Prompt(prefix=text[:at], tail=text[at:])


def _prediction(case: Case, items: Sequence[Item], raw: str, finished: Finished) -> Prediction:
    said = " ".join(item.text for item in items if isinstance(item, Said))
    return Prediction(
        id=case.id,
        calls=tuple(Made(name=item.name, args=item.args) for item in items if isinstance(item, RawCall)),
        text=said,
        malformed=any(isinstance(item, Malformed) for item in items),
        final_text=said,
        facts={
            "raw": raw,
            "seconds": round(finished.seconds, 3),
            "prompt_tokens": finished.prompt_tokens,
            "prompt_tokens_evaluated": finished.prompt_tokens_evaluated,
            "generated_tokens": finished.generated_tokens,
        },
    )
