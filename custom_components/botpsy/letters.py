"""A message in the form that each recipient can take: with a title, urgent, or as plain text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.components.notify.const import DOMAIN as NOTIFY
from homeassistant.components.notify.const import SERVICE_SEND_MESSAGE, NotifyEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES, CONF_WEBHOOK_ID
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from botpsy_core.catalog.binding import Action
from botpsy_core.domain.values import JsonObject, JsonValue

MOBILE_APP: Final = "mobile_app"
"""The one integration whose own action takes more than a text and a title."""
MESSAGE: Final = "message"
TITLE: Final = "title"
PRIORITY: Final = "priority"
URGENT: Final = "urgent"
LOUD: Final[JsonObject] = {"ttl": 0, "priority": "high", "push": {"interruption-level": "critical"}}
"""What wakes a phone: the first two on Android, the last on Apple's, where its owner has allowed it."""


def is_letter(action: Action) -> bool:
    """Return whether an action sends a message to notify entities."""
    return (action.domain, action.action) == (NOTIFY, SERVICE_SEND_MESSAGE)


def for_each(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions with a letter for each recipient, so that one that fails keeps none from the others."""
    return tuple(
        replace(action, entities=(each,)) if is_letter(action) else action
        for action in actions
        for each in (action.entities if is_letter(action) else ("",))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """Home Assistant's ways to send a message."""

    hass: HomeAssistant

    async def send(self, action: Action, asker: Context) -> None:
        """Send a letter to its one recipient; raise HomeAssistantError where it cannot be sent."""
        (recipient,) = action.entities
        text: dict[str, JsonValue] = {key: action.data[key] for key in (MESSAGE, TITLE) if key in action.data}
        service = self._app_action(recipient) if self.is_urgent(action) else None
        if service is not None:
            await self._call(service, {**text, "data": LOUD}, asker)
            return
        if TITLE in text and not self._takes_title(recipient):  # the action would drop it without a word
            text = {MESSAGE: f"{text[TITLE]}: {text[MESSAGE]}"}
        await self._call(SERVICE_SEND_MESSAGE, {**text, "entity_id": recipient}, asker)

    async def _call(self, service: str, data: Mapping[str, JsonValue], asker: Context) -> None:
        await self.hass.services.async_call(NOTIFY, service, dict(data), blocking=True, context=asker)

    @callback
    def how(self, actions: Sequence[Action]) -> dict[str, JsonValue]:
        """Return who was sent it as urgent, and who could only be sent it as any other; empty where nothing was."""
        urgent = [each for action in actions if self.is_urgent(action) for each in action.entities]
        loud = [each for each in urgent if self._app_action(each)]
        told: dict[str, JsonValue] = {"urgent": loud, "not_urgent": [each for each in urgent if each not in loud]}
        return {key: ids for key, ids in told.items() if ids}

    @staticmethod
    def is_urgent(action: Action) -> bool:
        """Return whether an action sends something that cannot wait."""
        return is_letter(action) and action.data.get(PRIORITY) == URGENT

    def _takes_title(self, entity_id: str) -> bool:
        state = self.hass.states.get(entity_id)
        features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) if state else 0
        return bool(features & NotifyEntityFeature.TITLE)

    def _app_action(self, entity_id: str) -> str | None:
        """Return the action of the app behind an entity, or None where there is no app or another has its name."""
        entity = er.async_get(self.hass).async_get(entity_id)
        if entity is None or entity.platform != MOBILE_APP or entity.config_entry_id is None:
            return None
        entry = self.hass.config_entries.async_get_entry(entity.config_entry_id)
        app = self.hass.data.get(MOBILE_APP, {}).get(NOTIFY)
        if entry is None or app is None:
            return None
        targets: Mapping[str, str] = app.registered_targets
        return next((name for name, webhook in targets.items() if webhook == entry.data.get(CONF_WEBHOOK_ID)), None)
