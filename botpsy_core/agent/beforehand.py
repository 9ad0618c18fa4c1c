"""Do first what has to be so before a call that was asked for: lock the doors, then start the engine.

Only what the toolbox itself says of the world before an act may name such a call, never the result of one, which
somebody else may have written. Only what the gate lets through without a question is done, and only where the call
that was asked for would then go out.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from botpsy_core.agent.undo import as_if_said
from botpsy_core.catalog import named_first, only_schema, shortlist
from botpsy_core.domain.events import Executed, TurnEvent
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Outcome, ToolCall
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
        said: set[str] = set()
        while unmet and unmet[0] not in said and len(said) < MOST:
            said.add(unmet[0])
            call = self._named(unmet[0], len(said))
            done = False
            async for event in self._made(call):
                done = done or (isinstance(event, Executed) and event.result.outcome in _DONE)
                yield event
            ready = await turn.readiness(self.case.call) if done else None
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

    async def _made(self, call: ToolCall | None) -> AsyncIterator[TurnEvent]:
        """Put a call to the gate as if the user had said it; nothing is asked about it."""
        turn = self.turn
        spec = next((t for t in turn.toolbox.specs() if call is not None and t.name == call.name), None)
        ready = None if call is None else await turn.readiness(call)
        if call is None or spec is None or ready is None:
            return
        clause, heard, offered = as_if_said(call, spec, home=turn.speech.home, language=turn.context.language)
        evidence = Evidence(by_code=True, likeness=1.0, tainted=turn.tainted)
        case = turn.case(call, spec, clause, heard, ready=ready, evidence=evidence, offered=offered)
        if isinstance(verdict_on(case), Allow):
            async for event in turn.judge(call, clause, heard, evidence=evidence, offered=offered):
                yield event
