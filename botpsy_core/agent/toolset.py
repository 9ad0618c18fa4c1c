"""Several toolboxes as one."""

from collections.abc import Iterable

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.tools import ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import ToolboxFailed
from botpsy_core.ports import Toolbox


class Toolset:
    """Sends each call to the toolbox that offers its tool; the first one wins where two do."""

    def __init__(self, toolboxes: Iterable[Toolbox]) -> None:
        """Take the toolboxes in order of precedence."""
        self._toolboxes = tuple(toolboxes)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools of all toolboxes, sorted by name."""
        found: dict[str, ToolSpec] = {}
        for toolbox in self._toolboxes:
            for spec in toolbox.specs():
                found.setdefault(spec.name, spec)
        return tuple(found[name] for name in sorted(found))

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return what the toolbox of this tool says."""
        return await self._owner(call.name).check(call, context)

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Let the toolbox of this tool carry the call out."""
        return await self._owner(call.name).execute(call, context)

    def _owner(self, name: str) -> Toolbox:
        for toolbox in self._toolboxes:
            if any(spec.name == name for spec in toolbox.specs()):
                return toolbox
        raise ToolboxFailed(f"no toolbox offers {name!r} any more")
