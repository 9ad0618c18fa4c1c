"""Tasks beside the home: text or data that a model writes, and choices that it weighs; nothing is acted on."""

import json
import math
from collections.abc import Mapping, Sequence

from botpsy_core.dialect import Parser, Renderer
from botpsy_core.domain.decisions import Item, Said
from botpsy_core.domain.engine import Finished, Grammar, Limits, Prompt
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.errors import UnparsableCall
from botpsy_core.ports import Engine

SYSTEM = "You answer tasks of a home's owner, briefly and in the language of the task."
MOST_TOKENS = 1024
LONGEST_TEXT = 400
"""Characters of one text in data whose schema says nothing else, so that it comes to an end."""
MOST_ITEMS = 20
MOST_SECONDS = 120.0


class Tasks:
    """Asks a model what no tool is needed for."""

    def __init__(self, engine: Engine, *, instructions: str = "") -> None:
        """Take the model, and what it is told beside each task."""
        self._engine = engine
        self._system = f"{SYSTEM} {instructions}".strip()

    async def write(self, task: str) -> str:
        """Return a text; raise EngineFailed or EngineBusy."""
        prompt, renderer = await self._prompt(task)
        parser = Parser(renderer.family, frozenset())
        items: list[Item] = []
        async for part in self._engine.generate(prompt, None, self._limits()):
            if not isinstance(part, Finished):
                items += parser.feed(part.text)
        items += parser.finish()
        return "".join(item.text for item in items if isinstance(item, Said)).strip()

    async def fill(self, task: str, schema: JsonObject) -> JsonValue:
        """Return data that the schema allows; raise UnparsableCall only where it did not come to an end."""
        prompt, _ = await self._prompt(f"{task}\nAnswer in JSON.")
        # Free white space would let a small model write blanks until its tokens are spent.
        tight = {**schema, "x-guidance": {"whitespace_flexible": False}}
        grammar = Grammar(lark=f"start: %json {json.dumps(bounded(tight))}\n")
        text = ""
        async for part in self._engine.generate(prompt, grammar, self._limits()):
            if not isinstance(part, Finished):
                text += part.text
        try:
            value: JsonValue = json.loads(text)
        except ValueError as error:
            raise UnparsableCall(text) from error
        return value

    async def weigh(self, question: str, options: Sequence[str]) -> Mapping[str, float] | None:
        """Return the probability of each option, together 1, or None where the engine cannot tell."""
        prompt, _ = await self._prompt(f"{question}\nAnswer with one of: {', '.join(options)}.")
        scores = await self._engine.score(prompt, options)
        if scores is None:
            return None
        best = max(scores)
        weights = [math.exp(score - best) for score in scores]
        return {option: weight / sum(weights) for option, weight in zip(options, weights, strict=True)}

    async def _prompt(self, task: str) -> tuple[Prompt, Renderer]:
        renderer = Renderer(await self._engine.info())
        return renderer.render(self._system, (), Transcript(), task), renderer

    @staticmethod
    def _limits() -> Limits:
        return Limits(max_tokens=MOST_TOKENS, timeout_s=MOST_SECONDS)


def bounded(schema: JsonValue) -> JsonValue:
    """Return a schema in which every text and every list has an end."""
    if isinstance(schema, Mapping):
        kept: dict[str, JsonValue] = {key: bounded(value) for key, value in schema.items()}
        kind = schema.get("type")
        if kind == "string" and not {"enum", "const", "pattern", "format"} & schema.keys():
            kept.setdefault("maxLength", LONGEST_TEXT)
        if kind == "array":
            kept.setdefault("maxItems", MOST_ITEMS)
        if kind == "object" and "properties" in schema:
            kept.setdefault("additionalProperties", False)
        return kept
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return [bounded(each) for each in schema]
    return schema
