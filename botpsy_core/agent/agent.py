"""The agent: what a host talks to."""

from collections.abc import AsyncIterator, Mapping, Sequence

from botpsy_core.agent.decision import Decider
from botpsy_core.agent.evidence import Witness
from botpsy_core.agent.journal import NoJournal
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.agent.phrases import phrases_for
from botpsy_core.agent.plans import Plans
from botpsy_core.agent.questions import nothing, put_answer
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.tracing import entry_of
from botpsy_core.agent.turn import Turn
from botpsy_core.agent.undo import Act, UndoBook
from botpsy_core.agent.undoing import put_back
from botpsy_core.agent.utterance import take
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.events import TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause, Heard, Mood, Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import Evidence, Reason, Refuse
from botpsy_core.ports import Clock, Engine, Journal, Toolbox
from botpsy_core.safety import Confirmations, Pending, Policy, RateLimiter


class Agent:
    """Takes turns; holds nothing of a conversation but its open question."""

    def __init__(
        self,
        *,
        engine: Engine | None,
        tools: Sequence[ToolSpec] = (),
        policy: Policy,
        clock: Clock,
        confirmations: Confirmations | None = None,
        journal: Journal | None = None,
        limits: TurnLimits | None = None,
        instructions: str = "",
        plans: Plans | None = None,
    ) -> None:
        """Take the model (None: what needs one is answered honestly), the policy, and what remembers questions.

        `tools` are those that `warm` lets the model read ahead; a turn takes those of its toolbox. `instructions` are
        what a host tells the model beside its task; a part of the prompt that never changes. `plans` is the book of
        acts that were put off; without one nothing is.
        """
        limits = limits or TurnLimits()
        self._decider = Decider(engine, instructions=instructions, thinking=limits.thinking)
        self._witness = Witness(engine)
        self._tools = tuple(tools)
        self._policy = policy
        self._clock = clock
        self.confirmations = confirmations or Confirmations(
            clock, expires_s=policy.expires_s, tries=policy.tries, lockout_s=policy.lockout_s
        )
        self._rates = RateLimiter(clock)
        self._book = UndoBook(clock)
        self._journal = journal or NoJournal()
        self._limits = limits
        self._plans = plans

    @property
    def policy(self) -> Policy:
        """Return the policy in force."""
        return self._policy

    async def warm(self) -> None:
        """Let the model read what never changes before anybody waits for it; raise EngineFailed."""
        await self._decider.warm(self._tools)

    def pending(self, context: TurnContext) -> Pending | None:
        """Return the open question of this conversation, user and device."""
        return self.confirmations.pending(context)

    async def turn(
        self, text: str, *, transcript: Transcript, home: Home, toolbox: Toolbox, context: TurnContext
    ) -> AsyncIterator[TurnEvent]:
        """Take one utterance; yield what happens and one Ended at the end."""
        turn = self._turn(transcript, home, toolbox, context)
        async for event in self._through(turn, take(text, turn, self._book), kind="turn", text=text):
            yield event

    async def confirm(
        self,
        pending_id: str | None,
        *,
        accept: bool | None,
        pin: str | None = None,
        home: Home,
        toolbox: Toolbox,
        context: TurnContext,
    ) -> AsyncIterator[TurnEvent]:
        """Take an answer to a question by its id, or to this conversation's; a PIN alone means yes."""
        turn = self._turn(Transcript(), home, toolbox, context)
        pending = self.confirmations.get(pending_id) if pending_id else self.confirmations.pending(context)
        if pending is None:
            refusal = Refuse(reason=Reason.EXPIRED)
            turn.ledger.note(TurnStatus.REFUSED, turn.speech.refusal(refusal), refusal.reason)
            events = nothing()
        else:
            events = put_answer(pending, turn, accept=pin is not None if accept is None else accept, pin=pin)
        async for event in self._through(turn, events, kind="answer"):
            yield event

    async def use(
        self, name: str, args: JsonObject, *, home: Home, toolbox: Toolbox, context: TurnContext
    ) -> AsyncIterator[TurnEvent]:
        """Take a call that somebody made by name, with final values and without words; the gate judges it all the same.

        The context's origin should be AGENT, or DELAYED for a planned act that is due: everywhere else a call must be
        grounded in words.
        """
        turn = self._turn(Transcript(), home, toolbox, context)
        clause = Clause(text="", span=Span(start=0, end=0), mood=Mood.COMMAND)
        heard = Heard(text="", language=context.language, clauses=(clause,))
        call = ToolCall(id="call_1", name=name, args=args)
        events = turn.judge(call, clause, heard, evidence=Evidence(), offered=None)
        async for event in self._through(turn, events, kind="call"):
            yield event

    def undoable(self, user_id: str | None) -> Mapping[str, tuple[Act, ...]]:
        """Return what `undo` could put back for a user, by conversation or device."""
        return self._book.kept(user_id)

    async def undo(self, *, home: Home, toolbox: Toolbox, context: TurnContext) -> AsyncIterator[TurnEvent]:
        """Put back what this person's newest turn that acted has changed; each call is judged as if it was said."""
        turn = self._turn(Transcript(), home, toolbox, context)
        async for event in self._through(turn, put_back(turn, self._book), kind="undo"):
            yield event

    async def _through(
        self, turn: Turn, events: AsyncIterator[TurnEvent], *, kind: str, text: str = ""
    ) -> AsyncIterator[TurnEvent]:
        """Let a turn take its course, write it down, and end it."""
        started, context = self._clock.monotonic(), turn.context
        async for event in events:
            yield event
        self._book.note(context, turn.acts)
        ended = turn.ended(started)
        self._journal.record(entry_of("undo" if turn.undoing else kind, turn.written(text), ended, context))
        yield ended

    def _turn(self, transcript: Transcript, home: Home, toolbox: Toolbox, context: TurnContext) -> Turn:
        return Turn(
            decider=self._decider,
            witness=self._witness,
            policy=self._policy,
            confirmations=self.confirmations,
            rates=self._rates,
            clock=self._clock,
            limits=self._limits,
            speech=Speech(phrases=phrases_for(context.language), home=home, now=context.now),
            toolbox=toolbox,
            context=context,
            transcript=transcript,
            plans=self._plans,
            ends_at=self._clock.monotonic() + context.deadline_s,
        )
