"""The only loop: clause by clause, from words to outcomes."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from botpsy_core.agent.answers import answer, say_overlaps
from botpsy_core.agent.beforehand import Beforehand
from botpsy_core.agent.decision import Decider
from botpsy_core.agent.drafting import draft
from botpsy_core.agent.evidence import Witness, evidence_of, likeness_of, without_inventions
from botpsy_core.agent.followup import followed_up
from botpsy_core.agent.foreign import Request
from botpsy_core.agent.ledger import Ledger, status_of
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.agent.masking import hidden, may_hold_a_pin, without_pin
from botpsy_core.agent.obvious import decide_without_model
from botpsy_core.agent.plans import Plans
from botpsy_core.agent.prompt import history_of, is_foreign, is_untrusted
from botpsy_core.agent.reasons import before_the_model, why_nothing_fits, without_own_words
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.settled import settled
from botpsy_core.agent.steps import Steps, with_results, without_read
from botpsy_core.agent.tracing import trace_of
from botpsy_core.agent.undo import Act
from botpsy_core.catalog import only_schema, shortlist
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.engine import Limits
from botpsy_core.domain.events import Decided, Ended, Executed, TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.messages import ResultMessage, Transcript
from botpsy_core.domain.offer import Offer, OfferedTool
from botpsy_core.domain.plans import Awaited, PlannedAct
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, Outcome, Risk, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.verdicts import Allow, Ask, Evidence, Readiness, Reason, Refuse
from botpsy_core.errors import EngineBusy, HostFault, LimitReached, ModelFault, NoModel, ToolboxFailed, TurnTimeout
from botpsy_core.ports import Clock, Toolbox
from botpsy_core.safety import Case, Confirmation, Confirmations, Policy, RateLimiter, Standing, case_of, verdict_on

_LOGGER = logging.getLogger(__name__)
_EDGES = " .!,;\u3002\uff01"

_CHANGING = frozenset({Outcome.DONE, Outcome.ACCEPTED, Outcome.UNCONFIRMED})
"""Outcomes after which something may be another than before."""


@dataclass(slots=True, kw_only=True)
class Turn:
    """One utterance, or one answer to a question, on its way through the house."""

    decider: Decider
    witness: Witness
    policy: Policy
    confirmations: Confirmations
    rates: RateLimiter
    clock: Clock
    limits: TurnLimits
    speech: Speech
    toolbox: Toolbox
    context: TurnContext
    transcript: Transcript
    ends_at: float
    plans: Plans | None = None
    """The book of acts that were put off; None where the host keeps none, and nothing is put off."""
    awaiting: Awaited | None = None
    """What the act that was asked for waits for; nothing is then done at once or asked about."""
    firm: bool = False
    """True while two acts belong together, so that nothing is asked about one of them."""
    planned: list[str] = field(default_factory=list)
    """Ids of what was put off."""
    ledger: Ledger = field(default_factory=Ledger)
    risky: int = 0
    writes: int = 0
    results: list[ResultMessage] = field(default_factory=list)
    """What was called in this turn, and what came of it."""
    acts: list[Act] = field(default_factory=list)
    """What went out and may have changed something."""
    undoing: bool = False
    """True where the words ask to put back what was done."""
    tainted: bool = False
    several: bool = False
    """True where the utterance asks for more than one thing, so that a refusal has to say which."""
    secret: bool = False
    """True once the words may hold a PIN; no number in them is then written down."""

    def listen_for_a_pin(self, text: str, *, asked: bool = False) -> None:
        """Note whether these words may hold a PIN; `asked`: a question for it is open."""
        phrases, pin_set = self.speech.phrases, self.confirmations.pin_set
        self.secret = self.secret or may_hold_a_pin(
            text,
            code_words=phrases.words("code_words"),
            other_codes=phrases.words("other_codes"),
            asked=asked,
            pin_set=pin_set,
            language=phrases.language,
        )

    def written(self, text: str) -> str:
        """Return what may be written down of these words."""
        return str(hidden(text, language=self.speech.phrases.language)) if self.secret else text

    def ended(self, started: float) -> Ended:
        """Return the turn's last event; it tells no PIN."""
        ended = self.ledger.ended(self.clock.monotonic() - started)
        if not self.secret:
            return ended
        language = self.speech.phrases.language
        trace = {key: hidden(value, language=language) for key, value in ended.trace.items()}
        return replace(ended, reply=without_pin(ended.reply, language=language), trace=trace, secret=True)

    async def clause(self, clause: Clause, heard: Heard) -> AsyncIterator[TurnEvent]:
        """Take one clause through, or what is to be done where what was read just now meets its condition."""
        then = settled(clause, heard, self)
        for each in (clause,) if then is None else then[0]:
            async for event in self._one(each, heard if then is None else then[1]):
                yield event

    async def _one(self, clause: Clause, heard: Heard) -> AsyncIterator[TurnEvent]:
        """Offer, decision, gate, act; what fails here does not hide the other clauses."""
        refusal = before_the_model(clause)
        if refusal is not None:
            yield self._refused(refusal, clause)
            return
        tools = self.toolbox.specs()
        if self.awaiting is not None:
            tools = tuple(t for t in tools if t.delayable)
        clause = without_own_words(clause, tools, heard.language)
        talk, home, context = self.transcript, self.speech.home, self.context
        followed = followed_up(clause, heard, transcript=talk, tools=tools, home=home, context=context)
        offer = followed or self._offer(clause, heard, tools)
        if followed is None and offer.tools and all(only_schema(t.tool) for t in offer.tools):
            async for event in self._request(offer, clause, heard):
                yield event
            return
        nothing = why_nothing_fits(offer, clause, heard, home=self.speech.home, policy=self.policy)
        if nothing is not None:
            yield self._refused(nothing, clause, offer=offer)
            return
        try:
            decided = await self._decide(offer, clause, heard, tools)
        except (HostFault, TurnTimeout) as fault:
            _LOGGER.warning("a clause could not be decided: %s", fault)
            self.ledger.clauses.append(trace_of(clause, offer=offer))
            self.ledger.note(TurnStatus.FAILED, self.speech.phrases.say("turn", _apology(fault)))
            return
        if isinstance(decided, Refuse):
            yield self._refused(decided, clause, offer=offer)
            return
        async for event in Steps(turn=self, clause=clause, heard=heard, tools=tools).take(*decided, offer):
            yield event

    async def _request(self, offer: Offer, clause: Clause, heard: Heard) -> AsyncIterator[TurnEvent]:
        """Take a request that only other people's tools can serve through: decisions, and the gate for each."""
        request = Request(turn=self, clause=clause, heard=heard, offer=offer)
        try:
            refuse = await request.decide(self._generation())
        except (HostFault, TurnTimeout) as fault:
            _LOGGER.warning("a request could not be decided: %s", fault)
            self.ledger.clauses.append(trace_of(clause, offer=offer))
            self.ledger.note(TurnStatus.FAILED, self.speech.phrases.say("turn", _apology(fault)))
            return
        if refuse is not None:
            yield self._refused(refuse, clause, offer=offer)
        async for event in request.carry_out():
            yield event

    def _offer(self, clause: Clause, heard: Heard, tools: tuple[ToolSpec, ...]) -> Offer:
        """Return the tools that a clause can mean, with what earlier calls told."""
        home, context, talk = self.speech.home, self.context, self.transcript
        fresh, later = without_read(tools, talk), self.plans is not None
        offer = shortlist(clause, heard=heard, tools=fresh, home=home, context=context, later=later)
        return with_results(offer, talk, clause)

    async def judge(
        self,
        call: ToolCall,
        clause: Clause,
        heard: Heard,
        *,
        evidence: Evidence,
        offered: OfferedTool | None,
        offer: Offer | None = None,
        confirmation: Confirmation | None = None,
    ) -> AsyncIterator[TurnEvent]:
        """Put a call to the gate, and do what the gate says."""
        spec = next((s for s in self.toolbox.specs() if s.name == call.name), None)
        if spec is None:
            yield self._refused(Refuse(reason=Reason.NO_SUITABLE_TOOL, call=call), clause)
            return
        ready = await self.readiness(call)
        if ready is None:
            return
        case = self.case(
            call, spec, clause, heard, ready=ready, evidence=evidence, offered=offered, confirmation=confirmation
        )
        if ready.unmet and only_schema(spec):
            beforehand = Beforehand(turn=self, case=case)
            async for event in beforehand.take():
                yield event
            case = replace(beforehand.case, standing=self._standing())
        case = await self.witness.weighed(case)
        evidence, verdict = case.evidence, verdict_on(case)
        self.ledger.clauses.append(trace_of(clause, offer=offer, case=case, verdict=verdict))
        yield Decided(verdict=verdict, evidence=evidence, clause=self.written(clause.text), certainty=case.certainty)
        match verdict:
            case Refuse():
                self.ledger.note(TurnStatus.REFUSED, self._no(verdict, clause), verdict.reason)
            case Ask() if self.awaiting is not None or self.firm:
                # Its answer would know nothing of what is waited for, or of the other half.
                refuse = Refuse(reason=verdict.reason, call=verdict.call)
                self.ledger.note(TurnStatus.REFUSED, self._no(refuse, clause), refuse.reason)
            case Ask():
                self._ask(verdict, spec, clause=clause, heard=heard, evidence=evidence, offered=offered)
            case Allow():
                async for event in self._carry_out(verdict, spec, clause):
                    yield event

    async def readiness(self, call: ToolCall) -> Readiness | None:
        """Return what the toolbox says of a call right now; None where it cannot, which is then said."""
        try:
            return await self.toolbox.check(call, self.context)
        except HostFault as fault:
            _LOGGER.warning("the tool %s cannot be checked: %s", call.name, fault)
        except Exception:  # the tool boundary: what an integration breaks costs one act, and nothing has begun
            _LOGGER.exception("the check of the tool %s broke", call.name)
        self.ledger.note(TurnStatus.FAILED, self.speech.phrases.say("turn", "toolbox_failed"))
        return None

    def case(
        self,
        call: ToolCall,
        spec: ToolSpec,
        clause: Clause,
        heard: Heard,
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
            home=self.speech.home,
            evidence=evidence,
            readiness=ready,
            policy=self.policy,
            context=self.context,
            offered=offered,
            standing=self._standing(),
            confirmation=confirmation,
        )

    async def _decide(
        self, offer: Offer, clause: Clause, heard: Heard, tools: tuple[ToolSpec, ...]
    ) -> tuple[ToolCall, Evidence] | Refuse:
        """Return the call that words or model decide, or why there is none."""
        raw = decide_without_model(offer, clause)
        if raw is not None:
            alike = likeness_of(raw.name, tools, heard, offered=offer.tool(raw.name))
            return self._draft(raw, offer), Evidence(by_code=True, likeness=alike, tainted=self.tainted)
        tainted = self.is_tainted(clause)
        for _ in range(self.limits.rounds):
            try:
                made = await self.decider.decide(
                    offer, clause, tools=tools, transcript=self.transcript, limits=self._generation()
                )
                self.ledger.usage += made.usage
                if made.raw.name == NO_SUITABLE_TOOL:
                    return Refuse(reason=Reason.NO_SUITABLE_TOOL)
                if made.raw.name == ASK_USER:
                    return self._question_back(offer)
                call = self._draft(made.raw, offer)
            except ModelFault:
                continue
            offered = offer.tool(call.name)
            alike = likeness_of(call.name, tools, heard, offered=offered)
            evidence = evidence_of(call, made.pieces, likeness=alike, tainted=tainted, model=await self.witness.model())
            return without_inventions(call, None if offered is None else offered.tool, heard), evidence
        return Refuse(reason=Reason.UNGROUNDED)

    def is_tainted(self, clause: Clause) -> bool:
        """Return True if somebody else's text came into this turn, or stands in what the model reads of the talk."""
        foreign = all(is_foreign(t) for t in self.toolbox.specs())
        return self.tainted or is_untrusted(history_of(self.transcript, clause, foreign=foreign))

    def _question_back(self, offer: Offer) -> tuple[ToolCall, Evidence] | Refuse:
        """Return the best tool's call without what is missing, for the gate to ask about."""
        best = next((t for t in offer.tools if t.missing), None)
        if best is None:
            return Refuse(reason=Reason.UNGROUNDED)
        raw = RawCall(
            name=best.tool.name,
            args={s.argument.name: s.choices[0].label for s in best.slots if s.required and len(s.choices) == 1},
        )
        return self._draft(raw, offer), Evidence(likeness=best.score, tainted=self.tainted)

    def _draft(self, raw: RawCall, offer: Offer) -> ToolCall:
        return draft(raw, offer, f"call_{len(self.ledger.clauses) + 1}")

    def _generation(self) -> Limits:
        left = self.ends_at - self.clock.monotonic()
        if left <= 0:
            raise TurnTimeout("no time is left for the model")
        return Limits(max_tokens=self.limits.tokens, timeout_s=min(left, self.limits.generation_s))

    def _standing(self) -> Standing:
        return Standing(
            calls=self.writes,
            risky=self.risky,
            last_minute=self.rates.last_minute(),
            pin_set=self.confirmations.pin_set,
            locked_out=self.confirmations.locked_out,
        )

    def _refused(self, refuse: Refuse, clause: Clause, *, offer: Offer | None = None) -> Decided:
        self.ledger.clauses.append(trace_of(clause, offer=offer, verdict=refuse))
        self.ledger.note(TurnStatus.REFUSED, self._no(refuse, clause), refuse.reason)
        return Decided(verdict=refuse, evidence=Evidence(), clause=self.written(clause.text))

    def _no(self, refuse: Refuse, clause: Clause) -> str:
        """Return the refusal, with the words that it is about where the utterance asked for more than one thing."""
        sentence = self.speech.refusal(refuse)
        named = self.several and refuse.reason is Reason.NO_SUITABLE_TOOL
        return f"\u201c{self.written(clause.text).strip(_EDGES)}\u201d: {sentence}" if named else sentence

    def _ask(
        self,
        ask: Ask,
        spec: ToolSpec,
        *,
        clause: Clause,
        heard: Heard,
        evidence: Evidence,
        offered: OfferedTool | None,
    ) -> None:
        if self.ledger.question:
            # One question a turn: "yes" must never have two meanings.
            self.ledger.note(TurnStatus.REFUSED, self.speech.phrases.say("turn", "one_question"), ask.reason)
            return
        pending = None
        if not self.context.dry_run:
            kept = self.confirmations.keep(
                ask, clause=clause, heard=heard, evidence=evidence, offered=offered, context=self.context
            )
            pending = kept.id
        self.ledger.ask(self.speech.question(ask, spec), pending, ask.reason)

    async def _carry_out(self, allow: Allow, spec: ToolSpec, clause: Clause) -> AsyncIterator[TurnEvent]:
        call = allow.call
        if self.context.dry_run:
            self.ledger.note(
                TurnStatus.DONE, self.speech.phrases.say("turn", "dry", act=self.speech.act("do", call, spec))
            )
            return
        if allow.at is not None:
            await self._put_off(allow, spec)
            return
        if self.awaiting is not None:
            refuse = Refuse(reason=Reason.NOT_LATER, call=call)
            self.ledger.note(TurnStatus.REFUSED, self._no(refuse, clause), refuse.reason)
            return
        if not spec.read_only:
            self.writes += 1
            self.risky += allow.risk.rank > Risk.COST.rank
            self.rates.note(allow.risk)
        result = await self._execute(call)
        self.tainted = self.tainted or result.untrusted
        self.ledger.calls.append(call)
        self.results.append(ResultMessage(call=call, result=result))
        if not spec.read_only and result.outcome in _CHANGING:
            before = tuple(e for i in spec.targets_of(call) if (e := self.speech.home.entity(i)) is not None)
            self.acts.append(Act(call=call, spec=spec, before=before))
        yield Executed(call=call, result=result)
        sentence = answer(self.speech, clause, result) if spec.read_only else self._outcome(call, result, spec)
        self.ledger.note(status_of(result.outcome), sentence)

    def _outcome(self, call: ToolCall, result: ToolResult, spec: ToolSpec) -> str:
        overlaps = say_overlaps(self.speech, result.data.get("overlaps", ()))
        return f"{self.speech.outcome(call, result, spec)} {overlaps} {self.speech.unreached(result)}".strip()

    async def _put_off(self, allow: Allow, spec: ToolSpec) -> None:
        """Write an act down that is to be done later; it passes the gate again then."""
        assert self.plans is not None  # only then is a time offered
        assert allow.at is not None
        self.writes += 1
        act = PlannedAct(
            id=self.plans.new_id(),
            call=allow.call,
            at=datetime.fromisoformat(allow.at),
            act=self.speech.act("do", allow.call, spec),
            language=self.context.language,
            user_id=self.context.user_id,
            device_id=self.context.device_id,
            targets=spec.targets_of(allow.call),
            on=self.awaiting,
        )
        try:
            await self.plans.add(act)
            self.planned.append(act.id)
        except LimitReached:
            self.ledger.note(TurnStatus.REFUSED, self.speech.phrases.say("turn", "too_much_planned"))
            return
        self.ledger.note(TurnStatus.DONE, self.speech.planned(act))

    async def _execute(self, call: ToolCall) -> ToolResult:
        """Carry a call out; what cannot be told in time may still happen, and that is what is said."""
        left = max(1.0, self.ends_at - self.clock.monotonic())
        try:
            async with asyncio.timeout(left):
                return await self.toolbox.execute(call, self.context)
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


def _apology(fault: HostFault | TurnTimeout) -> str:
    """Return which sentence tells the user what stood in the way of a decision."""
    match fault:
        case EngineBusy():
            return "busy"
        case TurnTimeout():
            return "timeout"
        case NoModel():
            return "engine_missing"
        case _:
            return "engine_failed"
