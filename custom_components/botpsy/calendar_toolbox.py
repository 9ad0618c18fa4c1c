"""Tools that change one event which is already in a calendar: the event is found, shown back, and then changed."""

from collections.abc import Sequence

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.exceptions import HomeAssistantError

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import AskKind, Readiness

from .askers import Askers
from .calendar_events import ENOUGH, Calendars, Found
from .discretion import Discretion
from .hass_home import HassHome

KIND = "calendar"
"""The binding that this toolbox carries out."""


class CalendarToolbox:
    """Finds, moves and deletes events."""

    def __init__(
        self,
        calendars: Calendars,
        home: HassHome,
        tools: Sequence[ToolSpec],
        askers: Askers,
        discretion: Discretion | None = None,
    ) -> None:
        """Offer those of the tools whose binding is a calendar's."""
        self._discretion = discretion or Discretion()
        self._calendars = calendars
        self._home = home
        self._askers = askers
        self._specs = {s.name: s for s in sorted(tools, key=lambda s: s.name) if s.binding.get("kind") == KIND}

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name."""
        return tuple(self._specs.values())

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return whether exactly one event is meant, and which; its calendar may be changed by this user."""
        spec = self._specs[call.name]
        chosen = spec.targets_of(call)
        if not all(self._home.entity(each) for each in chosen):
            return Readiness(exposed=False)
        try:
            found = await self._find(call, context)
        except HomeAssistantError as error:
            return Readiness(available=False, problem=str(error))
        if len(found) != 1:
            several = "There are several: " + "; ".join(self._words(each, context) for each in found[:ENOUGH])
            return Readiness(unmet=(several if found else "No such event is in a calendar",))
        (one,) = found
        user = await self._askers.user_of(context)
        entity_id = one.calendar.entity_id
        return Readiness(
            allowed=context.user_id is None or bool(user and user.permissions.check_entity(entity_id, POLICY_CONTROL)),
            available=self._calendars.can(one, str(spec.binding["operation"])),
            problem=str(one.calendar.name or entity_id),
            confirm=AskKind.CONFIRM,
            about=self._words(one, context),
        )

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Change the event, if it is still the only one that is meant."""
        spec = self._specs[call.name]
        try:
            found = await self._find(call, context)
            if len(found) != 1:
                return ToolResult(call_id=call.id, outcome=Outcome.NOT_SENT)
            (one,) = found
            if spec.binding["operation"] == "delete":
                await self._calendars.delete(one)
            else:
                await self._calendars.move(one, str(_argument(spec, call, "to")))
        except HomeAssistantError as error:
            return ToolResult(call_id=call.id, outcome=Outcome.FAILED, detail=str(error))
        return ToolResult(
            call_id=call.id, outcome=Outcome.DONE, data={"event": self._words(one, context)}, untrusted=True
        )

    def _words(self, found: Found, context: TurnContext) -> str:
        return found.when if self._discretion.hides(found.calendar.entity_id, context) else found.words

    async def _find(self, call: ToolCall, context: TurnContext) -> list[Found]:
        spec = self._specs[call.name]
        home = self._home.home(context.language)
        calendars = spec.targets_of(call) or tuple(each.id for each in home.entities if each.domain == KIND)
        return await self._calendars.find(
            calendars, str(_argument(spec, call, "event") or ""), _argument(spec, call, "at")
        )


def _argument(spec: ToolSpec, call: ToolCall, key: str) -> JsonValue:
    """Return what the binding takes for a key: an argument's value, or None where there is none."""
    name = spec.binding.get(key)
    return call.args.get(name[1:]) if isinstance(name, str) and name.startswith("$") else None
