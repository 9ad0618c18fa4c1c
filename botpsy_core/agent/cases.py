"""A call as the gate will see it: what the world says of it, and what this turn has done so far."""

import logging
from typing import TYPE_CHECKING

from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Evidence, Readiness
from botpsy_core.errors import HostFault
from botpsy_core.safety import Case, Confirmation, Standing, case_of

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn

_LOGGER = logging.getLogger(__name__)


async def readiness_of(call: ToolCall, turn: Turn) -> Readiness | None:
    """Return what the toolbox says of a call right now; None where it cannot, which is then said."""
    try:
        return await turn.toolbox.check(call, turn.context)
    except HostFault as fault:
        _LOGGER.warning("the tool %s cannot be checked: %s", call.name, fault)
    except Exception:  # the tool boundary: what an integration breaks costs one act, and nothing has begun
        _LOGGER.exception("the check of the tool %s broke", call.name)
    turn.ledger.note(TurnStatus.FAILED, turn.speech.phrases.say("turn", "toolbox_failed"))
    return None


def case_in(
    call: ToolCall,
    spec: ToolSpec,
    clause: Clause,
    heard: Heard,
    turn: Turn,
    *,
    ready: Readiness,
    evidence: Evidence,
    offered: OfferedTool | None,
    confirmation: Confirmation | None = None,
) -> Case:
    """Return a call as the gate will see it."""
    return case_of(
        call,
        spec=spec,
        clause=clause,
        heard=heard,
        home=turn.speech.home,
        evidence=evidence,
        readiness=ready,
        policy=turn.policy,
        context=turn.context,
        offered=offered,
        standing=standing_of(turn),
        confirmation=confirmation,
    )


def standing_of(turn: Turn) -> Standing:
    """Return what the turn and its askers have done so far, as the gate counts it."""
    return Standing(
        calls=turn.writes,
        risky=turn.risky,
        last_minute=turn.rates.last_minute(),
        pin_set=turn.confirmations.pin_set,
        locked_out=turn.confirmations.locked_out,
    )
