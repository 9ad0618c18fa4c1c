"""Who asks, from where, and what this turn may do."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Origin(StrEnum):
    """The way in."""

    CHAT = "chat"
    VOICE = "voice"
    AUTOMATION = "automation"
    MQTT = "mqtt"
    AGENT = "agent"
    """Another agent that calls our tools; it has no words to ground a call in."""
    DELAYED = "delayed"
    COMMAND_LINE = "command_line"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """The frame of one turn; from the host, never from the model."""

    conversation_id: str
    origin: Origin
    now: datetime
    """Aware, in the home's time zone."""
    language: str = "en"
    user_id: str | None = None
    is_admin: bool = False
    person_id: str | None = None
    """The asker's own `person.*`; None where nobody is known to ask."""
    device_id: str | None = None
    """The satellite or screen."""
    area_id: str | None = None
    """The room of that device."""
    dry_run: bool = False
    """True: decide and report, execute nothing."""
    tools: frozenset[str] | None = None
    """The only tools allowed, or None for all."""
    entities: frozenset[str] | None = None
    """The only entities allowed, or None for all."""
    deadline_s: float = 60.0
    """Seconds that the whole turn may take."""
    hass_context_id: str | None = None
    """An opaque mark that a host's toolbox may need to act in the asker's name."""
