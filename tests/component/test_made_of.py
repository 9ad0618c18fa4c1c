"""What a group, a scene or a script moves is guarded as if it were acted on itself."""

from pathlib import Path
from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.botpsy.hass_home import HassHome
from custom_components.botpsy.pins import hashed
from tests.component.loading import load
from tests.component.test_attacks import Plug
from tests.component.world import Garage, Light, Lock

PIN = "4711"
UNLOCK = {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
CONFIG: dict[str, Any] = {
    "switch": [{"platform": "group", "name": "Kitchen plugs", "entities": ["switch.oven", "switch.toaster"]}],
    "cover": [
        {"platform": "group", "name": "Shades", "entities": ["cover.garage_door"]},
        {"platform": "group", "name": "Nested shades", "entities": ["cover.shades"]},
    ],
    "scene": [
        {"name": "Leaving", "entities": {"lock.front_door": "locked", "light.hall_light": "off"}},
        {"name": "Arriving", "entities": {"lock.front_door": "unlocked", "light.hall_light": "on"}},
    ],
    "script": {
        "goodbye": {"sequence": [{"action": "lock.lock", "target": {"entity_id": "lock.front_door"}}]},
        "welcome": {"sequence": [{"if": "{{ true }}", "then": [UNLOCK]}]},
        "party": {"sequence": [{"action": "script.welcome"}]},
        "wholesale": {"sequence": [{"action": "homeassistant.turn_off", "target": {"area_id": "hall"}}]},
        "computed": {
            "sequence": [{"action": "switch.turn_on", "target": {"entity_id": "{{ states('input_text.x') }}"}}]
        },
        "templated": {"sequence": [{"action": "{{ 'lock' }}.unlock"}]},
        "outside": {"sequence": [{"action": "shell_command.open_gate"}]},
        "fired": {"sequence": [{"event": "gate_wanted"}]},
        "harmless": {"sequence": [{"action": "light.turn_on", "target": {"area_id": "hall"}}]},
        "wide": {"sequence": [{"action": "lock.unlock", "target": {"area_id": "hall"}}]},
    },
}
ANSWERED = {
    "turn on kitchen plugs": "asked",
    "turn off kitchen plugs": "done",
    "open the shades": "asked",
    "open the nested shades": "asked",
}
OPENING = {
    "open the shades": "needs_pin",
    "open the nested shades": "needs_pin",
    "activate arriving": "needs_pin",
    "activate leaving": "needs_confirmation",
    "run welcome": "needs_pin",
    "run party": "needs_pin",
    "run wide": "needs_pin",
    "run goodbye": "needs_confirmation",
    "run wholesale": "needs_pin",
    "run computed": "needs_pin",
    "run templated": "needs_pin",
    "run outside": "needs_pin",
    "run fired": "needs_pin",
    "run harmless": "needs_confirmation",
}


@pytest.fixture
async def composed(hass: HomeAssistant, model_file: Path) -> None:
    things: dict[str, list[Any]] = {
        "light": [Light("Hall light", "hall")],
        "lock": [Lock("Front door", "front")],
        "cover": [Garage("Garage door", "garage")],
        "switch": [Plug("Oven", "oven", on=True), Plug("Toaster", "toaster", on=True)],
    }
    for domain in (*things, "scene", "script"):
        assert await async_setup_component(hass, domain, {domain: CONFIG.get(domain, [])})
    for domain, entities in things.items():
        await hass.data[domain].async_add_entities(entities)
    await hass.async_block_till_done()
    made = [s.entity_id for s in hass.states.async_all(("switch", "cover", "scene", "script"))]
    for entity_id in made:
        plain = entity_id in {"switch.oven", "switch.toaster", "cover.garage_door"}
        async_expose_entity(hass, "conversation", entity_id, should_expose=not plain)
    options = {"pin_hash": await hass.async_add_executor_job(hashed, PIN)}
    await load(hass, model_file, options=options)


async def say(hass: HomeAssistant, text: str, user: MockUser) -> dict[str, Any]:
    answer = await hass.services.async_call(
        "botpsy",
        "run",
        {"text": text},
        blocking=True,
        return_response=True,
        context=Context(user_id=user.id),
    )
    assert answer is not None
    return dict(answer)


@pytest.mark.usefixtures("composed")
async def test_a_part_is_known_though_it_is_not_exposed(hass: HomeAssistant) -> None:
    plugs = HassHome(hass).entity("switch.kitchen_plugs")

    assert plugs is not None
    assert {p.entity.name for p in plugs.parts} == {"Oven", "Toaster"}
    assert HassHome(hass).entity("switch.oven") is None


@pytest.mark.usefixtures("composed")
@pytest.mark.parametrize(("text", "status"), ANSWERED.items())
async def test_a_group_is_as_bad_as_its_worst_member(
    hass: HomeAssistant, hass_admin_user: MockUser, text: str, status: str
) -> None:
    answer = await say(hass, text, hass_admin_user)

    assert answer["status"] == status


@pytest.mark.usefixtures("composed")
@pytest.mark.parametrize(("text", "reason"), OPENING.items())
async def test_a_yes_does_not_open_the_home_by_way_of_something_else(
    hass: HomeAssistant, hass_admin_user: MockUser, text: str, reason: str
) -> None:
    answer = await say(hass, text, hass_admin_user)
    await say(hass, "yes", hass_admin_user)
    await hass.async_block_till_done()

    assert answer["reason"] == reason
    states = [hass.states.get(each) for each in ("lock.front_door", "cover.garage_door")]
    assert {state.state for state in states if state}.isdisjoint({"unlocked", "open", "opening"})
