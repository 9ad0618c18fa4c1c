"""The agent: what a host talks to."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict

from botpsy_core.agent.awaiting import waiting_in
from botpsy_core.agent.decision import Decider
from botpsy_core.agent.evidence import Witness
from botpsy_core.agent.gathering import gathered
from botpsy_core.agent.journal import NoJournal
from botpsy_core.agent.limits import MAX_CHARACTERS, MAX_CLAUSES, TurnLimits
from botpsy_core.agent.phrases import phrases_for
from botpsy_core.agent.plans import Plans
from botpsy_core.agent.questions import as_answer, put_answer
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.retry import asked_again
from botpsy_core.agent.spells import Spell, spell_in
from botpsy_core.agent.sun import by_the_clock
from botpsy_core.agent.supplement import supplemented
from botpsy_core.agent.turn import Turn
from botpsy_core.agent.undo import Act, UndoBook, as_if_said, restoring
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.cues import LETTER, cue_hits
from botpsy_core.domain.events import Ended, Executed, TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause, Heard, Mood, Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import AssistantMessage, Message, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Outcome, Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import AskKind, Evidence, Reason, Refuse
from botpsy_core.hearing import hear
from botpsy_core.ports import Clock, Engine, Journal, Toolbox
from botpsy_core.safety import Confirmations, Pending, Policy, RateLimiter

_BEGUN = frozenset({TurnStatus.DONE, TurnStatus.UNCONFIRMED})
"""How an act ended that may have happened, so that its end must come."""


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
        started = self._clock.monotonic()
        async for event in self._take(text, turn):
            yield event
        self._book.note(context, turn.acts)
        ended = turn.ended(started)
        self._record("undo" if turn.undoing else "turn", turn.written(text), ended, context)
        yield ended

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
        started = self._clock.monotonic()
        pending = self.confirmations.get(pending_id) if pending_id else self.confirmations.pending(context)
        if pending is None:
            refusal = Refuse(reason=Reason.EXPIRED)
            turn.ledger.note(TurnStatus.REFUSED, turn.speech.refusal(refusal), refusal.reason)
        else:
            said_yes = accept if accept is not None else pin is not None
            async for event in put_answer(pending, turn, accept=said_yes, pin=pin):
                yield event
        self._book.note(context, turn.acts)
        ended = turn.ended(started)
        self._record("answer", "", ended, context)
        yield ended

    async def use(
        self, name: str, args: JsonObject, *, home: Home, toolbox: Toolbox, context: TurnContext
    ) -> AsyncIterator[TurnEvent]:
        """Take a call that somebody made by name, with final values and without words; the gate judges it all the same.

        The context's origin should be AGENT, or DELAYED for a planned act that is due: everywhere else a call must be
        grounded in words.
        """
        turn = self._turn(Transcript(), home, toolbox, context)
        started = self._clock.monotonic()
        clause = Clause(text="", span=Span(start=0, end=0), mood=Mood.COMMAND)
        heard = Heard(text="", language=context.language, clauses=(clause,))
        call = ToolCall(id="call_1", name=name, args=args)
        async for event in turn.judge(call, clause, heard, evidence=Evidence(), offered=None):
            yield event
        self._book.note(context, turn.acts)
        ended = turn.ended(started)
        self._record("call", "", ended, context)
        yield ended

    def undoable(self, user_id: str | None) -> Mapping[str, tuple[Act, ...]]:
        """Return what `undo` could put back for a user, by conversation or device."""
        return self._book.kept(user_id)

    async def undo(self, *, home: Home, toolbox: Toolbox, context: TurnContext) -> AsyncIterator[TurnEvent]:
        """Put back what this person's newest turn that acted has changed; each call is judged as if it was said."""
        turn = self._turn(Transcript(), home, toolbox, context)
        started = self._clock.monotonic()
        async for event in self._undo(turn):
            yield event
        self._book.note(context, turn.acts)
        ended = turn.ended(started)
        self._record("undo", "", ended, context)
        yield ended

    async def _undo(self, turn: Turn) -> AsyncIterator[TurnEvent]:
        home, speech = turn.speech.home, turn.speech
        plan = restoring(self._book.take(turn.context), home=home, tools=turn.toolbox.specs())
        for call, spec in plan.calls:
            clause, heard, offered = as_if_said(call, spec, home=home, language=turn.context.language)
            evidence = Evidence(by_code=True, likeness=1.0)
            async for event in turn.judge(call, clause, heard, evidence=evidence, offered=offered):
                yield event
        for act in plan.stuck:
            sentence = speech.phrases.say("turn", "undo_stuck", act=speech.act("do", act.call, act.spec))
            turn.ledger.note(TurnStatus.REFUSED, sentence, Reason.NO_SUITABLE_TOOL)
        if not turn.ledger.results:
            turn.ledger.note(TurnStatus.REFUSED, speech.phrases.say("turn", "undo_nothing"), Reason.EXPIRED)

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

    async def _take(self, text: str, turn: Turn) -> AsyncIterator[TurnEvent]:
        phrases = turn.speech.phrases
        open_question = self.confirmations.pending(turn.context)
        asked = open_question is not None and open_question.ask.kind is AskKind.PIN
        turn.listen_for_a_pin(text, asked=asked)
        if not text.strip():
            turn.ledger.note(TurnStatus.REFUSED, phrases.say("turn", "empty"), Reason.NOT_A_COMMAND)
            return
        if len(text) > MAX_CHARACTERS:
            sentence = phrases.say("turn", "too_long", most=str(MAX_CHARACTERS))
            turn.ledger.note(TurnStatus.REFUSED, sentence, Reason.TOO_LONG)
            return
        if _names(text, phrases.words("undo_words")):
            turn.undoing = True
            async for event in self._undo(turn):
                yield event
            return
        heard = _heard(text, turn)
        clauses = list(heard.clauses)
        if open_question is not None and clauses:
            answered, events = as_answer(open_question, heard, turn)
            async for event in events:
                yield event
            clauses = clauses[answered:]
        clauses, heard = self._waiting(*_whole(clauses, heard, turn), turn)
        clauses = gathered(clauses, heard, tools=turn.toolbox.specs(), home=turn.speech.home, context=turn.context)
        if len(clauses) > MAX_CLAUSES:
            refusal = Refuse(reason=Reason.RATE_LIMITED)
            turn.ledger.note(TurnStatus.REFUSED, turn.speech.refusal(refusal), refusal.reason)
            return
        turn.several = len(clauses) > 1
        for clause in clauses:
            async for event in self._clause(clause, heard, turn):
                yield event

    async def _clause(self, clause: Clause, heard: Heard, turn: Turn) -> AsyncIterator[TurnEvent]:
        phrases = turn.speech.phrases
        match clause.mood:
            case Mood.THANKS:
                turn.ledger.note(TurnStatus.DONE, phrases.say("turn", "thanks"))
            case Mood.ASSENT | Mood.DENIAL if len(heard.clauses) > 1:
                pass  # "no, the bedroom light": what follows is what counts
            case Mood.ASSENT | Mood.DENIAL:
                turn.ledger.note(TurnStatus.REFUSED, phrases.say("turn", "nothing_open"), Reason.EXPIRED)
            case _ if (spell := self._spell(clause, turn)) is not None:
                async for event in self._for_a_while(spell, turn):
                    yield event
            case _:
                async for event in turn.clause(*self._by_the_sun(clause, heard, turn)):
                    yield event

    def _spell(self, clause: Clause, turn: Turn) -> Spell | None:
        if self._plans is None or turn.awaiting is not None:
            return None
        speech = turn.speech
        lasting = (t for t in turn.toolbox.specs() if any(a.required for a in t.arguments_of(Role.DURATION)))
        hits = (cue_hits(t.cues, clause.text, speech.phrases.language) for t in lasting)
        if any(groups and all(groups) for groups in hits):
            return None  # a timer is set, not done for a while
        return spell_in(
            clause, phrases=speech.phrases, home=speech.home, transcript=turn.transcript, context=turn.context
        )

    async def _for_a_while(self, spell: Spell, turn: Turn) -> AsyncIterator[TurnEvent]:
        """Do something only where its opposite may be put off, and put off nothing where it was not done."""
        assert self._plans is not None
        ledger, known = turn.ledger, len(turn.planned)
        turn.firm = True
        async for event in turn.clause(*spell.back):
            yield event
        planned = turn.planned[known:]
        if planned or turn.context.dry_run:
            then, results = ledger.said[-1:], len(ledger.results)
            idle = False
            async for event in turn.clause(*spell.now):
                idle = idle or (isinstance(event, Executed) and event.result.outcome is Outcome.ALREADY_SO)
                yield event
            begun = all(status in _BEGUN for status, _ in ledger.results[results:])
            if begun and not (idle and spell.rests):
                ledger.said = [*(s for s in ledger.said if s not in then), *then]
            else:
                await self._plans.cancel(planned)
                ledger.said = [s for s in ledger.said if s not in then]
        turn.firm = False

    def _waiting(self, clauses: list[Clause], heard: Heard, turn: Turn) -> tuple[list[Clause], Heard]:
        """Return the one act that waits for something to happen, where that is what was asked for."""
        if self._plans is None or len(clauses) != len(heard.clauses):
            return clauses, heard
        waiting = waiting_in(heard.text, turn.speech, transcript=turn.transcript, context=turn.context)
        if waiting is None:
            return clauses, heard
        turn.awaiting = waiting.awaited
        return [waiting.clause], waiting.heard

    def _by_the_sun(self, clause: Clause, heard: Heard, turn: Turn) -> tuple[Clause, Heard]:
        """Return a clause that waits for the sun as one that waits for a time, where acts can be put off."""
        speech = turn.speech
        if self._plans is None or clause.mood is not Mood.CONDITIONAL:
            return clause, heard
        timed = by_the_clock(clause.text, speech.phrases, speech.home, speech.now)
        if timed is None:
            return clause, heard
        read = hear(timed, home=speech.home, transcript=turn.transcript, context=turn.context)
        alone = len(read.clauses) == 1 and read.clauses[0].mood is Mood.COMMAND
        return (read.clauses[0], read) if alone else (clause, heard)

    def _record(self, kind: str, text: str, ended: Ended, context: TurnContext) -> None:
        self._journal.record(
            {
                "at": context.now.isoformat(),
                "kind": kind,
                "conversation": context.conversation_id,
                "talk_device": context.device_id,
                "secret": ended.secret,
                "dry_run": context.dry_run,
                "origin": context.origin.value,
                "user": context.user_id,
                "text": text,
                "status": ended.status.value,
                "reason": None if ended.reason is None else ended.reason.value,
                "reply": ended.reply,
                "pending": ended.pending,
                "usage": asdict(ended.usage),
                **ended.trace,
            }
        )


