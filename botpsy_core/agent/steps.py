"""Several calls for one request: identifiers that nobody says are looked up before the call that wants them.

A lookup is a reading call like any other, judged by the gate. The tool was chosen before anything was read; what is
read fills arguments and chooses nothing.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from botpsy_core.catalog import (
    Need,
    Reckoned,
    facts_of,
    found,
    is_named_in,
    names_in,
    need_of,
    reckoned,
    shortlist,
    told_for,
)
from botpsy_core.domain.events import Executed, TurnEvent
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.messages import AssistantMessage, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.offer import Choice, Offer, OfferedTool
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.domain.verdicts import Evidence

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn


def with_results(offer: Offer, transcript: Transcript, clause: Clause) -> Offer:
    """Return an offer in which arguments that the words leave open can be what earlier calls told."""
    said = next((m.text for m in reversed(transcript.messages) if isinstance(m, AssistantMessage) and m.text), "")
    return found(offer, facts_of(transcript.messages), clause=clause, said_before=said)


def without_read(tools: Sequence[ToolSpec], transcript: Transcript) -> tuple[ToolSpec, ...]:
    """Return the tools without those that have told this request already what they know: it goes on from there."""
    if not transcript.messages or not isinstance(transcript.messages[-1], ResultMessage):
        return tuple(tools)
    last = max((i for i, m in enumerate(transcript.messages) if isinstance(m, UserMessage)), default=0)
    told = {m.call.name for m in transcript.messages[last:] if isinstance(m, ResultMessage)}
    return tuple(t for t in tools if not (t.read_only and t.name in told))


@dataclass(slots=True, kw_only=True)
class Steps:
    """One call of a foreign tool, and what is looked up for it."""

    turn: Turn
    clause: Clause
    heard: Heard
    tools: Sequence[ToolSpec]
    results: list[ResultMessage] = field(default_factory=list)

    async def take(self, call: ToolCall, evidence: Evidence, offer: Offer) -> AsyncIterator[TurnEvent]:
        """Look up what the call needs, then judge it; what cannot be looked up is left out, for the gate to ask."""
        offered = offer.tool(call.name)
        need = None if offered is None else need_of(offered, self.tools)
        if offered is not None and need is not None:
            names = self._names(need, call)
            for name in names:
                async for event in self._look_up(need.giver, name, evidence):
                    yield event
            call, offered = self._filled(call, offered, need, names)
        sum_ = None if offered is None else reckoned(offered, self.clause, self.heard, self.tools)
        if offered is not None and sum_ is not None:
            read = len(self.results)
            # The user named the act, and code alone found what it hangs on: nobody else's text can have led here.
            led = replace(evidence, tainted=evidence.tainted and not is_named_in(offered.tool, self.clause))
            async for event in self._read(sum_.giver, sum_.args, led):
                yield event
            call, offered = _with_number(call, offered, sum_, sum_.value(facts_of(self.results[read:])))
        async for event in self.turn.judge(
            call, self.clause, self.heard, evidence=evidence, offered=offered, offer=offer
        ):
            yield event

    def _names(self, need: Need, call: ToolCall) -> tuple[str, ...]:
        """Return what to look up, one for each argument: what was written into them, else the names that were said."""
        said, count = names_in(self.clause.text), len(need.arguments)
        written = tuple(str(call.args[a.name]) for a in need.arguments if call.args.get(a.name))
        if len(set(written)) == count and (not said or set(written) <= set(said)):
            return written
        return said if len(said) == count else ()

    async def _look_up(self, giver: ToolSpec, name: str, chosen: Evidence) -> AsyncIterator[TurnEvent]:
        """Read one identifier; it was clear before anything was read in this turn that it would be."""
        wanted = next(a.name for a in giver.arguments if a.required)
        async for event in self._read(giver, {wanted: name}, chosen):
            yield event

    async def _read(self, giver: ToolSpec, args: JsonObject, chosen: Evidence) -> AsyncIterator[TurnEvent]:
        """Make one reading call, and keep its result."""
        call = ToolCall(id=f"look_{len(self.results) + 1}", name=giver.name, args=args)
        home, context = self.turn.speech.home, self.turn.context
        offer = shortlist(self.clause, heard=self.heard, tools=(giver,), home=home, context=context)
        evidence = Evidence(by_code=True, tainted=chosen.tainted)
        async for event in self.turn.judge(
            call, self.clause, self.heard, evidence=evidence, offered=offer.tool(giver.name), offer=offer
        ):
            if isinstance(event, Executed):
                self.results.append(ResultMessage(call=event.call, result=event.result))
            yield event

    def _filled(
        self, call: ToolCall, offered: OfferedTool, need: Need, names: Sequence[str]
    ) -> tuple[ToolCall, OfferedTool]:
        """Return the call with what was told in place of the names, which are what the words are traced to."""
        told: dict[str, tuple[JsonValue, Span]] = {}
        for argument, name, result in zip(need.arguments, names, self.results, strict=False):
            value = told_for(argument, facts_of((result,)), self.clause)
            at = self.heard.text.find(name)
            if value is not None and at >= 0:
                told[argument.name] = value, Span(start=at, end=at + len(name))
        open_ = {a.name for a in need.arguments}
        args = {**{k: v for k, v in call.args.items() if k not in open_}, **{k: v for k, (v, _) in told.items()}}
        slots = tuple(
            replace(s, choices=(_choice(*told[s.argument.name]),), words="") if s.argument.name in told else s
            for s in offered.slots
        )
        return replace(call, args=args), replace(offered, slots=slots)


def _with_number(
    call: ToolCall, offered: OfferedTool, sum_: Reckoned, number: float | None
) -> tuple[ToolCall, OfferedTool]:
    """Return the call with a reckoned number; without any where there is none, for the gate to ask for it."""
    name = sum_.argument.name
    rest = {key: value for key, value in call.args.items() if key != name}
    if number is None:
        return replace(call, args=rest), offered
    slots = tuple(
        replace(s, choices=(_choice(number, sum_.span),)) if s.argument.name == name else s for s in offered.slots
    )
    return replace(call, args={**rest, name: number}), replace(offered, slots=slots)


def _choice(value: JsonValue, span: Span) -> Choice:
    return Choice(label=str(value), value=value, span=span)
