"""Ask the model what the words leave open, within a grammar and a time."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

from botpsy_core.agent.prompt import history_of, is_foreign, listed_of, narrowed, note_of, system_of
from botpsy_core.agent.shown import Shown
from botpsy_core.agent.thought import think
from botpsy_core.catalog import only_schema
from botpsy_core.dialect import Parser, Renderer, ThinkingBudget, build_grammar, renderer_of
from botpsy_core.domain.decisions import Item, RawCall
from botpsy_core.domain.engine import Finished, Limits, Piece
from botpsy_core.domain.events import Usage
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import ToolSpec
from botpsy_core.errors import NoModel, UnparsableCall
from botpsy_core.ports import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the model wrote, read as one call."""

    raw: RawCall
    pieces: tuple[Piece, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Decider:
    """Puts one clause to one model."""

    def __init__(
        self, engine: Engine | None, *, instructions: str = "", thinking: ThinkingBudget | None = None
    ) -> None:
        """Take the model, or None where there is none, and what it is told beside its task; it thinks only if asked."""
        self._engine = engine
        self._instructions = instructions
        self._thinking = thinking

    async def decide(
        self,
        offer: Offer,
        clause: Clause,
        *,
        tools: Sequence[ToolSpec],
        transcript: Transcript,
        limits: Limits,
        text: str = "",
    ) -> Decision:
        """Return the call that the model chose; raise EngineFailed, or UnparsableCall where it wrote none.

        `text` is what the model reads where that is not the clause itself.
        """
        if self._engine is None:
            raise NoModel("there is no model")
        renderer = await self._rendering(self._engine)
        names = Shown.of(tools)
        tools, offer, transcript = names.tools(tools), names.offer(offer), names.transcript(transcript)
        listed, offer = listed_of(tools), narrowed(offer, tools)
        system = system_of(tools, self._instructions)
        history = history_of(transcript, clause, foreign=all(is_foreign(t) for t in tools))
        shown = bool(listed) and all(only_schema(t) for t in tools)
        note, thinks = "" if shown else note_of(offer, clause, listed), self._thinking
        prompt = renderer.render(system, listed, history, text or clause.text, note, thinking=thinks is not None)
        spent = Usage()
        if thinks is not None:
            prompt, limits, spent = await think(self._engine, renderer.family, prompt, budget=thinks, limits=limits)
        offered = frozenset(t.tool.name for t in offer.tools)
        parser = Parser(renderer.family, offered, tools=[t.tool for t in offer.tools])
        grammar = build_grammar(renderer.family, offer)
        decision = await _read(self._engine.generate(prompt, grammar, limits), parser)
        return replace(decision, raw=names.own(decision.raw), usage=spent + decision.usage)

    async def warm(self, tools: Sequence[ToolSpec]) -> None:
        """Read the part of the prompt that never changes, so that the first utterance need not wait for it."""
        if self._engine is not None:
            renderer = await self._rendering(self._engine)
            tools = Shown.of(tools).tools(tools)
            system = system_of(tools, self._instructions)
            thinks = self._thinking is not None
            prompt = renderer.render(system, listed_of(tools), Transcript(), "hello", thinking=thinks)
            await self._engine.prepare(prompt.prefix)

    async def _rendering(self, engine: Engine) -> Renderer:
        return renderer_of(await engine.info())


async def _read(parts: AsyncIterator[Piece | Finished], parser: Parser) -> Decision:
    pieces: list[Piece] = []
    items: list[Item] = []
    usage = Usage()
    async for part in parts:
        if isinstance(part, Finished):
            usage = _usage(part)
            continue
        pieces.append(part)
        items += parser.feed(part.text)
    items += parser.finish()
    calls = [i for i in items if isinstance(i, RawCall)]
    if len(calls) != 1:
        raise UnparsableCall("".join(p.text for p in pieces))
    return Decision(raw=calls[0], pieces=tuple(pieces), usage=usage)


def _usage(finished: Finished) -> Usage:
    return Usage(
        prompt_tokens=finished.prompt_tokens,
        prompt_tokens_evaluated=finished.prompt_tokens_evaluated,
        generated_tokens=finished.generated_tokens,
        engine_seconds=finished.seconds,
    )
