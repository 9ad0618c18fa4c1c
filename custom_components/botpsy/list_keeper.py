"""Home Assistant's to-do lists: what is open on them, and how an item is ticked off, removed or put there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import voluptuous as vol
from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components.todo.const import (
    ATTR_ITEM,
    ATTR_STATUS,
    DATA_COMPONENT,
    DOMAIN,
    TodoItemStatus,
    TodoServices,
)
from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import ToolboxFailed

from .askers import Askers
from .hass_home import HassHome


@dataclass(frozen=True, slots=True, kw_only=True)
class HassLists:
    """The exposed to-do lists, changed by Home Assistant's own actions in the asker's name."""

    hass: HomeAssistant
    home: HassHome
    askers: Askers

    def lists(self, context: TurnContext) -> Sequence[str]:
        """Return the exposed lists that this turn may touch."""
        found = [e.id for e in self.home.home(context.language).entities if e.domain == DOMAIN]
        return [i for i in found if context.entities is None or i in context.entities]

    async def items(self, list_id: str, _context: TurnContext) -> Sequence[str]:
        """Return what is open on a list."""
        component = self.hass.data.get(DATA_COMPONENT)
        entity = component.get_entity(list_id) if component and self.home.entity(list_id) else None
        items = (entity.todo_items if entity else None) or ()
        return [item.summary for item in items if item.summary and item.status != TodoItemStatus.COMPLETED]

    async def ready(self, list_ids: Sequence[str], context: TurnContext) -> Readiness:
        """Return whether the lists are exposed, there, and this user's to change."""
        user = await self.askers.user_of(context)
        allowed = context.user_id is None or (
            user is not None
            and user.is_active
            and all(user.permissions.check_entity(i, POLICY_CONTROL) for i in list_ids)
        )
        gone = [i for i in list_ids if self.hass.states.is_state(i, STATE_UNAVAILABLE)]
        return Readiness(
            exposed=all(self.home.entity(i) for i in list_ids),
            allowed=allowed,
            available=not gone,
            problem=", ".join(state.name if (state := self.hass.states.get(i)) else i for i in gone),
        )

    async def add(self, list_id: str, written: str, context: TurnContext) -> None:
        """Put an item on a list."""
        await self._do(TodoServices.ADD_ITEM, list_id, context, {ATTR_ITEM: written})

    async def complete(self, list_id: str, written: str, context: TurnContext) -> None:
        """Tick an item off."""
        data = {ATTR_ITEM: written, ATTR_STATUS: TodoItemStatus.COMPLETED.value}
        await self._do(TodoServices.UPDATE_ITEM, list_id, context, data)

    async def remove(self, list_id: str, written: str, context: TurnContext) -> None:
        """Take an item off a list."""
        await self._do(TodoServices.REMOVE_ITEM, list_id, context, {ATTR_ITEM: [written]})

    async def _do(self, action: TodoServices, list_id: str, context: TurnContext, data: Mapping[str, object]) -> None:
        try:
            await self.hass.services.async_call(
                DOMAIN,
                action.value,
                {**data, ATTR_ENTITY_ID: [list_id]},
                blocking=True,
                context=self.askers.context_of(context),
            )
        except (HomeAssistantError, vol.Invalid) as error:
            raise ToolboxFailed(str(error)) from error
