"""Put a call to the gate, and do what the gate says: refuse, ask, or let it be carried out."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, NotRequired, TypedDict, Unpack

from botpsy_core.agent.acting import carry_out
from botpsy_core.agent.beforehand import Beforehand
from botpsy_core.agent.cases import case_in, readiness_of, standing_of
from botpsy_core.agent.tracing import trace_of
from botpsy_core.catalog import only_schema
from botpsy_core.domain.events import Decided, TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.offer import Offer, OfferedTool
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Allow, Ask, Evidence, Reason, Refuse
from botpsy_core.safety import Confirmation, verdict_on

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn


class Grounds(TypedDict):
    """What a call rests on besides the words."""

    evidence: Evidence
    offered: OfferedTool | None
    """The tool as it was on offer, with the values that it may take; None where nothing was offered."""
    offer: NotRequired[Offer]
    """All that was on offer, for what is written down."""
    confirmation: NotRequired[Confirmation]
    """The proof of a yes or a PIN for this very call."""


async def judge(
    call: ToolCall, clause: Clause, heard: Heard, turn: Turn, **grounds: Unpack[Grounds]
) -> AsyncIterator[TurnEvent]:
    """Put a call to the gate, and do what the gate says."""
    spec = next((s for s in turn.toolbox.specs() if s.name == call.name), None)
    if spec is None:
        yield turn.refused(Refuse(reason=Reason.NO_SUITABLE_TOOL, call=call), clause)
        return
    ready = await readiness_of(call, turn)
    if ready is None:
        return
    offered = grounds["offered"]
    case = case_in(
        call,
        spec,
        clause,
        heard,
        turn,
        ready=ready,
        evidence=grounds["evidence"],
        offered=offered,
        confirmation=grounds.get("confirmation"),
    )
    if ready.unmet and only_schema(spec):
        beforehand = Beforehand(turn=turn, case=case)
        async for event in beforehand.take():
            yield event
        case = replace(beforehand.case, standing=standing_of(turn))
    case = await turn.witness.weighed(case)
    evidence, verdict = case.evidence, verdict_on(case)
    turn.ledger.clauses.append(trace_of(clause, offer=grounds.get("offer"), case=case, verdict=verdict))
    yield Decided(verdict=verdict, evidence=evidence, clause=turn.written(clause.text), certainty=case.certainty)
    match verdict:
        case Refuse():
            turn.say_no(verdict, clause)
        case Ask() if turn.awaiting is not None or turn.firm:
            # Its answer would know nothing of what is waited for, or of the other half.
            turn.say_no(Refuse(reason=verdict.reason, call=verdict.call), clause)
        case Ask():
            _ask(verdict, spec, turn, clause=clause, heard=heard, evidence=evidence, offered=offered)
        case Allow():
            async for event in carry_out(verdict, spec, clause, turn):
                yield event


def _ask(
    ask: Ask,
    spec: ToolSpec,
    turn: Turn,
    *,
    clause: Clause,
    heard: Heard,
    evidence: Evidence,
    offered: OfferedTool | None,
) -> None:
    """Keep a call until its question is answered; a dry run keeps none."""
    if turn.ledger.question:
        # One question a turn: "yes" must never have two meanings.
        turn.ledger.note(TurnStatus.REFUSED, turn.speech.phrases.say("turn", "one_question"), ask.reason)
        return
    pending = None
    if not turn.context.dry_run:
        kept = turn.confirmations.keep(
            ask, clause=clause, heard=heard, evidence=evidence, offered=offered, context=turn.context
        )
        pending = kept.id
    turn.ledger.ask(turn.speech.question(ask, spec), pending, ask.reason)
