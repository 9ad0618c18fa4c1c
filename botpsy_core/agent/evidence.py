"""Gather what the gate needs besides the words: free things first, what costs the model's time only in doubt."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from botpsy_core.catalog import likeness
from botpsy_core.dialect import Renderer
from botpsy_core.domain.engine import Piece
from botpsy_core.domain.heard import Heard, Span
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Evidence
from botpsy_core.errors import BotPsyError
from botpsy_core.ports import Engine
from botpsy_core.safety import Case, in_doubt, is_grounded, only_schema

_LOGGER = logging.getLogger(__name__)

_MOST_CHARACTERS = 400
"""Of the words whose likelihood is asked for."""
_TASK = "Write one request of a user to an assistant."
_ANY_TOOL = "The assistant will use any tool."
_THIS_TOOL = "The assistant will use this tool."


def evidence_of(
    call: ToolCall, pieces: Sequence[Piece], *, likeness: float | None, tainted: bool, model: str = ""
) -> Evidence:
    """Return the model's own probabilities for a call, as far as the pieces tell them."""
    text, p_call = "", 1.0
    p_args: dict[str, float] = {}
    told = False
    for piece in pieces:
        if piece.probability is not None and not piece.forced:
            told = True
            argument = _argument_at(text, call)
            if argument is None:
                p_call *= piece.probability
            else:
                p_args[argument] = p_args.get(argument, 1.0) * piece.probability
        text += piece.text
    return Evidence(
        p_call=p_call if told else None,
        p_refuse=_refusal(call, pieces),
        p_args=p_args,
        likeness=likeness,
        model=model,
        tainted=tainted,
    )


def likeness_of(
    name: str, tools: Sequence[ToolSpec], heard: Heard, *, offered: OfferedTool | None, part: Span | None = None
) -> float | None:
    """Return how alike words and tool are: for a foreign tool of its text alone, else as the shortlist measured it."""
    foreign = [tool for tool in tools if only_schema(tool)]
    said = _words_of(heard, part)
    alike = {tool.name: like for tool, like in zip(foreign, likeness(said, foreign, heard.language), strict=True)}
    return alike.get(name, None if offered is None else offered.score)


def without_inventions(call: ToolCall, spec: ToolSpec | None, heard: Heard) -> ToolCall:
    """Return a foreign tool's call without what it does not need and nobody said."""
    if spec is None or not only_schema(spec):
        return call
    needless = {a.name for a in spec.arguments if not a.required and not is_grounded(a, call, spec=spec, heard=heard)}
    return replace(call, args={name: value for name, value in call.args.items() if name not in needless})


class Witness:
    """Asks the model how much likelier the words become once it knows the tool."""

    def __init__(self, engine: Engine | None) -> None:
        """Take the model, or None where there is none to ask."""
        self._engine = engine

    async def gain(self, spec: ToolSpec, heard: Heard, *, part: Span | None = None) -> float | None:
        """Return the gain in log probability, natural log; None where the engine cannot tell."""
        if self._engine is None:
            return None
        words = _words_of(heard, part)[:_MOST_CHARACTERS]
        arguments = ", ".join(a.name for a in spec.arguments)
        told = f"{_THIS_TOOL}\n{spec.called}: {spec.description} ({arguments})"
        try:
            renderer = Renderer(await self._engine.info())
            before, after = [
                await self._engine.score(renderer.render(_TASK, (), Transcript(), task), (words,))
                for task in (_ANY_TOOL, told)
            ]
        except BotPsyError as fault:
            _LOGGER.debug("the model could not be asked for its gain: %s", fault)
            return None
        return None if before is None or after is None else after[0] - before[0]

    async def weighed(self, case: Case) -> Case:
        """Return the case with the gain that it hangs on, where it does."""
        if not in_doubt(case):
            return case
        evidence = case.evidence
        gain = await self.gain(case.spec, case.heard, part=evidence.part)
        return replace(case, evidence=replace(evidence, gain=gain))

    async def model(self) -> str:
        """Return the digest of the model; raise EngineFailed."""
        return "" if self._engine is None else (await self._engine.info()).digest


def _words_of(heard: Heard, part: Span | None) -> str:
    return heard.text if part is None else heard.text[part.start : part.end]


def _argument_at(text: str, call: ToolCall) -> str | None:
    """Return which argument's value is being written at the end of a text: the one whose name came last."""
    places = [(text.rfind(name), name) for name in call.args]
    at, name = max(places, default=(-1, ""))
    return name if at > text.find(call.name) >= 0 else None


def _refusal(call: ToolCall, pieces: Sequence[Piece]) -> float | None:
    """Return the probability of the refusal and the question back, where the model chose its tool's name."""
    text = "".join(p.text for p in pieces)
    name_at, end = text.find(call.name), 0
    for piece in pieces:
        end += len(piece.text)
        if end > name_at >= 0:
            return None if piece.forced or piece.probability is None else _share(piece, call.name)
    return None


def _share(piece: Piece, chosen: str) -> float:
    """Return how much of the choice's probability begins a reserved name and not the chosen one."""
    reserved = (NO_SUITABLE_TOOL, ASK_USER)
    total = 0.0
    for token, probability in piece.alternatives.items():
        begun = token.strip().lstrip('"')
        if begun and not chosen.startswith(begun) and any(name.startswith(begun) for name in reserved):
            total += probability
    return min(1.0, total)
