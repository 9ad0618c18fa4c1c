"""The MQTT devices' states as a toolbox of read tools, where no Home Assistant offers them."""

from collections.abc import Callable, Sequence

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.verdicts import Readiness


class ReadingToolbox:
    """Answers the tools that are bound to states."""

    def __init__(self, tools: Sequence[ToolSpec], entities: Callable[[], tuple[Entity, ...]]) -> None:
        self._specs = {spec.name: spec for spec in tools if spec.binding.get("kind") == "state"}
        self._entities = entities

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the read tools."""
        return tuple(self._specs[name] for name in sorted(self._specs))

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return whether everything that is asked about is there."""
        del context
        known = {entity.id for entity in self._entities()}
        return Readiness(exposed=all(target in known for target in self._specs[call.name].targets_of(call)))

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Return the states."""
        del context
        wanted = self._specs[call.name].targets_of(call)
        found = [entity for entity in self._entities() if entity.id in wanted]
        return ToolResult(
            call_id=call.id,
            outcome=Outcome.DONE if found else Outcome.FAILED,
            data={"states": [entity.facts() for entity in found]},
            untrusted=any(entity.attributes.get("untrusted") for entity in found),
        )
