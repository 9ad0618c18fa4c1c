"""The actions `botpsy.run` and `botpsy.confirm`, with a structured response."""

from dataclasses import replace
from typing import Final

import voluptuous as vol
from homeassistant.components.conversation import UserContent, async_get_chat_log
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.util.ulid import ulid_now

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.errors import BotPsyError

from .answering import response_of
from .const import ATTR_AGENT, DOMAIN
from .errors import invalid, translated
from .runtime import BotPsyConfigEntry

ACTION_RUN: Final = "run"
ACTION_CONFIRM: Final = "confirm"

ATTR_TEXT: Final = "text"
ATTR_CONVERSATION: Final = "conversation_id"
ATTR_LANGUAGE: Final = "language"
ATTR_DRY_RUN: Final = "dry_run"
ATTR_TOOLS: Final = "tools"
ATTR_ENTITIES: Final = "entities"
ATTR_DEADLINE: Final = "deadline"
ATTR_PENDING: Final = "pending"
ATTR_ACCEPT: Final = "accept"
ATTR_PIN: Final = "pin"

WHO = {
    vol.Optional(ATTR_AGENT): cv.entity_id,
    vol.Optional(ATTR_CONVERSATION): cv.string,
    vol.Optional(ATTR_LANGUAGE): cv.string,
}

RUN = vol.Schema(
    {
        vol.Required(ATTR_TEXT): cv.string,
        vol.Optional(ATTR_DRY_RUN, default=False): cv.boolean,
        vol.Optional(ATTR_TOOLS): vol.All(cv.ensure_list, [cv.string]),
        vol.Optional(ATTR_ENTITIES): cv.entity_ids,
        vol.Optional(ATTR_DEADLINE): vol.All(vol.Coerce(float), vol.Range(min=1, max=600)),
        **WHO,
    }
)

CONFIRM = vol.Schema(
    {
        vol.Optional(ATTR_PENDING): cv.string,
        vol.Optional(ATTR_ACCEPT): cv.boolean,
        vol.Optional(ATTR_PIN): cv.string,
        **WHO,
    }
)


@callback
def async_register_actions(hass: HomeAssistant) -> None:
    """Register the actions once, whether or not an entry is loaded."""
    for name, handler, form in ((ACTION_RUN, _run, RUN), (ACTION_CONFIRM, _confirm, CONFIRM)):
        hass.services.async_register(DOMAIN, name, handler, form, supports_response=SupportsResponse.OPTIONAL)


async def _run(call: ServiceCall) -> ServiceResponse:
    """Run one utterance that an automation, a script or a program brings."""
    entry, agent_id, subentry_id = _agent(call)
    with (
        async_get_chat_session(call.hass, call.data.get(ATTR_CONVERSATION)) as session,
        async_get_chat_log(call.hass, session) as chat_log,
    ):
        chat_log.async_add_user_content(UserContent(content=call.data[ATTR_TEXT]))
        context = await _frame(call, entry, session.conversation_id, Origin.AUTOMATION)
        context = replace(
            context,
            dry_run=call.data[ATTR_DRY_RUN],
            tools=_only(call, ATTR_TOOLS),
            entities=_only(call, ATTR_ENTITIES),
            deadline_s=call.data.get(ATTR_DEADLINE, context.deadline_s),
        )
        try:
            deltas = await entry.runtime_data.async_talk(
                chat_log, call.data[ATTR_TEXT], context=context, agent_id=agent_id, subentry_id=subentry_id
            )
        except BotPsyError as error:
            raise translated(error) from error
    return response_of(deltas, context) if call.return_response else None


async def _confirm(call: ServiceCall) -> ServiceResponse:
    """Answer an open question; a person by name where there is one, else an automation."""
    if ATTR_PENDING not in call.data and ATTR_CONVERSATION not in call.data:
        raise invalid("nothing_to_confirm")
    entry, agent_id, _ = _agent(call)
    origin = Origin.CHAT if call.context.user_id else Origin.AUTOMATION
    context = await _frame(call, entry, call.data.get(ATTR_CONVERSATION) or ulid_now(), origin)
    try:
        deltas = await entry.runtime_data.async_confirm(
            call.data.get(ATTR_PENDING),
            accept=call.data.get(ATTR_ACCEPT),
            pin=call.data.get(ATTR_PIN),
            context=context,
            agent_id=agent_id,
        )
    except BotPsyError as error:
        raise translated(error) from error
    return response_of(deltas, context) if call.return_response else None


def _agent(call: ServiceCall) -> tuple[BotPsyConfigEntry, str, str]:
    """Return the loaded entry that is meant, the agent that speaks for it, and the agent's subentry."""
    agent_id: str | None = call.data.get(ATTR_AGENT)
    registered = er.async_get(call.hass).async_get(agent_id) if agent_id else None
    if agent_id and (registered is None or registered.platform != DOMAIN):
        raise invalid("unknown_agent", agent=agent_id)
    loaded: list[BotPsyConfigEntry] = call.hass.config_entries.async_loaded_entries(DOMAIN)
    entry = next((e for e in loaded if registered is None or e.entry_id == registered.config_entry_id), None)
    if entry is None:
        raise invalid("not_loaded")
    return entry, agent_id or DOMAIN, (registered.config_subentry_id if registered else None) or ""


async def _frame(call: ServiceCall, entry: BotPsyConfigEntry, conversation_id: str, origin: Origin) -> TurnContext:
    return await entry.runtime_data.askers.frame(
        call.context, origin=origin, conversation_id=conversation_id, language=call.data.get(ATTR_LANGUAGE)
    )


def _only(call: ServiceCall, key: str) -> frozenset[str] | None:
    return frozenset(call.data[key]) if key in call.data else None
