"""What stands on a to-do list of Home Assistant, ticked off and removed in words."""

from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.component.test_timers import say
from tests.component.world import World


def items(world: World) -> list[tuple[str | None, str]]:
    return [(i.summary, str(i.status)) for i in world.shopping.todo_items or []]


async def test_what_is_there_is_ticked_off_and_what_is_not_is_told(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    await say(hass, "add milk and eggs to the shopping list", None)
    told = await say(hass, "we have milk", None)
    unknown = await say(hass, "we have bread", None)
    await say(hass, "remove eggs from the shopping list", None)

    assert items(world) == [("milk", "completed")]
    assert told == "Ticked off \u201cmilk\u201d on Shopping list."
    assert "no list" in unknown
