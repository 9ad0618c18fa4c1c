"""A home of a thousand things is read as quickly as a small one."""

import time

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er

from custom_components.botpsy.hass_home import HassHome

THINGS = 1000


def furnish(hass: HomeAssistant) -> None:
    """Fill a home with lights in fifty rooms."""
    areas = [ar.async_get(hass).async_create(f"Room {number}") for number in range(50)]
    registry = er.async_get(hass)
    for number in range(THINGS):
        entry = registry.async_get_or_create("light", "test", str(number), original_name=f"Lamp {number}")
        registry.async_update_entity(entry.entity_id, area_id=areas[number % 50].id)
        hass.states.async_set(entry.entity_id, "off", {"friendly_name": f"Lamp {number}"})
        async_expose_entity(hass, "conversation", entry.entity_id, should_expose=True)


def seconds(home: HassHome) -> float:
    began = time.perf_counter()
    assert len(home.home("en").entities) == THINGS
    return time.perf_counter() - began


async def test_only_what_changed_is_read_again(hass: HomeAssistant) -> None:
    furnish(hass)
    await hass.async_block_till_done()
    home = HassHome(hass)
    stop = home.async_listen()

    first = seconds(home)
    hass.states.async_set("light.test_7", "on")
    again = min(seconds(home) for _ in range(5))
    stop()

    assert again < 0.02
    assert again < first
