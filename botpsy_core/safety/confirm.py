"""Keep asked questions, and accept each answer at most once."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.verdicts import Ask, AskKind, Evidence, Reason, Refuse
from botpsy_core.ports import Clock
from botpsy_core.safety.pin import PinHash
from botpsy_core.safety.standing import Confirmation

_MAX_PENDING = 32
_NEVER_CONFIRM = frozenset({Origin.AGENT, Origin.DELAYED})
"""Nobody sits there who could mean yes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """One open question, with everything that it was asked about."""

    id: str
    ask: Ask
    clause: Clause
    heard: Heard
    evidence: Evidence
    offered: OfferedTool | None
    context: TurnContext
    """Of the turn that asked."""
    expires_at: float
    """On the clock's monotonic scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Wrong PINs so far; a host keeps them, so that a restart gives no fresh tries."""

    wrong: int = 0
    locked_until: datetime | None = None
    """Aware; None where nothing is locked."""


class Confirmations:
    """The open questions of a home, its PIN, and the lock-out after wrong ones."""

    def __init__(
        self,
        clock: Clock,
        *,
        pin: PinHash | None = None,
        expires_s: float = 90.0,
        tries: int = 3,
        lockout_s: float = 300.0,
        attempts: Attempts | None = None,
        keep_attempts: Callable[[Attempts], None] = lambda _attempts: None,
    ) -> None:
        """Take the clock, the owner's PIN and the policy's bounds.

        `attempts` is what was left before a restart; `keep_attempts` is told of each change, which it writes down.
        """
        self._clock = clock
        self._pin = pin
        self._expires_s = expires_s
        self._tries = tries
        self._lockout_s = lockout_s
        self._open: dict[str, Pending] = {}
        self._keep_attempts = keep_attempts
        self._wrong = 0
        self._locked_until = float("-inf")
        if attempts is not None:
            self._wrong = min(attempts.wrong, tries - 1)
            left_s = 0.0
            if attempts.locked_until is not None:
                left_s = (attempts.locked_until - clock.now()).total_seconds()
            # A clock that was set back must not lock for longer than the policy does.
            self._locked_until = clock.monotonic() + min(left_s, lockout_s) if left_s > 0 else float("-inf")

    @property
    def attempts(self) -> Attempts:
        """Return what to keep over a restart; it changes with a wrong PIN and with a right one."""
        left_s = self._locked_until - self._clock.monotonic()
        until = self._clock.now() + timedelta(seconds=left_s) if left_s > 0 else None
        return Attempts(wrong=self._wrong, locked_until=until)

    @property
    def pin_set(self) -> bool:
        """Return True if the owner has set a PIN."""
        return self._pin is not None

    @property
    def locked_out(self) -> bool:
        """Return True while no PIN is accepted."""
        return self._clock.monotonic() < self._locked_until

    def keep(
        self,
        ask: Ask,
        *,
        clause: Clause,
        heard: Heard,
        evidence: Evidence,
        offered: OfferedTool | None,
        context: TurnContext,
    ) -> Pending:
        """Remember a question; an older one of the same conversation is forgotten."""
        self._expire()
        for old in [p for p in self._open.values() if _same_talk(p, context)]:
            del self._open[old.id]
        while len(self._open) >= _MAX_PENDING:
            del self._open[next(iter(self._open))]
        lasts_s = self._expires_s if ask.ttl_s is None else min(ask.ttl_s, self._expires_s)
        pending = Pending(
            id=secrets.token_urlsafe(12),
            ask=ask,
            clause=clause,
            heard=heard,
            evidence=evidence,
            offered=offered,
            context=context,
            expires_at=self._clock.monotonic() + lasts_s,
        )
        self._open[pending.id] = pending
        return pending

    @property
    def open_questions(self) -> tuple[Pending, ...]:
        """Return every open question, oldest first."""
        self._expire()
        return tuple(self._open.values())

    def left_s(self, pending: Pending) -> float:
        """Return the seconds for which an answer still counts."""
        return max(0.0, pending.expires_at - self._clock.monotonic())

    def pending(self, context: TurnContext) -> Pending | None:
        """Return the open question of this conversation, user and device."""
        self._expire()
        return next((p for p in self._open.values() if _same_talk(p, context)), None)

    def get(self, pending_id: str) -> Pending | None:
        """Return an open question by its id."""
        self._expire()
        return self._open.get(pending_id)

    def drop(self, pending_id: str) -> None:
        """Forget a question."""
        self._open.pop(pending_id, None)

    def answer(self, pending: Pending, *, accept: bool, pin: str | None, context: TurnContext) -> Confirmation | Refuse:
        """Take an answer to a question: the proof of it, once, or why it does not count."""
        refusal = self._unanswerable(pending, accept=accept, context=context) or self._unproven(pending, pin, context)
        if refusal is not None:
            return refusal
        self.drop(pending.id)
        return Confirmation(
            call=pending.ask.call,
            level=AskKind.CONFIRM if pin is None else AskKind.PIN,
            conversation_id=pending.context.conversation_id,
            user_id=context.user_id,
            device_id=context.device_id,
        )

    def _unanswerable(self, pending: Pending, *, accept: bool, context: TurnContext) -> Refuse | None:
        call = pending.ask.call
        if self._clock.monotonic() >= pending.expires_at or self._open.get(pending.id) != pending:
            self.drop(pending.id)
            return Refuse(reason=Reason.EXPIRED, call=call)
        if not accept:
            self.drop(pending.id)
            return Refuse(reason=Reason.DENIED, call=call)
        if not _may_answer(pending, context):
            return Refuse(reason=Reason.NOT_ALLOWED, call=call)
        return None

    def _unproven(self, pending: Pending, pin: str | None, context: TurnContext) -> Refuse | None:
        if pending.ask.kind is AskKind.PIN or pin is not None:
            return self._check_pin(pending, pin)
        if context.origin is Origin.AUTOMATION:
            return Refuse(reason=Reason.NOT_ALLOWED, call=pending.ask.call)
        return None

    def _check_pin(self, pending: Pending, pin: str | None) -> Refuse | None:
        call = pending.ask.call
        if self._pin is None:
            self.drop(pending.id)
            return Refuse(reason=Reason.NO_PIN_SET, call=call)
        if self.locked_out:
            self.drop(pending.id)
            return Refuse(reason=Reason.LOCKED_OUT, call=call)
        if pin is None:
            return Refuse(reason=Reason.NEEDS_PIN, call=call)
        if self._pin.fits(pin):
            if self._wrong:
                self._wrong = 0
                self._keep_attempts(self.attempts)
            return None
        self._wrong += 1
        if self._wrong < self._tries:
            self._keep_attempts(self.attempts)
            return Refuse(reason=Reason.WRONG_PIN, call=call, detail={"left": str(self._tries - self._wrong)})
        self._wrong = 0
        self._locked_until = self._clock.monotonic() + self._lockout_s
        self._keep_attempts(self.attempts)
        self._open.clear()
        return Refuse(reason=Reason.LOCKED_OUT, call=call, detail={"minutes": str(max(1, round(self._lockout_s / 60)))})

    def _expire(self) -> None:
        now = self._clock.monotonic()
        self._open = {i: p for i, p in self._open.items() if now < p.expires_at}


def _same_talk(pending: Pending, context: TurnContext) -> bool:
    asked = pending.context
    return (asked.conversation_id, asked.user_id, asked.device_id) == (
        context.conversation_id,
        context.user_id,
        context.device_id,
    )


def _may_answer(pending: Pending, context: TurnContext) -> bool:
    """Return True if this person may answer: the asker, or somebody known where the asker was nobody known."""
    if context.origin in _NEVER_CONFIRM:
        return False
    asked = pending.context
    if context.origin is Origin.MQTT:  # a panel or a head unit: its user, about what was asked there, and nothing else
        known = asked.user_id is not None and asked.user_id == context.user_id
        return known and asked.conversation_id == context.conversation_id
    if asked.user_id is None:  # a satellite: who sits there, or somebody by name
        return context.user_id is not None or _same_talk(pending, context)
    return asked.user_id == context.user_id or context.is_admin
