"""Tools of other integrations' LLM APIs as a toolbox of ours, behind our gate."""

from collections.abc import Sequence
from typing import Any, Final

import probatio
import voluptuous as vol
from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from botpsy_core.catalog import foreign_args, foreign_tool
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import ConfigurationInvalid

from .askers import Askers
from .const import DOMAIN, LOGGER
from .hass_home import HassHome

OWN: Final = frozenset(
    {
        DOMAIN,
        "assist_satellite",
        "calendar",
        "climate",
        "fan",
        "homeassistant",
        "humidifier",
        "intent",
        "lawn_mower",
        "light",
        "llm",
        "media_player",
        "todo",
        "vacuum",
    }
)
"""Integrations whose LLM tools do what our own tools do; a second way would only make the choice harder."""


class ForeignToolbox:
    """The tools of some LLM APIs; which ones there are is looked up once the home is there."""

    def __init__(self, hass: HomeAssistant, home: HassHome, askers: Askers, apis: Sequence[str]) -> None:
        """Take the ids of the APIs."""
        self._hass = hass
        self._home = home
        self._askers = askers
        self._apis = list(apis)
        self._specs: dict[str, ToolSpec] = {}

    async def async_load(self) -> None:
        """Read the tools that the APIs offer; one that cannot be read is left out and told of once."""
        try:
            api = await self._api(Context(), self._hass.config.language, None)
        except HomeAssistantError as error:
            LOGGER.warning("the tools of %s cannot be used: %s", ", ".join(self._apis), error)
            return
        for tool in api.tools:
            if tool.integration in OWN:
                continue
            try:
                self._specs[tool.name] = _spec_of(tool, api)
            except (ConfigurationInvalid, ValueError, TypeError) as error:
                LOGGER.warning("the tool %s cannot be used: %s", tool.name, error)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name."""
        return tuple(self._specs[name] for name in sorted(self._specs))

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return what can be told beforehand: whether the things that are meant are exposed."""
        return Readiness(exposed=all(self._home.entity(each) for each in self._specs[call.name].targets_of(call)))

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Call the tool in the asking user's name, once for each thing that is meant."""
        spec = self._specs[call.name]
        results: list[Any] = []
        try:
            api = await self._api(self._askers.context_of(context), context.language, context.device_id)
            for args in foreign_args(spec, call.args, self._home.home(context.language)):
                result = await api.async_call_tool(llm.ToolInput(tool_name=spec.name, tool_args=dict(args)))
                results.append(result.data)
                if result.error:
                    return _failed(call, str(result.data.get("error", "")))
        except (HomeAssistantError, vol.Invalid) as error:
            return _failed(call, str(error))
        return ToolResult(call_id=call.id, outcome=Outcome.DONE, data={"results": results}, untrusted=True)

    async def _api(self, context: Context, language: str, device_id: str | None) -> llm.APIInstance:
        asked = llm.LLMContext(
            platform=DOMAIN, context=context, language=language, assistant=CONVERSATION_DOMAIN, device_id=device_id
        )
        return await llm.async_get_api(self._hass, self._apis, asked)


def _spec_of(tool: llm.Tool, api: llm.APIInstance) -> ToolSpec:
    parameters: Any = probatio.to_openapi(
        tool.parameters, custom_serializer=api.custom_serializer, openapi_version="3.1.0"
    )
    definition: JsonObject = {
        "name": tool.name,
        "description": tool.description or tool.title or "",
        "parameters": parameters,
    }
    hints = tool.annotations
    return foreign_tool(definition, read_only=hints.read_only, destructive=hints.destructive)


def _failed(call: ToolCall, detail: str) -> ToolResult:
    return ToolResult(call_id=call.id, outcome=Outcome.FAILED, detail=detail, untrusted=True)
