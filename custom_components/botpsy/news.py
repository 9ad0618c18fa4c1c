"""How turns end, for automations, the logbook and our own entities; no words of the user."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from botpsy_core.agent import hidden
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.events import TurnStatus

from .askers import Askers
from .chat_bridge import Deltas, call_of, verdict_word
from .const import EVENT_TURN

type TurnListener = Callable[[Deltas], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurn:
    """How and when a turn ended."""

    status: TurnStatus
    at: datetime


class News:
    """Tells of every turn of an entry, and keeps the last one."""

    def __init__(self, hass: HomeAssistant, askers: Askers) -> None:
        """Begin with nobody listening."""
        self._hass = hass
        self._askers = askers
        self._listeners: list[TurnListener] = []
        self.last_turn: LastTurn | None = None

    @callback
    def async_listen(self, turn_ended: TurnListener) -> CALLBACK_TYPE:
        """Call back at the end of every turn; return what stops it."""
        self._listeners.append(turn_ended)
        return lambda: self._listeners.remove(turn_ended)

    @callback
    def async_announce(self, deltas: Deltas, context: TurnContext, agent_id: str) -> None:
        """Tell how a turn ended, in the name of who began it."""
        ended = deltas.ended
        if ended is None:
            return
        self.last_turn = LastTurn(status=ended.status, at=dt_util.utcnow())
        calls = [call_of(each.call, each.result.outcome.value) for each in deltas.executed]
        data = {
            "agent_id": agent_id,
            "conversation_id": context.conversation_id,
            "origin": context.origin.value,
            "device_id": context.device_id,
            "status": ended.status.value,
            "reason": ended.reason.value if ended.reason else None,
            "reply": ended.reply,
            "calls": hidden(calls) if ended.secret else calls,
            "acts": len(deltas.acts),
            "verdicts": [verdict_word(each.verdict) for each in deltas.decided],
            "pending": ended.pending,
            "dry_run": context.dry_run,
            "usage": asdict(ended.usage),
        }
        self._hass.bus.async_fire(EVENT_TURN, data, context=self._askers.context_of(context))
        for turn_ended in tuple(self._listeners):
            turn_ended(deltas)
