"""Do first what has to be so before a call that was asked for: lock the doors, then start the engine.

Only what the toolbox itself says of the world before an act may name such a call, never the result of one, which
somebody else may have written. Only what the gate lets through without a question is done, and only where the call
that was asked for would then go out.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from botpsy_core.agent.cases import case_in, readiness_of
from botpsy_core.agent.undo import as_if_said
from botpsy_core.catalog import named_first, only_schema, shortlist
from botpsy_core.domain.events import Executed, TurnEvent
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Outcome, ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Allow, Evidence
from botpsy_core.hearing import hear
from botpsy_core.safety import Case, verdict_on

if TYPE_CHECKING:
    from botpsy_core.agent.turn import Turn

MOST = 4
"""Calls before one call."""
_DONE = frozenset({Outcome.DONE, Outcome.ACCEPTED})


@dataclass(slots=True, kw_only=True)
class Beforehand:
    """What is done before one call."""

    turn: Turn
    case: Case
    """The call that was asked for, as the gate sees it: in the end with what the world then is."""

    async def take(self) -> AsyncIterator[TurnEvent]:
        """Make call after call until nothing is in the way, or nothing more can be done about it."""
        turn = self.turn
        unmet = self.case.readiness.unmet
        free = await turn.witness.weighed(replace(self.case, readiness=replace(self.case.readiness, unmet=())))
        if turn.awaiting is not None or turn.context.dry_run or not isinstance(verdict_on(free), Allow):
            return
        done: set[str] = set()
        while unmet and done.isdisjoint(unmet) and len(done) < MOST:
            calls = [self._named(sentence, len(done) + n) for n, sentence in enumerate(unmet, 1)]
            if not all([await self._may(call) for call in calls]):
                return  # half of what is needed is no help
            for call in calls:
                went_well = False
                async for event in self._made(call):
                    went_well = went_well or (isinstance(event, Executed) and event.result.outcome in _DONE)
                    yield event
                if not went_well:
                    return
            done.update(unmet)
            ready = await readiness_of(self.case.call, turn)
            if ready is None:
                return
            self.case, unmet = replace(free, readiness=ready), ready.unmet

    def _named(self, sentence: str, number: int) -> ToolCall | None:
        """Return the call that a sentence names; the home's own things are none of its business."""
        context = self.turn.context
        home = Home(language=context.language)
        heard = hear(sentence, home=home, transcript=Transcript(), context=context)
        tools = [t for t in self.turn.toolbox.specs() if only_schema(t)]
        for clause in heard.clauses[:1]:
            offer = shortlist(clause, heard=heard, tools=tools, home=home, context=context)
            call = named_first(clause, offer, self.case.call)
            return None if call is None else replace(call, id=f"{self.case.call.id}_first_{number}")
        return None

    async def _may(self, call: ToolCall | None) -> bool:
        """Return True if the gate lets a call through, as if the user had said it, without a question."""
        turn = self.turn
        spec = None if call is None else self._spec(call)
        ready = None if call is None else await readiness_of(call, turn)
        if call is None or spec is None or ready is None:
            return False
        clause, heard, offered = as_if_said(call, spec, home=turn.speech.home, language=turn.context.language)
        case = case_in(call, spec, clause, heard, turn, ready=ready, evidence=self._evidence(), offered=offered)
        return isinstance(verdict_on(case), Allow)

    async def _made(self, call: ToolCall | None) -> AsyncIterator[TurnEvent]:
        """Put a call to the gate once more, which is what may make it."""
        spec = None if call is None else self._spec(call)
        if call is None or spec is None:
            return
        turn = self.turn
        clause, heard, offered = as_if_said(call, spec, home=turn.speech.home, language=turn.context.language)
        async for event in turn.judge(call, clause, heard, evidence=self._evidence(), offered=offered):
            yield event

    def _spec(self, call: ToolCall) -> ToolSpec | None:
        return next((t for t in self.turn.toolbox.specs() if t.name == call.name), None)

    def _evidence(self) -> Evidence:
        return Evidence(by_code=True, likeness=1.0, tainted=self.turn.tainted)
