"""The only loop: clause by clause, from words to outcomes."""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Unpack

from botpsy_core.agent.choosing import choose
from botpsy_core.agent.decision import Decider
from botpsy_core.agent.evidence import Witness
from botpsy_core.agent.followup import followed_up
from botpsy_core.agent.foreign import Request
from botpsy_core.agent.judging import Grounds, judge
from botpsy_core.agent.ledger import Ledger
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.agent.masking import hidden, may_hold_a_pin, without_pin
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
from botpsy_core.domain.engine import Limits
from botpsy_core.domain.events import Decided, Ended, TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.messages import ResultMessage, Transcript
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.plans import Awaited
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Evidence, Reason, Refuse
from botpsy_core.errors import EngineBusy, HostFault, NoModel, TurnTimeout
from botpsy_core.ports import Clock, Toolbox
from botpsy_core.safety import Confirmations, Policy, RateLimiter

_LOGGER = logging.getLogger(__name__)
_EDGES = " .!,;\u3002\uff01"


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
    """Seconds of the monotonic clock after which nobody waits for the model or a tool any more."""
    plans: Plans | None = None
    """The book of acts that were put off; None where the host keeps none, and nothing is put off."""
    awaiting: Awaited | None = None
    """What the act that was asked for waits for; nothing is then done at once or asked about."""
    firm: bool = False
    """True while two acts belong together, so that nothing is asked about one of them."""
    planned: list[str] = field(default_factory=list)
    """Ids of what was put off."""
    ledger: Ledger = field(default_factory=Ledger)
    writes: int = 0
    """Calls that change something, sent or put off so far."""
    risky: int = 0
    """Those of them that were sent and may do more harm than cost money."""
    results: list[ResultMessage] = field(default_factory=list)
    """What was called in this turn, and what came of it."""
    acts: list[Act] = field(default_factory=list)
    """What went out and may have changed something."""
    undoing: bool = False
    """True where the words ask to put back what was done."""
    tainted: bool = False
    """True once a tool has brought somebody else's text into the turn."""
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
        """Take one clause through; where what was read just now meets its condition, what it then wants done."""
        then = settled(clause, heard, self)
        for each in (clause,) if then is None else then[0]:
            async for event in self._one(each, heard if then is None else then[1]):
                yield event

    async def _one(self, clause: Clause, heard: Heard) -> AsyncIterator[TurnEvent]:
        """Offer, decision, gate, act; what fails here does not hide the other clauses."""
        refusal = before_the_model(clause)
        if refusal is not None:
            yield self.refused(refusal, clause)
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
            yield self.refused(nothing, clause, offer=offer)
            return
        try:
            decided = await choose(offer, clause, heard, tools, self)
        except (HostFault, TurnTimeout) as fault:
            self._undecided(fault, clause, offer)
            return
        if isinstance(decided, Refuse):
            yield self.refused(decided, clause, offer=offer)
            return
        async for event in Steps(turn=self, clause=clause, heard=heard, tools=tools).take(*decided, offer):
            yield event

    async def _request(self, offer: Offer, clause: Clause, heard: Heard) -> AsyncIterator[TurnEvent]:
        """Take a request that only other people's tools can serve through: decisions, and the gate for each."""
        request = Request(turn=self, clause=clause, heard=heard, offer=offer)
        try:
            refuse = await request.decide(self.generation())
        except (HostFault, TurnTimeout) as fault:
            self._undecided(fault, clause, offer)
            return
        if refuse is not None:
            yield self.refused(refuse, clause, offer=offer)
        async for event in request.carry_out():
            yield event

    def _offer(self, clause: Clause, heard: Heard, tools: tuple[ToolSpec, ...]) -> Offer:
        """Return the tools that a clause can mean, with what earlier calls told."""
        home, context, talk = self.speech.home, self.context, self.transcript
        fresh, later = without_read(tools, talk), self.plans is not None
        offer = shortlist(clause, heard=heard, tools=fresh, home=home, context=context, later=later)
        return with_results(offer, talk, clause)

    def _undecided(self, fault: HostFault | TurnTimeout, clause: Clause, offer: Offer) -> None:
        _LOGGER.warning("a clause could not be decided: %s", fault)
        self.ledger.clauses.append(trace_of(clause, offer=offer))
        self.ledger.note(TurnStatus.FAILED, self.speech.phrases.say("turn", _apology(fault)))

    def judge(
        self, call: ToolCall, clause: Clause, heard: Heard, **grounds: Unpack[Grounds]
    ) -> AsyncIterator[TurnEvent]:
        """Put a call to the gate, and do what the gate says."""
        return judge(call, clause, heard, self, **grounds)

    def is_tainted(self, clause: Clause) -> bool:
        """Return True if somebody else's text came into this turn, or stands in what the model reads of the talk."""
        foreign = all(is_foreign(t) for t in self.toolbox.specs())
        return self.tainted or is_untrusted(history_of(self.transcript, clause, foreign=foreign))

    def generation(self) -> Limits:
        """Return the bounds of one answer of the model; raise TurnTimeout where no time is left for it."""
        left = self.ends_at - self.clock.monotonic()
        if left <= 0:
            raise TurnTimeout("no time is left for the model")
        return Limits(max_tokens=self.limits.tokens, timeout_s=min(left, self.limits.generation_s))

    def refused(self, refuse: Refuse, clause: Clause, *, offer: Offer | None = None) -> Decided:
        """Write down and say that a clause is refused; return the event that tells it."""
        self.ledger.clauses.append(trace_of(clause, offer=offer, verdict=refuse))
        self.say_no(refuse, clause)
        return Decided(verdict=refuse, evidence=Evidence(), clause=self.written(clause.text))

    def say_no(self, refuse: Refuse, clause: Clause) -> None:
        """Say a refusal, with the words that it is about where the utterance asked for more than one thing."""
        sentence = self.speech.refusal(refuse)
        if self.several and refuse.reason is Reason.NO_SUITABLE_TOOL:
            sentence = f"\u201c{self.written(clause.text).strip(_EDGES)}\u201d: {sentence}"
        self.ledger.note(TurnStatus.REFUSED, sentence, refuse.reason)


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
