"""Carry out what the gate allowed: at once, or written down for later."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import datetime
from typing import TYPE_CHECKING

from botpsy_core.agent.answers import answer
from botpsy_core.agent.diary import say_overlaps
from botpsy_core.agent.ledger import status_of
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.undo import Act
from botpsy_core.domain.events import Executed, TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.messages import ResultMessage
from botpsy_core.domain.plans import PlannedAct
from botpsy_core.domain.tools import Outcome, Risk, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.verdicts import Allow, Reason, Refuse
from botpsy_core.errors import HostFault, LimitReached, ToolboxFailed

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn

_LOGGER = logging.getLogger(__name__)

_CHANGING = frozenset({Outcome.DONE, Outcome.ACCEPTED, Outcome.UNCONFIRMED})
"""Outcomes after which something may be another than before."""


async def carry_out(allow: Allow, spec: ToolSpec, clause: Clause, turn: Turn) -> AsyncIterator[TurnEvent]:
    """Do what the gate allowed, or put it off, and say what came of it; in a dry run only say what would be done."""
    call = allow.call
    if turn.context.dry_run:
        turn.ledger.note(TurnStatus.DONE, turn.speech.phrases.say("turn", "dry", act=turn.speech.act("do", call, spec)))
        return
    if allow.at is not None:
        await _put_off(allow, spec, turn)
        return
    if turn.awaiting is not None:
        turn.say_no(Refuse(reason=Reason.NOT_LATER, call=call), clause)
        return
    if not spec.read_only:
        turn.writes += 1
        turn.risky += allow.risk.rank > Risk.COST.rank
        turn.rates.note(allow.risk)
    result = await _execute(call, turn)
    turn.tainted = turn.tainted or result.untrusted
    turn.ledger.calls.append(call)
    turn.results.append(ResultMessage(call=call, result=result))
    if not spec.read_only and result.outcome in _CHANGING:
        before = tuple(e for i in spec.targets_of(call) if (e := turn.speech.home.entity(i)) is not None)
        turn.acts.append(Act(call=call, spec=spec, before=before))
    yield Executed(call=call, result=result)
    sentence = answer(turn.speech, clause, result) if spec.read_only else _outcome(call, result, spec, turn.speech)
    turn.ledger.note(status_of(result.outcome), sentence)


def _outcome(call: ToolCall, result: ToolResult, spec: ToolSpec, speech: Speech) -> str:
    overlaps = say_overlaps(speech, result.data.get("overlaps", ()))
    return f"{speech.outcome(call, result, spec)} {overlaps} {speech.besides(result)}".strip()


async def _put_off(allow: Allow, spec: ToolSpec, turn: Turn) -> None:
    """Write an act down that is to be done later; it passes the gate again then."""
    assert turn.plans is not None  # only then is a time offered
    assert allow.at is not None
    turn.writes += 1
    act = PlannedAct(
        id=turn.plans.new_id(),
        call=allow.call,
        at=datetime.fromisoformat(allow.at),
        act=turn.speech.act("do", allow.call, spec),
        language=turn.context.language,
        user_id=turn.context.user_id,
        device_id=turn.context.device_id,
        targets=spec.targets_of(allow.call),
        on=turn.awaiting,
    )
    try:
        await turn.plans.add(act)
        turn.planned.append(act.id)
    except LimitReached:
        turn.ledger.note(TurnStatus.REFUSED, turn.speech.phrases.say("turn", "too_much_planned"))
        return
    turn.ledger.note(TurnStatus.DONE, turn.speech.planned(act))


async def _execute(call: ToolCall, turn: Turn) -> ToolResult:
    """Carry a call out; what cannot be told in time may still happen, and that is what is said."""
    left = max(1.0, turn.ends_at - turn.clock.monotonic())
    try:
        async with asyncio.timeout(left):
            return await turn.toolbox.execute(call, turn.context)
    except TimeoutError:
        return ToolResult(call_id=call.id, outcome=Outcome.UNCONFIRMED, detail="timeout")
    except HostFault as fault:
        _LOGGER.warning("the tool %s cannot be called: %s", call.name, fault)
        if isinstance(fault, ToolboxFailed):
            return ToolResult(call_id=call.id, outcome=Outcome.UNCONFIRMED, detail=type(fault).__name__)
        return ToolResult(call_id=call.id, outcome=Outcome.NOT_SENT)
    except Exception as error:  # the tool boundary: what an integration breaks costs one act, and may have begun
        _LOGGER.exception("the tool %s broke", call.name)
        return ToolResult(call_id=call.id, outcome=Outcome.UNCONFIRMED, detail=type(error).__name__)
