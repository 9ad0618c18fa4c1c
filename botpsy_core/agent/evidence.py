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
        p_refuse=_refusal(pieces),
        p_args=p_args,
        likeness=offered.score if offered is not None else None,
        tainted=tainted,
    )


def _argument_at(text: str, call: ToolCall) -> str | None:
    """Return which argument's value is being written at the end of a text: the one whose name came last."""
    places = [(text.rfind(name), name) for name in call.args]
    at, name = max(places, default=(-1, ""))
    return name if at > text.find(call.name) >= 0 else None


def _refusal(pieces: Sequence[Piece]) -> float | None:
    """Return the probability of the refusal at the first place where the model had a choice."""
    first = next((p for p in pieces if not p.forced and p.alternatives), None)
    if first is None:
        return None
    start = first.text.strip().strip('"')
    refusing = sum(
        p for token, p in first.alternatives.items() if (t := token.strip().strip('"')) and _begins(t, start)
    )
    return min(1.0, refusing)


def _begins(token: str, chosen: str) -> bool:
    return token != chosen and any(name.startswith(token) for name in (NO_SUITABLE_TOOL, ASK_USER))
