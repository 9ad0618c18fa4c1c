"""What already stands on a list, so that nothing is put there twice."""

from homeassistant.components.todo.const import DATA_COMPONENT, TodoItemStatus
from homeassistant.core import HomeAssistant, callback

from botpsy_core.catalog.binding import Action


@callback
def is_listed(hass: HomeAssistant, action: Action) -> bool:
    """Return whether an action would add what is still open on every list that it names."""
    if (action.domain, action.action) != ("todo", "add_item") or not action.entities:
        return False
    wanted = str(action.data.get("item", "")).casefold().strip()
    return all(wanted in _open(hass, each) for each in action.entities)


def _open(hass: HomeAssistant, entity_id: str) -> set[str]:
    component = hass.data.get(DATA_COMPONENT)
    entity = component.get_entity(entity_id) if component else None
    items = (entity.todo_items if entity else None) or ()
    return {(each.summary or "").casefold().strip() for each in items if each.status != TodoItemStatus.COMPLETED}
