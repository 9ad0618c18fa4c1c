"""What becomes of a call in a real Home Assistant."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from homeassistant.auth.models import Group
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockUser, async_capture_events

from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import Outcome, Risk, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Readiness
from custom_components.botpsy import errands
from custom_components.botpsy.askers import Askers
from custom_components.botpsy.hass_home import HassHome
from custom_components.botpsy.hass_toolbox import HassToolbox
from tests.component.world import World

tools = cache(load_tools)


@pytest.fixture
def toolbox(hass: HomeAssistant, world: World) -> HassToolbox:
    return HassToolbox(hass, HassHome(hass), tools(), Askers(hass))


@pytest.fixture
def context() -> TurnContext:
    return TurnContext(conversation_id="c", origin=Origin.CHAT, now=dt_util.now())


def call(name: str, **args: JsonValue) -> ToolCall:
    return ToolCall(id="1", name=name, args=args)


@pytest.mark.parametrize(
    ("made", "entity_id", "state"),
    [
        (call("turn_on", target=["light.kitchen_light"]), "light.kitchen_light", "on"),
        (call("unlock", target=["lock.front_door"]), "lock.front_door", "unlocked"),
        (call("turn_off", target=["climate.thermostat"]), "climate.thermostat", "off"),
    ],
)
async def test_done_is_what_the_state_shows(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext, made: ToolCall, entity_id: str, state: str
) -> None:
    result = await toolbox.execute(made, context)

    assert result.outcome is Outcome.DONE
    assert result.data["states"] == {entity_id: state}
    assert hass.states.is_state(entity_id, state)


async def test_an_act_on_two_domains_reaches_both(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    both = ["light.kitchen_light", "climate.thermostat"]
    await toolbox.execute(call("turn_off", target=both), context)

    result = await toolbox.execute(call("turn_on", target=both), context)

    assert result.outcome is Outcome.DONE
    assert result.data["states"] == {"light.kitchen_light": "on", "climate.thermostat": "heat"}


async def test_a_device_that_never_shows_it_has_only_accepted(
    toolbox: HassToolbox, context: TurnContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errands, "EFFECT_TIMEOUT_S", 0.05)

    result = await toolbox.execute(call("turn_on", target=["switch.heater_plug"]), context)

    assert result.outcome is Outcome.ACCEPTED
    assert result.data["states"] == {"switch.heater_plug": "off"}


async def test_a_door_on_its_way_has_accepted_and_is_done_when_it_is_open(
    hass: HomeAssistant, world: World, toolbox: HassToolbox, context: TurnContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errands, "EFFECT_TIMEOUT_S", 0.05)
    moving = await toolbox.execute(call("open_cover", target=["cover.garage_door"]), context)
    monkeypatch.setattr(errands, "EFFECT_TIMEOUT_S", 2)
    task = hass.async_create_task(toolbox.execute(call("open_cover", target=["cover.garage_door"]), context))
    await asyncio.sleep(0)
    world.garage._attr_is_opening = False
    world.garage.async_write_ha_state()

    assert moving.outcome is Outcome.ACCEPTED
    assert moving.data["states"] == {"cover.garage_door": "opening"}
    assert (await task).outcome is Outcome.DONE


async def test_a_device_that_shows_it_late_is_waited_for(
    hass: HomeAssistant, world: World, toolbox: HassToolbox, context: TurnContext
) -> None:
    def tell(*, on: bool) -> None:
        world.heater._attr_is_on = on
        world.heater._attr_extra_state_attributes = {"told": on}
        world.heater.async_write_ha_state()

    hass.loop.call_later(0.05, lambda: tell(on=False))
    hass.loop.call_later(0.15, lambda: tell(on=True))

    result = await toolbox.execute(call("turn_on", target=["switch.heater_plug"]), context)

    assert result.outcome is Outcome.DONE
    assert result.data["states"] == {"switch.heater_plug": "on"}


async def test_an_error_of_the_device_is_told_and_the_other_still_acts(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    result = await toolbox.execute(call("turn_on", target=["light.kitchen_light", "switch.old_plug"]), context)

    assert result.outcome is Outcome.FAILED
    assert result.data["failed"] == ["switch.old_plug"]
    assert "does not answer" in result.detail
    assert hass.states.is_state("light.kitchen_light", "on")


async def test_an_action_that_hangs_is_unconfirmed_and_not_told_twice(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = asyncio.Event()
    told: list[str] = []

    async def slow(_: object) -> None:
        told.append("once")
        await release.wait()
        raise HomeAssistantError("too late")

    hass.services.async_register("lock", "lock", slow)
    monkeypatch.setattr(errands, "ACTION_TIMEOUT_S", 0.05)

    result = await toolbox.execute(call("lock", target=["lock.front_door"]), context)
    release.set()
    await hass.async_block_till_done()

    assert result.outcome is Outcome.UNCONFIRMED
    assert told == ["once"]


async def test_numbers_arrive_as_home_assistant_counts_them(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    dim = await toolbox.execute(call("set_brightness", target=["light.kitchen_light"], brightness=40), context)
    warm = await toolbox.execute(call("set_temperature", target=["climate.thermostat"], temperature=21.5), context)

    assert [dim.outcome, warm.outcome] == [Outcome.DONE, Outcome.DONE]
    light, thermostat = hass.states.get("light.kitchen_light"), hass.states.get("climate.thermostat")
    assert light is not None
    assert light.attributes["brightness"] == 102
    assert thermostat is not None
    assert thermostat.attributes["temperature"] == 21.5


async def test_a_step_starts_from_what_each_target_shows(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    result = await toolbox.execute(call("raise_temperature", target=["climate.thermostat"], amount=2), context)

    thermostat = hass.states.get("climate.thermostat")
    assert result.outcome is Outcome.DONE
    assert thermostat is not None
    assert thermostat.attributes["temperature"] == 21


async def test_a_step_from_an_unknown_value_is_not_taken(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    hass.states.async_set("climate.thermostat", "heat", {})
    step = call("raise_temperature", target=["climate.thermostat"], amount=2)

    ready, result = await toolbox.check(step, context), await toolbox.execute(step, context)

    assert not ready.available
    assert result.outcome is Outcome.FAILED


async def test_reads_states_as_facts(hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext) -> None:
    result = await toolbox.execute(call("get_state", target=["sensor.kitchen_temperature"]), context)

    assert result.outcome is Outcome.DONE
    (facts,) = _list(result.data["states"])
    state = hass.states.get("sensor.kitchen_temperature")
    assert state is not None
    assert facts == {
        "id": "sensor.kitchen_temperature",
        "name": "Kitchen temperature",
        "state": "21.5",
        "unit": "°C",
        "changed": state.last_changed.isoformat(),
    }


async def test_tells_the_time(toolbox: HassToolbox, context: TurnContext) -> None:
    result = await toolbox.execute(call("get_time"), context)

    assert dt_util.parse_datetime(str(result.data["now"])) is not None


async def test_a_calendar_takes_an_event_and_tells_it(world: World, toolbox: HassToolbox, context: TurnContext) -> None:
    start = "2030-05-06T15:00:00+00:00"
    add = call("create_event", calendar=["calendar.family"], summary="dentist", start=start)

    added = await toolbox.execute(add, context)
    told = await toolbox.execute(call("find_events", calendar=["calendar.family"], start="2030-05-06"), context)

    assert added.outcome is Outcome.DONE
    assert [each.summary for each in world.calendar.events] == ["dentist"]
    assert told.untrusted
    assert "dentist" in str(told.data["response"])


async def test_a_list_takes_an_item_and_tells_it(toolbox: HassToolbox, context: TurnContext) -> None:
    added = await toolbox.execute(call("add_item", list=["todo.shopping_list"], item="milk"), context)
    told = await toolbox.execute(call("list_items", list=["todo.shopping_list"]), context)

    assert added.outcome is Outcome.DONE
    assert "milk" in str(told.data["response"])


async def test_a_message_goes_to_the_phone_or_to_the_screen(
    hass: HomeAssistant, world: World, toolbox: HassToolbox, context: TurnContext
) -> None:
    sent = await toolbox.execute(call("send_message", recipient=["notify.anna_s_phone"], message="dinner"), context)
    shown = await toolbox.execute(call("send_message", message="dinner"), context)

    assert [sent.outcome, shown.outcome] == [Outcome.DONE, Outcome.DONE]
    assert world.phone.messages == ["dinner"]


async def test_acts_in_the_askers_name(hass: HomeAssistant, toolbox: HassToolbox, hass_admin_user: MockUser) -> None:
    seen: list[Event] = async_capture_events(hass, "call_service")
    asker = Context(user_id=hass_admin_user.id)
    context = TurnContext(
        conversation_id="c",
        origin=Origin.CHAT,
        now=dt_util.now(),
        user_id=asker.user_id,
        hass_context_id=asker.id,
    )

    await toolbox.execute(call("turn_on", target=["light.kitchen_light"]), context)

    assert [(e.context.user_id, e.context.id) for e in seen] == [(hass_admin_user.id, asker.id)]


async def test_what_is_not_exposed_is_said_so(toolbox: HassToolbox, context: TurnContext) -> None:
    hidden = await toolbox.check(call("turn_on", target=["light.hidden_lamp"]), context)
    shown = await toolbox.check(call("turn_on", target=["light.kitchen_light"]), context)

    assert not hidden.exposed
    assert shown == Readiness()


async def test_what_is_unavailable_is_said_by_name(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    state = hass.states.get("light.kitchen_light")
    assert state is not None
    hass.states.async_set("light.kitchen_light", "unavailable", state.attributes)

    now = await toolbox.check(call("turn_on", target=["light.kitchen_light"]), context)

    assert not now.available
    assert now.problem == "Kitchen light"


async def test_an_action_that_nobody_offers_is_unavailable(toolbox: HassToolbox, context: TurnContext) -> None:
    now = await toolbox.check(call("start_cleaning", target=["light.kitchen_light"]), context)

    assert not now.available


@pytest.mark.parametrize(
    ("before", "made", "so"),
    [
        ({}, call("turn_off", target=["light.kitchen_light"]), True),
        ({}, call("turn_on", target=["light.kitchen_light"]), False),
        ({}, call("turn_off", target=["light.kitchen_light", "light.bedroom_light"]), True),
        ({"brightness": 102}, call("set_brightness", target=["light.kitchen_light"], brightness=40), True),
        ({"brightness": 102}, call("set_brightness", target=["light.kitchen_light"], brightness=60), False),
        ({}, call("lock", target=["lock.front_door"]), True),
        ({}, call("close_cover", target=["cover.garage_door"]), True),
        ({}, call("set_temperature", target=["climate.thermostat"], temperature=19), True),
        ({}, call("add_item", list=["todo.shopping_list"], item="milk"), False),
        ({}, call("get_state", target=["light.kitchen_light"]), False),
    ],
)
async def test_knows_what_is_already_so(
    world: World, toolbox: HassToolbox, context: TurnContext, before: Mapping[str, int], made: ToolCall, *, so: bool
) -> None:
    if before:
        await world.kitchen_light.async_turn_on(**before)

    assert (await toolbox.check(made, context)).already_so is so


async def test_a_users_rights_are_home_assistants(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    group = Group(name="kitchen only", policy={"entities": {"entity_ids": {"light.kitchen_light": True}}})
    user = MockUser(groups=[group]).add_to_hass(hass)
    theirs = replace(context, user_id=user.id)

    may = await toolbox.check(call("turn_on", target=["light.kitchen_light"]), theirs)
    may_not = await toolbox.check(call("unlock", target=["lock.front_door"]), theirs)

    assert may.allowed
    assert not may_not.allowed


async def test_a_right_lost_between_check_and_act_still_holds(
    hass: HomeAssistant, toolbox: HassToolbox, context: TurnContext
) -> None:
    user = MockUser(groups=[Group(name="nothing", policy={})]).add_to_hass(hass)

    result = await toolbox.execute(call("unlock", target=["lock.front_door"]), replace(context, user_id=user.id))

    assert (result.outcome, result.detail) == (Outcome.FAILED, "not_allowed")
    assert hass.states.is_state("lock.front_door", "locked")


async def test_a_user_who_is_gone_may_nothing(toolbox: HassToolbox, context: TurnContext) -> None:
    gone = replace(context, user_id="0" * 32)

    assert not (await toolbox.check(call("turn_on", target=["light.kitchen_light"]), gone)).allowed


def test_offers_only_what_home_assistant_carries_out(hass: HomeAssistant) -> None:
    foreign = ToolSpec(name="honk", description="Honk.", risk=Risk.COST, binding={"kind": "bridge"})

    box = HassToolbox(hass, HassHome(hass), (*tools(), foreign), Askers(hass))

    names = [spec.name for spec in box.specs()]
    assert names == sorted(names)
    assert "turn_on" in names
    assert "honk" not in names


def _list(value: JsonValue) -> list[Mapping[str, JsonValue]]:
    assert isinstance(value, list)
    return value
