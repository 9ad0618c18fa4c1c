"""Choose the call of an offer: by the words where they leave one way only, else by the model."""

from typing import TYPE_CHECKING

from botpsy_core.agent.drafting import draft
from botpsy_core.agent.evidence import evidence_of, likeness_of, without_inventions
from botpsy_core.agent.obvious import decide_without_model
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Evidence, Reason, Refuse
from botpsy_core.errors import ModelFault

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn


async def choose(
    offer: Offer, clause: Clause, heard: Heard, tools: tuple[ToolSpec, ...], turn: Turn
) -> tuple[ToolCall, Evidence] | Refuse:
    """Return the call that words or model decide, or why there is none; raise EngineFailed or TurnTimeout."""
    raw = decide_without_model(offer, clause)
    if raw is not None:
        alike = likeness_of(raw.name, tools, heard, offered=offer.tool(raw.name))
        return _draft(raw, offer, turn), Evidence(by_code=True, likeness=alike, tainted=turn.tainted)
    tainted = turn.is_tainted(clause)
    for _ in range(turn.limits.rounds):
        try:
            made = await turn.decider.decide(
                offer, clause, tools=tools, transcript=turn.transcript, limits=turn.generation()
            )
            turn.ledger.usage += made.usage
            if made.raw.name == NO_SUITABLE_TOOL:
                return Refuse(reason=Reason.NO_SUITABLE_TOOL)
            if made.raw.name == ASK_USER:
                return _question_back(offer, turn)
            call = _draft(made.raw, offer, turn)
        except ModelFault:
            continue
        offered = offer.tool(call.name)
        alike = likeness_of(call.name, tools, heard, offered=offered)
        evidence = evidence_of(call, made.pieces, likeness=alike, tainted=tainted, model=await turn.witness.model())
        return without_inventions(call, None if offered is None else offered.tool, heard), evidence
    return Refuse(reason=Reason.UNGROUNDED)


def _question_back(offer: Offer, turn: Turn) -> tuple[ToolCall, Evidence] | Refuse:
    """Return the best tool's call without what is missing, for the gate to ask about."""
    best = next((t for t in offer.tools if t.missing), None)
    if best is None:
        return Refuse(reason=Reason.UNGROUNDED)
    raw = RawCall(
        name=best.tool.name,
        args={s.argument.name: s.choices[0].label for s in best.slots if s.required and len(s.choices) == 1},
    )
    return _draft(raw, offer, turn), Evidence(likeness=best.score, tainted=turn.tainted)


def _draft(raw: RawCall, offer: Offer, turn: Turn) -> ToolCall:
    return draft(raw, offer, f"call_{len(turn.ledger.clauses) + 1}")
