"""An AI task entity: text, or data that its structure allows; it acts on nothing."""

from typing import Any, override

import probatio
import voluptuous as vol
from homeassistant.components.ai_task import AITaskEntity, AITaskEntityFeature, GenDataTask, GenDataTaskResult
from homeassistant.components.conversation import AssistantContent, ChatLog
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.llm import selector_serializer

from botpsy_core.agent.tasks import Tasks
from botpsy_core.domain.values import JsonObject
from botpsy_core.errors import BotPsyError

from .const import DOMAIN, SUBENTRY_TASK
from .entity import BotPsyAgentEntity
from .entry import BotPsyConfigEntry
from .errors import translated

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: BotPsyConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add one entity for each task agent."""
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_TASK:
            async_add_entities([BotPsyTask(entry, subentry)], config_subentry_id=subentry.subentry_id)


class BotPsyTask(BotPsyAgentEntity, AITaskEntity):
    """Generates data; attachments are turned away by Home Assistant, as no feature says otherwise."""

    _attr_name = None
    _attr_translation_key = "task"
    _attr_supported_features = AITaskEntityFeature.GENERATE_DATA

    def __init__(self, entry: BotPsyConfigEntry, subentry: ConfigSubentry) -> None:
        """Take the agent's instructions."""
        super().__init__(entry, subentry)
        self._tasks = Tasks(entry.runtime_data.engine, instructions=subentry.data.get(CONF_PROMPT, ""))

    @override
    async def _async_generate_data(self, task: GenDataTask, chat_log: ChatLog) -> GenDataTaskResult:
        """Write a text, or data in the form that is asked for."""
        try:
            if task.structure is None:
                data: Any = await self._tasks.write(task.instructions)
            else:
                data = await self._tasks.fill(task.instructions, json_schema(task.structure))
        except BotPsyError as error:
            raise translated(error) from error
        chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id=self.entity_id, content=data if isinstance(data, str) else str(data))
        )
        if task.structure is not None:
            try:
                data = task.structure(data)
            except vol.Invalid as error:
                raise HomeAssistantError(
                    translation_domain=DOMAIN,
                    translation_key="structure_not_met",
                    translation_placeholders={"error": str(error)},
                ) from error
        return GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)


def json_schema(structure: probatio.Schema) -> JsonObject:
    """Return a structure as the JSON Schema that binds the model; every field is written."""
    schema: dict[str, Any] = probatio.to_openapi(
        structure, custom_serializer=selector_serializer, openapi_version="3.1.0"
    )
    if schema.get("type") == "object" and "properties" in schema:
        schema["required"] = list(schema["properties"])
    return schema
