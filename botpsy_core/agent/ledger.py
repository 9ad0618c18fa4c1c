"""Write down what a turn says and does, and make its last event of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from botpsy_core.domain.events import Ended, TurnStatus, Usage
from botpsy_core.domain.tools import Outcome, ToolCall
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Reason

# The worst thing that happened is how the turn ended: "done" means that all of it was done.
_WORST_FIRST = (TurnStatus.ASKED, TurnStatus.FAILED, TurnStatus.UNCONFIRMED, TurnStatus.REFUSED, TurnStatus.DONE)
_STATUS: Mapping[Outcome, TurnStatus] = {
    Outcome.DONE: TurnStatus.DONE,
    Outcome.ALREADY_SO: TurnStatus.DONE,
    Outcome.ACCEPTED: TurnStatus.DONE,
    Outcome.UNCONFIRMED: TurnStatus.UNCONFIRMED,
    Outcome.REFUSED_BY_DEVICE: TurnStatus.FAILED,
    Outcome.NOT_SENT: TurnStatus.FAILED,
    Outcome.FAILED: TurnStatus.FAILED,
}
_AS_ASKED = frozenset({Reason.NEGATED, Reason.DENIED})
"""Refusals that are what the user wanted; they do not spoil a turn in which something else was done."""


def status_of(outcome: Outcome) -> TurnStatus:
    """Return how a call's outcome ends a turn."""
    return _STATUS[outcome]


@dataclass(slots=True)
class Ledger:
    """What one turn has said and done so far."""

    said: list[str] = field(default_factory=list)
    """Sentences of the reply, in order."""
    question: str = ""
    """The turn's one question, said last; empty where nothing is asked."""
    results: list[tuple[TurnStatus, Reason | None]] = field(default_factory=list)
    """How each clause or call ended, and why."""
    calls: list[ToolCall] = field(default_factory=list)
    pending: str | None = None
    """Id under which the call that was asked about is kept."""
    usage: Usage = field(default_factory=Usage)
    clauses: list[Mapping[str, JsonValue]] = field(default_factory=list)
    """What each room made of each clause, as `trace_of` writes it down."""

    def note(self, status: TurnStatus, sentence: str, reason: Reason | None = None) -> None:
        """Add a sentence and how its clause ended."""
        self.results.append((status, reason))
        if sentence and sentence not in self.said:
            self.said.append(sentence)

    def ask(self, question: str, pending: str | None, reason: Reason) -> None:
        """Add the turn's one question; it is said last."""
        self.results.append((TurnStatus.ASKED, reason))
        self.question, self.pending = question, pending

    def ended(self, seconds: float) -> Ended:
        """Return the turn's last event."""
        counted = [r for r in self.results if r[1] not in _AS_ASKED] or self.results
        worst = next(((s, r) for s in _WORST_FIRST for t, r in counted if t is s), (TurnStatus.REFUSED, None))
        return Ended(
            status=worst[0],
            reply=" ".join([*self.said, self.question]).strip(),
            reason=worst[1],
            calls=tuple(self.calls),
            pending=self.pending,
            continue_conversation=worst[0] is TurnStatus.ASKED,
            usage=self.usage + Usage(seconds=seconds),
            trace={"clauses": list(self.clauses)},
        )
