"""What the core is told of the home."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from botpsy_core.domain.home import Entity
from custom_components.botpsy.hass_home import HassHome
from tests.component.world import World


def test_shows_names_rooms_states_and_kinds(hass: HomeAssistant, world: World) -> None:
    home = HassHome(hass).home("en")

    light = home.entity("light.kitchen_light")
    assert light is not None
    assert (light.name, light.area_id, light.state) == ("Kitchen light", world.rooms["Kitchen"], "off")
    area = home.area(light.area_id)
    assert area is not None
    assert area.name == "Kitchen"
    assert home.floor(area.floor_id) is not None
    garage = home.entity("cover.garage_door")
    assert garage is not None
    assert garage.kind == "cover.garage"


def test_hides_what_is_not_exposed(hass: HomeAssistant, world: World) -> None:
    home = HassHome(hass)

    assert home.home("en").entity("light.hidden_lamp") is None
    assert home.entity("light.hidden_lamp") is None


def test_rounds_a_sensor_as_home_assistant_shows_it(hass: HomeAssistant, world: World) -> None:
    sensor = HassHome(hass).entity("sensor.kitchen_temperature")

    assert sensor is not None
    assert (sensor.state, sensor.unit) == ("21.5", "°C")


@pytest.mark.parametrize(
    ("state", "told"), [("2026-05-04T16:30:00+00:00", "2026-05-04T18:30:00+02:00"), ("soon", "soon")]
)
async def test_a_sensors_moment_is_told_in_local_time(hass: HomeAssistant, world: World, state: str, told: str) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    hass.states.async_set("sensor.kitchen_temperature", state, {"device_class": "timestamp"})

    sensor = HassHome(hass).entity("sensor.kitchen_temperature")

    assert sensor is not None
    assert sensor.state == told


def test_volume_is_told_in_percent(hass: HomeAssistant, world: World) -> None:
    hass.states.async_set("light.kitchen_light", "on", {"volume_level": 0.35, "brightness": 0})

    thing = HassHome(hass).entity("light.kitchen_light")

    assert thing is not None
    assert (thing.attributes["volume_pct"], thing.attributes["brightness_pct"]) == (35, 0)


async def test_brightness_is_told_in_percent(hass: HomeAssistant, world: World) -> None:
    await world.kitchen_light.async_turn_on(brightness=128)

    light = HassHome(hass).entity("light.kitchen_light")

    assert light is not None
    assert light.attributes["brightness_pct"] == 50


def test_an_unknown_or_unavailable_state_is_none(hass: HomeAssistant, world: World) -> None:
    hass.states.async_set("light.kitchen_light", "unavailable")
    hass.states.async_set("light.bedroom_light", "unknown")
    home = HassHome(hass)

    lights = [home.entity(each) for each in ("light.kitchen_light", "light.bedroom_light")]

    assert [light.state for light in lights if light] == [None, None]


async def test_a_new_alias_room_or_exposure_is_seen_at_once(hass: HomeAssistant, world: World) -> None:
    home = HassHome(hass)
    stop = home.async_listen()
    home.home("en")
    registry = er.async_get(hass)

    registry.async_update_entity("light.kitchen_light", aliases=[er.COMPUTED_NAME, "cooker lamp"])
    attic = ar.async_get(hass).async_create("Attic")
    registry.async_update_entity("light.bedroom_light", area_id=attic.id)
    async_expose_entity(hass, "conversation", "light.hidden_lamp", should_expose=True)
    async_expose_entity(hass, "conversation", "lock.front_door", should_expose=False)
    hass.states.async_set("light.new_lamp", "on", {"friendly_name": "New lamp"})
    hass.states.async_remove("switch.old_plug")
    await hass.async_block_till_done()

    now = home.home("en")
    kitchen, bedroom = now.entity("light.kitchen_light"), now.entity("light.bedroom_light")
    assert kitchen is not None
    assert kitchen.aliases == ("cooker lamp",)
    assert bedroom is not None
    assert bedroom.area_id == attic.id
    assert {"light.hidden_lamp", "light.new_lamp"} <= {each.id for each in now.entities}
    assert {"lock.front_door", "switch.old_plug"}.isdisjoint(each.id for each in now.entities)
    stop()


async def test_reads_the_registries_once_while_nothing_of_them_changes(hass: HomeAssistant, world: World) -> None:
    home = HassHome(hass)
    stop = home.async_listen()
    before = home.home("en").entity("lock.front_door")

    await world.kitchen_light.async_turn_on()
    await hass.async_block_till_done()
    after = home.home("en")

    assert after.entity("lock.front_door") is before
    light = after.entity("light.kitchen_light")
    assert light is not None
    assert light.state == "on"
    stop()


def test_merges_what_is_not_home_assistants(hass: HomeAssistant, world: World) -> None:
    car = Entity(id="vehicle.car", name="Car")
    home = HassHome(hass, others=lambda: (car,))

    assert home.entity("vehicle.car") is car
    assert car in home.home("en").entities


async def test_what_holds_the_agents_back_is_none_of_their_things(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    async_expose_entity(hass, "conversation", "switch.tiny_act", should_expose=True)
    async_expose_entity(hass, "conversation", "select.tiny_policy", should_expose=True)
    hass.states.async_set("group.safety", "on", {"entity_id": ["light.kitchen_light", "switch.tiny_act"]})
    async_expose_entity(hass, "conversation", "group.safety", should_expose=True)

    ids = {each.id for each in HassHome(hass).home("en").entities}

    assert "light.kitchen_light" in ids
    assert ids.isdisjoint({"switch.tiny_act", "select.tiny_policy", "group.safety"})
