"""What the owner keeps among people: whose events a shared speaker may read out, and who may be written to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.values import JsonValue

from .const import CONF_PRIVATE_CALENDARS, CONF_RECIPIENTS

WHEN = ("start", "end")
"""What may be told of a private event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discretion:
    """The owner's wishes; without any, what is exposed may be read and written to."""

    private: frozenset[str] = frozenset()
    """Calendars of which a shared speaker tells only when somebody is busy."""
    recipients: frozenset[str] = frozenset()
    """The only ones that may be written to; empty: all that are exposed."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return what an entry's options say."""
        return cls(
            private=frozenset(options.get(CONF_PRIVATE_CALENDARS, ())),
            recipients=frozenset(options.get(CONF_RECIPIENTS, ())),
        )

    def may_receive(self, entity_ids: Sequence[str]) -> bool:
        """Return whether all of these may be written to."""
        return not self.recipients or self.recipients.issuperset(entity_ids)

    def hides(self, entity_id: str, context: TurnContext) -> bool:
        """Return whether the texts of this calendar are kept from whoever hears the answer."""
        return context.origin is Origin.VOICE and entity_id in self.private

    def told(self, response: Mapping[str, JsonValue], context: TurnContext) -> dict[str, JsonValue]:
        """Return what an action answered, with private events reduced to when they are."""
        return {key: _when(value) if self.hides(key, context) else value for key, value in response.items()}


def _when(value: JsonValue) -> JsonValue:
    events = value.get("events") if isinstance(value, Mapping) else None
    if not isinstance(events, Sequence) or isinstance(events, str):
        return {}
    kept = [{key: event.get(key) for key in WHEN} for event in events if isinstance(event, Mapping)]
    return {"events": [{**event, "private": True} for event in kept]}
