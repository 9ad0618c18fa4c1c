"""The actions of the integration as they are called; actions.py does them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import voluptuous as vol
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_register_admin_service

from .beginning import async_begun
from .const import ATTR_AGENT, DOMAIN
from .entry import async_ready
from .errors import invalid

ACTION_RUN: Final = "run"
ACTION_CONFIRM: Final = "confirm"
ACTION_CANCEL: Final = "cancel"
ACTION_PLANNED: Final = "planned"
ACTION_FORGET: Final = "forget"
ACTION_UNDO: Final = "undo"
ACTION_EVALUATE: Final = "evaluate"
ACTION_SELF_TEST: Final = "self_test"

ATTR_TEXT: Final = "text"
ATTR_CONVERSATION: Final = "conversation_id"
ATTR_LANGUAGE: Final = "language"
ATTR_DRY_RUN: Final = "dry_run"
ATTR_TOOLS: Final = "tools"
ATTR_ENTITIES: Final = "entities"
ATTR_AREAS: Final = "areas"
ATTR_PERSON: Final = "person"
ATTR_DEADLINE: Final = "deadline"
ATTR_PENDING: Final = "pending"
ATTR_ACCEPT: Final = "accept"
ATTR_PIN: Final = "pin"
ATTR_IDS: Final = "ids"
ATTR_QUESTION: Final = "question"
ATTR_OPTIONS: Final = "options"

YES_OR_NO: Final = ("yes", "no")

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
        vol.Optional(ATTR_AREAS): vol.All(cv.ensure_list, [cv.string]),
        vol.Optional(ATTR_PERSON): cv.entity_domain("person"),
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

CANCEL = vol.Schema({vol.Optional(ATTR_PENDING): cv.string, **WHO})

PLANNED = vol.Schema({vol.Optional(ATTR_AGENT): cv.entity_id})

FORGET = vol.Schema(
    {vol.Required(ATTR_IDS): vol.All(cv.ensure_list, [cv.string]), vol.Optional(ATTR_AGENT): cv.entity_id}
)

UNDO = vol.Schema({**WHO, vol.Required(ATTR_CONVERSATION): cv.string})

EVALUATE = vol.Schema(
    {
        vol.Required(ATTR_QUESTION): cv.string,
        vol.Optional(ATTR_OPTIONS, default=list(YES_OR_NO)): vol.All(
            cv.ensure_list, [cv.string], vol.Length(min=2, max=20)
        ),
        vol.Optional(ATTR_AGENT): cv.entity_id,
    }
)

SELF_TEST = vol.Schema({vol.Optional(ATTR_AGENT): cv.entity_id, vol.Optional(ATTR_LANGUAGE): cv.string})


type Handler = Callable[[ServiceCall], Awaitable[ServiceResponse]]


@callback
def async_register_actions(hass: HomeAssistant) -> None:
    """Register the actions once, whether or not an entry is loaded."""
    for name, schema, answers in (
        (ACTION_RUN, RUN, SupportsResponse.OPTIONAL),
        (ACTION_CONFIRM, CONFIRM, SupportsResponse.OPTIONAL),
        (ACTION_CANCEL, CANCEL, SupportsResponse.OPTIONAL),
        (ACTION_UNDO, UNDO, SupportsResponse.OPTIONAL),
        (ACTION_EVALUATE, EVALUATE, SupportsResponse.ONLY),
        (ACTION_PLANNED, PLANNED, SupportsResponse.ONLY),
        (ACTION_FORGET, FORGET, SupportsResponse.OPTIONAL),
    ):
        hass.services.async_register(DOMAIN, name, _do, schema, supports_response=answers)
    async_register_admin_service(
        hass, DOMAIN, ACTION_SELF_TEST, _do, SELF_TEST, supports_response=SupportsResponse.ONLY
    )


async def _do(call: ServiceCall) -> ServiceResponse:
    """Do what an action says, once an entry is at work; one that is just beginning is waited for."""
    await async_begun(call.hass)
    if not async_ready(call.hass):
        raise invalid("not_loaded")
    handlers = await call.hass.async_add_import_executor_job(_handlers)
    return await handlers[call.service](call)


def _handlers() -> Mapping[str, Handler]:
    """Load what the actions do; blocks."""
    from .actions import HANDLERS

    return HANDLERS
