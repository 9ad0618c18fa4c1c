"""Names that more than one module of the integration needs."""

import logging
from enum import StrEnum
from typing import Final

DOMAIN: Final = "botpsy"
LOGGER: Final = logging.getLogger(__package__)

ASSISTANT: Final = "conversation"
"""The assistant whose exposure settings decide what may be spoken of."""

ENTRY_VERSION: Final = 1
"""Of what a config entry stores; raised when an older BotPsy could not read it any more."""

EVENT_TURN: Final = "botpsy_turn"
"""Fired at the end of every turn; its data is described in docs/user/automations.md."""

ATTR_AGENT: Final = "agent_id"
ATTR_REASON: Final = "reason"
ATTR_STATUS: Final = "status"
ATTR_WITHIN: Final = "within"

CONF_SOURCE: Final = "source"
CONF_PATH: Final = "path"
CONF_MODEL: Final = "model"
CONF_URL: Final = "url"
CONF_FALLBACK: Final = "fallback"
CONF_API_KEY: Final = "api_key"
CONF_TOKEN: Final = "token"  # noqa: S105 - the name of a field
CONF_DIGEST: Final = "digest"
CONF_SIZE: Final = "size"

CONF_PIN: Final = "pin"
CONF_PIN_HASH: Final = "pin_hash"
CONF_REMOVE_PIN: Final = "remove_pin"
CONF_MQTT_REQUESTS: Final = "mqtt_requests"
CONF_REQUEST_USERS: Final = "request_users"

CONF_PRIVATE_CALENDARS: Final = "private_calendars"
CONF_RECIPIENTS: Final = "recipients"

CONF_PROFILE: Final = "profile"
CONF_ANNOUNCED: Final = "announced"
CONF_SLUG: Final = "slug"
CONF_VARIABLES: Final = "variables"
CONF_SECRETS: Final = "secrets"
CONF_COMMANDS: Final = "commands"
CONF_ALIASES: Final = "aliases"
CONF_AREA: Final = "area"

CONF_IDLE_UNLOAD: Final = "idle_unload"
CONF_MEMORY_LIMIT: Final = "memory_limit"

CONF_MAX_HISTORY: Final = "max_history"
CONF_POLICY: Final = "policy"
CONF_THINKING: Final = "thinking"
CONF_USERS: Final = "users"

DEFAULT_NAME: Final = "BotPsy"
DEFAULT_TASK_NAME: Final = "BotPsy AI task"
MANUFACTURER: Final = "BotPsy"
DEFAULT_MAX_HISTORY: Final = 20
"""Messages of a conversation that a turn reads."""

SUBENTRY_CONVERSATION: Final = "conversation"
SUBENTRY_DEVICE: Final = "device"
SUBENTRY_TASK: Final = "ai_task_data"


class ModelSource(StrEnum):
    """Where the model of an entry comes from."""

    FILE = "file"
    CATALOGUE = "catalogue"
    SERVER = "server"


class Preset(StrEnum):
    """How careful an entry is; none of them loosens what the default holds."""

    STANDARD = "standard"
    CAREFUL = "careful"
    STRICT = "strict"