def _names(text: str, listed: Sequence[str]) -> bool:
    """Return True if an utterance is one of some phrases and nothing more."""
    return _words(text) in {_words(phrase) for phrase in listed}


def _words(text: str) -> str:
    return " ".join(re.findall(rf"(?:{LETTER}|')+", text.casefold()))


def _heard(text: str, turn: Turn) -> Heard:
    """Return what was heard, or what was said before where the words only ask for it once more."""
    heard = hear(text, home=turn.speech.home, transcript=turn.transcript, context=turn.context)
    before = asked_again(heard, turn.transcript, turn.speech.phrases.words("again_words"), turn.toolbox.specs())
    if before is None:
        return heard
    return hear(before, home=turn.speech.home, transcript=turn.transcript, context=turn.context)


def _whole(clauses: list[Clause], heard: Heard, turn: Turn) -> tuple[list[Clause], Heard]:
    """Return the last request and what these words add to it as one, where they do and neither is about the home."""
    text = supplemented(heard, turn.transcript, turn.toolbox.specs()) if len(clauses) == len(heard.clauses) else None
    if text is None:
        return clauses, heard
    whole = hear(text, home=turn.speech.home, transcript=turn.transcript, context=turn.context)
    about_home = any(c.targets or c.absent for c in whole.clauses)
    return (clauses, heard) if about_home else (list(whole.clauses), whole)


async def run(events: AsyncIterator[TurnEvent]) -> Ended:
    """Drain a turn and return how it ended."""
    ended: Ended | None = None
    async for event in events:
        if isinstance(event, Ended):
            ended = event
    assert ended is not None  # every turn ends
    return ended


def messages_of(text: str, events: Sequence[TurnEvent]) -> tuple[Message, ...]:
    """Return what a turn adds to the transcript."""
    done = [e for e in events if isinstance(e, Executed)]
    reply = next((e.reply for e in events if isinstance(e, Ended)), "")
    added: list[Message] = [UserMessage(text=text)]
    if done:
        added.append(AssistantMessage(calls=tuple(e.call for e in done)))
        added += [ResultMessage(call=e.call, result=e.result) for e in done]
    return (*added, AssistantMessage(text=reply))
