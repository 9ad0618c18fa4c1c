"""Tools that tell and forget what was put off."""

from collections.abc import Iterable, Sequence

from botpsy_core.agent.plans import Plans
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.plans import PlannedAct
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.verdicts import Readiness


class PlanToolbox:
    """Carries out the tools about the book of planned acts; everybody sees and forgets only what is theirs to see."""

    def __init__(self, plans: Plans, tools: Sequence[ToolSpec]) -> None:
        """Take the book and the tools that are bound to it."""
        self._plans = plans
        self._specs = {s.name: s for s in sorted(tools, key=lambda s: s.name)}

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name."""
        return tuple(self._specs.values())

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return whether something is meant, and that it is the asker's."""
        if self._specs[call.name].read_only:
            return Readiness()
        meant = self._meant(call, context)
        if not meant:
            return Readiness(unmet=("Nothing of that is planned",))
        named = bool(self._specs[call.name].targets_of(call))
        if len(meant) > 1 and not named:
            return Readiness(unmet=(f"Several things are planned: {'; '.join(act.act for act in meant[:5])}",))
        return Readiness()

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Tell what is planned, or forget it."""
        if self._specs[call.name].read_only:
            return _result(call, "planned", visible_to(self._plans.acts, context), Outcome.DONE)
        gone = await self._plans.cancel([act.id for act in self._meant(call, context)])
        return _result(call, "forgotten", gone, Outcome.DONE if gone else Outcome.FAILED)

    def _meant(self, call: ToolCall, context: TurnContext) -> tuple[PlannedAct, ...]:
        targets = set(self._specs[call.name].targets_of(call))
        return tuple(a for a in visible_to(self._plans.acts, context) if not targets or targets & set(a.targets))


def visible_to(acts: Iterable[PlannedAct], context: TurnContext) -> tuple[PlannedAct, ...]:
    """Return what this user may know of: their own, what nobody in particular asked for, all for an admin."""
    open_acts = (act for act in acts if not act.begun)
    return tuple(a for a in open_acts if context.is_admin or a.user_id in (None, context.user_id))


def _result(call: ToolCall, key: str, acts: Sequence[PlannedAct], outcome: Outcome) -> ToolResult:
    told = [
        {"id": a.id, "act": a.act, "at": a.at.isoformat(), **({} if a.on is None else {"when": a.on.said})}
        for a in acts
    ]
    return ToolResult(call_id=call.id, outcome=outcome, data={key: told})
