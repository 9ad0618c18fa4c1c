"""Decide a request that only other people's tools can serve: one call, or as many as the words enumerate."""

import math
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from botpsy_core.agent.decision import Decision
from botpsy_core.agent.drafting import draft
from botpsy_core.agent.evidence import evidence_of, likeness_of
from botpsy_core.agent.steps import Steps, with_results, without_read
from botpsy_core.catalog import (
    asked_by_names,
    better_placed,
    grounded,
    is_elided,
    only_schema,
    parts_of,
    said_by_option,
    served,
    shortlist,
    spread,
    stands_alone,
)
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.engine import Limits
from botpsy_core.domain.events import TurnEvent
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import ASK_USER, RESERVED_NAMES, ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Evidence, Reason, Refuse
from botpsy_core.errors import ModelFault, UnparsableCall

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn

ALIKE = 0.2
"""The likeness of words and tool from which a model's refusal is no reason by itself: a small one refuses the right
tool as often as the wrong one, and the gate gets to see that it did."""
MOST_CALLS = 12
"""Of one request; what is beyond it is not done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One call, with what speaks for it and the offer that it was chosen from."""

    call: ToolCall
    evidence: Evidence
    offer: Offer


@dataclass(slots=True, kw_only=True)
class Request:
    """One request on its way to its calls; the offer is that of the whole."""

    turn: Turn
    clause: Clause
    heard: Heard
    offer: Offer
    tools: tuple[ToolSpec, ...] = field(init=False)
    proposals: list[Proposal] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take the turn's tools of which only schema and text are known."""
        self.tools = tuple(t for t in self.turn.toolbox.specs() if only_schema(t))

    async def decide(self, limits: Limits) -> Refuse | None:
        """Fill `proposals`, or return why there is none; raise EngineFailed."""
        refused: Refuse | None = None
        parts = parts_of(self.clause, self.heard, self.tools)
        for part in parts:
            refuse = await self._one(part, limits, whole=len(parts) == 1)
            refused = refused or refuse
        return None if self.proposals else refused

    async def carry_out(self) -> AsyncIterator[TurnEvent]:
        """Let the gate judge each call, after what has to be looked up for it."""
        for made in self.proposals:
            steps = Steps(turn=self.turn, clause=self.clause, heard=self.heard, tools=self.tools)
            async for event in steps.take(made.call, made.evidence, made.offer):
                yield event

    async def _one(self, part: Clause, limits: Limits, *, whole: bool) -> Refuse | None:
        offer = served(self.offer if whole else self._offer(part), part, self.heard, self.tools)
        alone = whole or stands_alone(part, self.heard, self.tools)
        if self._is_certain(offer, part, whole=whole):
            return None
        text = "" if alone else f"{self.clause.text}\n\nNow only this part: {part.text}"
        try:
            made = await self._ask(offer, part, limits, text=text)
            refusal = None
            if made.raw.name in RESERVED_NAMES and offer.tools and offer.tools[0].score >= ALIKE:
                refusal = math.prod(p.probability for p in made.pieces if p.probability is not None and not p.forced)
                made = await self._ask(replace(offer, must_call=True), part, limits, text=text)
            better = better_placed(made.raw.name, offer)
            if better.tools:
                made = await self._ask(better, part, limits, text=text)
            elided = not whole and is_elided(part, self.clause, self.heard, self.tools)
            evidence = Evidence(p_refuse=refusal, part=None if whole or elided else part.span)
            return await self._take(made, part, offer, known=evidence)
        except UnparsableCall as unread:
            return self._begun(str(unread), part, offer)
        except ModelFault:
            return Refuse(reason=Reason.NO_SUITABLE_TOOL)

    def _is_certain(self, offer: Offer, part: Clause, *, whole: bool) -> bool:
        """Add the call that the words alone leave, where there is one; no model need be asked then."""
        named, raw = asked_by_names(offer, part, self.tools), said_by_option(offer, part)
        if named is not None:
            raw, tainted = RawCall(name=named.tool.name), self.turn.tainted
        elif raw is not None:
            tainted = self.turn.is_tainted(part)
        else:
            return False
        alike = likeness_of(raw.name, self.tools, self.heard, offered=offer.tool(raw.name))
        evidence = Evidence(by_code=True, likeness=alike, tainted=tainted, part=None if whole else part.span)
        self.proposals.append(Proposal(call=draft(raw, offer, self._next_id()), evidence=evidence, offer=offer))
        return True

    def _begun(self, written: str, part: Clause, offer: Offer) -> Refuse | None:
        """Add the call that an answer began and came to no end with, empty, for the gate to ask for what it needs."""
        begun = next((t for t in offer.tools if any(f'"{n}"' in written for n in (t.tool.name, t.tool.called))), None)
        if begun is None or not any(a.required for a in begun.tool.arguments):
            return Refuse(reason=Reason.UNGROUNDED)
        call = draft(RawCall(name=begun.tool.name), offer, self._next_id())
        evidence = Evidence(likeness=begun.score, tainted=self.turn.is_tainted(part))
        self.proposals.append(Proposal(call=call, evidence=evidence, offer=offer))
        return None

    def _next_id(self) -> str:
        return f"call_{len(self.turn.ledger.clauses) + len(self.proposals) + 1}"

    async def _ask(self, offer: Offer, part: Clause, limits: Limits, *, text: str) -> Decision:
        turn = self.turn
        made = await turn.decider.decide(
            offer, part, tools=self.tools, transcript=turn.transcript, limits=limits, text=text
        )
        turn.ledger.usage += made.usage
        return made

    def _offer(self, part: Clause) -> Offer:
        turn = self.turn
        tools = without_read(self.tools, turn.transcript)
        offer = shortlist(part, heard=self.heard, tools=tools, home=turn.speech.home, context=turn.context)
        return with_results(offer, turn.transcript, part)

    async def _take(self, made: Decision, part: Clause, offer: Offer, *, known: Evidence) -> Refuse | None:
        """Add the calls that one answer of the model means; `known` is what speaks for all of them."""
        name = made.raw.name
        offered = offer.tool(name)
        if offered is None or name in RESERVED_NAMES:
            return Refuse(reason=Reason.UNGROUNDED if name == ASK_USER else Reason.NO_SUITABLE_TOOL)
        alike = likeness_of(name, self.tools, self.heard, offered=offered, part=known.part)
        raw = grounded(made.raw, offered, part, self.heard)
        tainted, model = self.turn.is_tainted(part), await self.turn.witness.model()
        for each in spread(raw, offered, part, self.heard.language):
            call = draft(each, offer, self._next_id())
            twin = any(p.call.name == call.name and p.call.args == call.args for p in self.proposals)
            if twin or len(self.proposals) >= MOST_CALLS:
                continue
            evidence = evidence_of(call, made.pieces, likeness=alike, tainted=tainted, model=model)
            evidence = replace(evidence, part=known.part)
            evidence = evidence if known.p_refuse is None else replace(evidence, p_refuse=known.p_refuse)
            self.proposals.append(Proposal(call=call, evidence=evidence, offer=offer))
        return None
