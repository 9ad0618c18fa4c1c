"""Our tools for every other agent of Home Assistant, with the guard inside.

Offered is what the Assist API lacks: calendars that can be written to, messages, lists, and devices on MQTT.
"""

from typing import TYPE_CHECKING, Any, Final, override

import voluptuous as vol
from homeassistant.components.llm import LLMTools
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers.llm import LLM_API_ASSIST, LLMContext, Tool, ToolAnnotations, ToolInput, ToolResult

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Argument, Risk, Role, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.errors import BotPsyError

from .answering import response_of
from .chat_bridge import Deltas
from .const import DOMAIN
from .entry import async_ready
from .errors import translated

if TYPE_CHECKING:
    from .runtime import BotPsyRuntime

OFFERED_DOMAINS: Final = frozenset({"calendar", "notify", "persistent_notification", "todo"})
"""Actions of these domains are in our tools and not in Assist's."""

NAMED: Final = 20
"""Names that an error lists at most."""


@callback
def async_get_tools(hass: HomeAssistant, llm_context: LLMContext, api_id: str) -> LLMTools | None:
    """Return our tools, or None where no model is loaded, for another API than Assist's, and for ourselves."""
    loaded = async_ready(hass)
    if api_id != LLM_API_ASSIST or llm_context.platform == DOMAIN or not loaded:
        return None
    runtime = loaded[0].runtime_data
    offered = [GuardedTool(runtime, spec) for spec in runtime.toolbox.specs() if _is_offered(spec)]
    return LLMTools(tools=[*offered, UndoTool(runtime)])


def _is_offered(spec: ToolSpec) -> bool:
    kind = spec.binding.get("kind")
    if kind in ("bridge", "calendar", "list"):
        return True
    return kind == "action" and str(spec.binding["action"]).partition(".")[0] in OFFERED_DOMAINS


class GuardedTool(Tool):
    """One of our tools; a call goes through the gate, as if it had been said and without the benefit of words."""

    integration = DOMAIN

    def __init__(self, runtime: BotPsyRuntime, spec: ToolSpec) -> None:
        """Describe the tool in Home Assistant's way."""
        self._runtime = runtime
        self._spec = spec
        self.name = f"{DOMAIN}__{spec.name}"
        self.title = spec.name.replace("_", " ").capitalize()
        self.description = spec.description
        self.parameters = vol.Schema({_key(each): _value(each) for each in spec.arguments})
        self.annotations = ToolAnnotations(
            read_only=spec.read_only,
            destructive=spec.risk.rank > Risk.COMFORT.rank,
            idempotent=spec.read_only,
            open_world=spec.binding.get("kind") == "bridge" or spec.untrusted_result,
        )

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: ToolInput, llm_context: LLMContext) -> ToolResult:
        """Carry the call out, or say why not."""
        frame = await _frame(self._runtime, llm_context)
        home = await self._runtime.async_home_for(frame)
        args: dict[str, JsonValue] = dict(self.parameters(tool_input.tool_args))
        for argument in self._spec.arguments_of(Role.TARGET):
            if argument.name in args:
                candidates = [each for each in home.entities if {each.domain, each.kind} & argument.kinds]
                found = _named(candidates, args[argument.name])
                if not found:
                    known = ", ".join(each.name for each in candidates[:NAMED])
                    return ToolResult(data={"error": f"{argument.name}: no such thing; there are: {known}"}, error=True)
                args[argument.name] = found
        try:
            deltas = await self._runtime.async_use(self._spec.name, args, context=frame, agent_id=llm_context.platform)
        except BotPsyError as error:
            raise translated(error) from error
        return _result(deltas, frame)


class UndoTool(Tool):
    """Puts back what our tools did last for the same user; each step goes through the gate."""

    integration = DOMAIN
    name = f"{DOMAIN}__undo"
    title = "Undo"
    description = "Puts back what the last call of a botpsy tool has changed, as far as it can be."
    parameters = vol.Schema({})
    annotations = ToolAnnotations(read_only=False, destructive=False, idempotent=False, open_world=False)

    def __init__(self, runtime: BotPsyRuntime) -> None:
        """Take the entry's runtime."""
        self._runtime = runtime

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: ToolInput, llm_context: LLMContext) -> ToolResult:
        """Put it back, or say why not."""
        frame = await _frame(self._runtime, llm_context)
        try:
            deltas = await self._runtime.async_undo(context=frame, agent_id=llm_context.platform)
        except BotPsyError as error:
            raise translated(error) from error
        return _result(deltas, frame)


async def _frame(runtime: BotPsyRuntime, llm_context: LLMContext) -> TurnContext:
    """Return the frame of another agent's call; all calls for one user are one conversation."""
    context = llm_context.context or Context()
    return await runtime.askers.frame(
        context,
        origin=Origin.AGENT,
        conversation_id=f"{llm_context.platform}-{context.user_id or context.id}",
        language=llm_context.language,
        device_id=llm_context.device_id,
    )


def _result(deltas: Deltas, frame: TurnContext) -> ToolResult:
    answer = response_of(deltas, frame)
    told: dict[str, Any] = {key: answer[key] for key in ("status", "reason", "reply")}
    if deltas.executed:
        told["data"] = dict(deltas.executed[-1].result.data)
    return ToolResult(data=told, error=answer["status"] != TurnStatus.DONE)


def _named(candidates: list[Entity], said: JsonValue) -> list[str]:
    """Return the ids of what another agent names, by name, alias or id; empty unless each name is known."""
    names = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    wanted = [str(each).casefold().strip() for each in names]
    found = [
        [each.id for each in candidates if name in {n.casefold() for n in (each.id, each.name, *each.aliases)}]
        for name in wanted
    ]
    return [each for ids in found for each in ids] if found and all(found) else []


def _key(argument: Argument) -> vol.Marker:
    marker = vol.Required if argument.required else vol.Optional
    return marker(argument.name, description=argument.description or None)


def _value(argument: Argument) -> Any:
    schema = argument.schema
    match argument.role:
        case Role.TARGET:
            return vol.Any(str, [str])
        case Role.NUMBER:
            return vol.All(vol.Coerce(float), vol.Range(min=schema.get("minimum"), max=schema.get("maximum")))
        case Role.DURATION:
            return vol.All(vol.Coerce(int), vol.Range(min=schema.get("minimum"), max=schema.get("maximum")))
        case _ if isinstance(options := schema.get("enum"), list | tuple):
            return vol.In(list(options))
        case _:
            return str
