"""A message to a person goes to the devices that are theirs and that may be written to."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall
from custom_components.botpsy.askers import Askers, person_of
from custom_components.botpsy.discretion import Discretion
from custom_components.botpsy.hass_home import HassHome
from custom_components.botpsy.hass_toolbox import HassToolbox
from tests.component.world import World

CONTEXT = TurnContext(conversation_id="c", origin=Origin.CHAT, now=dt_util.utc_from_timestamp(0))
CALL = ToolCall(id="1", name="send_message", args={"recipient": ["person.anna"], "message": "dinner is ready"})
TABLET = "notify.tablet"


@pytest.fixture
async def phone(hass: HomeAssistant, world: World, hass_admin_user: MockUser) -> str:
    """Give Anna a phone that is there, and a tablet that is not."""
    owner = MockConfigEntry(domain="test")
    owner.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(config_entry_id=owner.entry_id, identifiers={("test", "phone")})
    entities = er.async_get(hass)
    entities.async_get_or_create(
        "device_tracker", "test", "anna", device_id=device.id, suggested_object_id="annas_phone", config_entry=owner
    )
    entities.async_get_or_create(
        "notify", "test", "tablet", device_id=device.id, suggested_object_id="tablet", config_entry=owner
    )
    entities.async_update_entity(world.phone.entity_id, device_id=device.id)
    hass.states.async_set(TABLET, "unavailable", {"friendly_name": "Tablet"})
    trackers = {"device_trackers": ["device_tracker.annas_phone"], "friendly_name": "Anna"}
    hass.states.async_set("person.anna", "home", {**trackers, "user_id": hass_admin_user.id})
    for each in ("person.anna", TABLET):
        async_expose_entity(hass, "conversation", each, should_expose=True)
    await hass.async_block_till_done()
    return world.phone.entity_id


def box(hass: HomeAssistant, discretion: Discretion | None = None) -> HassToolbox:
    return HassToolbox(hass, HassHome(hass), load_tools(), Askers(hass), discretion)


async def test_it_goes_to_what_is_there_and_the_others_are_told(hass: HomeAssistant, world: World, phone: str) -> None:
    readiness = await box(hass).check(CALL, CONTEXT)
    result = await box(hass).execute(CALL, CONTEXT)

    assert (readiness.available, readiness.exposed) == (True, True)
    assert world.phone.messages == ["dinner is ready"]
    assert (result.outcome, result.data["unreached"]) == (Outcome.DONE, [TABLET])


async def test_nothing_is_sent_where_no_device_may_be_written_to(hass: HomeAssistant, world: World, phone: str) -> None:
    bound = box(hass, Discretion(recipients=frozenset({"notify.somebody"})))
    readiness = await bound.check(CALL, CONTEXT)
    result = await bound.execute(CALL, CONTEXT)

    assert (readiness.available, result.outcome) == (False, Outcome.NOT_SENT)
    assert "Anna" in readiness.problem
    assert world.phone.messages == []


async def test_nothing_is_sent_where_all_devices_are_gone(hass: HomeAssistant, world: World, phone: str) -> None:
    hass.states.async_set(phone, "unavailable")
    readiness = await box(hass).check(CALL, CONTEXT)

    assert not readiness.available
    assert "Tablet" in readiness.problem


async def test_a_person_who_is_not_exposed_is_nobody(hass: HomeAssistant, world: World, phone: str) -> None:
    async_expose_entity(hass, "conversation", "person.anna", should_expose=False)

    assert not (await box(hass).check(CALL, CONTEXT)).exposed


async def test_a_user_is_their_person(hass: HomeAssistant, phone: str, hass_admin_user: MockUser) -> None:
    assert person_of(hass, hass_admin_user.id) == "person.anna"
    assert person_of(hass, "another") is None
    assert person_of(hass, None) is None
