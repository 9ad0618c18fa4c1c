"""Gather what the gate needs besides the words: free things first."""

from collections.abc import Sequence

from botpsy_core.domain.engine import Piece
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, ToolCall
from botpsy_core.domain.verdicts import Evidence


def evidence_of(call: ToolCall, pieces: Sequence[Piece], *, offered: OfferedTool | None, tainted: bool) -> Evidence:
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
        likeness=offered.score if offered is not None else None,
        tainted=tainted,
    )


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
