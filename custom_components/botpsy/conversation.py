"""The conversation agent: hands the words over, records what happened, speaks what came of it."""

from typing import Literal, override

from homeassistant.components.conversation import (
    ChatLog,
    ConversationEntity,
    ConversationEntityFeature,
    ConversationInput,
    ConversationResult,
    async_get_result_from_chat_log,
)
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from botpsy_core.domain.context import Origin
from botpsy_core.domain.events import Ended, TurnStatus
from botpsy_core.errors import BotPsyError

from .const import DOMAIN, SUBENTRY_CONVERSATION
from .entity import BotPsyAgentEntity
from .entry import BotPsyConfigEntry
from .errors import translated

PARALLEL_UPDATES = 0

ERRORS = {
    TurnStatus.REFUSED: intent.IntentResponseErrorCode.NO_VALID_TARGETS,
    TurnStatus.FAILED: intent.IntentResponseErrorCode.FAILED_TO_HANDLE,
}
"""The endings that Home Assistant calls an error, so that an automation can tell them from a success."""


async def async_setup_entry(
    hass: HomeAssistant, entry: BotPsyConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add one entity for each agent."""
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_CONVERSATION:
            async_add_entities([BotPsyConversation(entry, subentry)], config_subentry_id=subentry.subentry_id)


class BotPsyConversation(BotPsyAgentEntity, ConversationEntity):
    """One agent that can be talked to."""

    _attr_name = None
    _attr_translation_key = "agent"
    _attr_supports_streaming = True
    _attr_supported_features = ConversationEntityFeature.CONTROL

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return that no language is turned away; what is not understood is refused in words."""
        return MATCH_ALL

    @override
    async def _async_handle_message(self, user_input: ConversationInput, chat_log: ChatLog) -> ConversationResult:
        """Run one turn of the core; its calls enter the chat log after they happened."""
        runtime = self.entry.runtime_data
        if not runtime.is_open_to(self.subentry.subentry_id, user_input.context.user_id):
            raise HomeAssistantError(translation_domain=DOMAIN, translation_key="not_your_agent")
        context = await runtime.askers.frame(
            user_input.context,
            origin=Origin.VOICE if user_input.satellite_id or user_input.device_id else Origin.CHAT,
            conversation_id=chat_log.conversation_id,
            language=user_input.language,
            device_id=user_input.device_id,
        )
        try:
            deltas = await runtime.async_talk(
                chat_log,
                user_input.text,
                context=context,
                agent_id=self.entity_id,
                subentry_id=self.subentry.subentry_id,
            )
        except BotPsyError as error:
            raise translated(error) from error
        result = async_get_result_from_chat_log(user_input, chat_log)
        if deltas.ended:
            _tell(result, deltas.ended)
        return result


def _tell(result: ConversationResult, ended: Ended) -> None:
    """Say in Home Assistant's own words how the turn ended."""
    result.continue_conversation = ended.continue_conversation
    if code := ERRORS.get(ended.status):
        result.response.async_set_error(code, ended.reply)
