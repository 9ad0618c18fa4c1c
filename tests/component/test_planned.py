"""Acts that are put off, in a real Home Assistant: begun by its clock, kept by its storage, told by its entities."""

import asyncio
import os
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser, async_fire_time_changed

from botpsy_core.domain.plans import PlannedAct
from botpsy_core.domain.tools import ToolCall
from tests.component.loading import load
from tests.component.world import World

RESTARTS = int(os.environ.get("BOTPSY_RESTARTS", "20"))
"""`docs/reliability.md` measures with 100."""
LIGHT = "light.kitchen_light"


async def act(hass: HomeAssistant, action: str, context: Context | None = None, **data: object) -> dict:
    answer = await hass.services.async_call(
        "botpsy", action, data, blocking=True, return_response=True, context=context
    )
    assert answer is not None
    return dict(answer)


async def later(hass: HomeAssistant, freezer: FrozenDateTimeFactory, **more: float) -> None:
    freezer.tick(timedelta(**more))
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)


@pytest.fixture
def sensor(hass: HomeAssistant) -> str:
    return "sensor.tiny_planned_acts"


async def test_an_act_is_done_when_it_is_due_in_its_askers_name(
    hass: HomeAssistant,
    world: World,
    entry: MockConfigEntry,
    freezer: FrozenDateTimeFactory,
    hass_admin_user: MockUser,
    sensor: str,
) -> None:
    context = Context(user_id=hass_admin_user.id)
    answer = await act(hass, "run", context, text="turn on the kitchen light in ten minutes")
    planned = await act(hass, "planned", context)
    shown = hass.states.get(sensor)
    await later(hass, freezer, minutes=9)
    before = hass.states.get(LIGHT)
    await later(hass, freezer, minutes=1, seconds=1)
    after = hass.states.get(LIGHT)

    assert answer["status"] == "done"
    assert [each["tool"] for each in planned["acts"]] == ["turn_on"]
    assert shown is not None
    assert (shown.state, shown.attributes["acts"][0]["act"]) == ("1", "turn on Kitchen light")
    assert before is not None
    assert after is not None
    assert (before.state, after.state) == ("off", "on")
    assert after.context.user_id == hass_admin_user.id
    assert hass.states.is_state(sensor, "0")


async def test_what_is_planned_outlives_a_reload_and_is_forgotten_by_its_id(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, freezer: FrozenDateTimeFactory, sensor: str
) -> None:
    await act(hass, "run", text="turn on the kitchen light in ten minutes")
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    (kept,) = (await act(hass, "planned"))["acts"]
    gone = await act(hass, "forget", ids=[kept["id"], "another"])
    await later(hass, freezer, minutes=11)

    assert [each["id"] for each in gone["forgotten"]] == [kept["id"]]
    assert hass.states.is_state(LIGHT, "off")
    assert hass.states.is_state(sensor, "0")


async def test_a_user_who_has_lost_the_right_meanwhile_is_refused_and_told(
    hass: HomeAssistant,
    world: World,
    entry: MockConfigEntry,
    freezer: FrozenDateTimeFactory,
    hass_admin_user: MockUser,
) -> None:
    await act(hass, "run", Context(user_id=hass_admin_user.id), text="turn on the kitchen light in ten minutes")
    hass_admin_user.is_active = False
    await later(hass, freezer, minutes=11)

    assert hass.states.is_state(LIGHT, "off")
    told = list(hass.data["persistent_notification"].values())
    assert "Kitchen light" in told[0]["message"]


async def test_what_was_due_long_ago_is_told_and_left(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, freezer: FrozenDateTimeFactory
) -> None:
    await act(hass, "run", text="turn on the kitchen light in ten minutes")
    await hass.config_entries.async_unload(entry.entry_id)
    freezer.tick(timedelta(hours=3))
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)

    assert hass.states.is_state(LIGHT, "off")
    told = list(hass.data["persistent_notification"].values())
    assert "I was not running" in told[0]["message"]


async def test_removing_the_entry_removes_the_book(
    hass: HomeAssistant, hass_storage: dict[str, Any], world: World, entry: MockConfigEntry
) -> None:
    await act(hass, "run", text="turn on the kitchen light in ten minutes")
    key = f"botpsy.planned.{entry.entry_id}"
    there = key in hass_storage
    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()

    assert there
    assert key not in hass_storage


async def test_restarts_do_each_act_once_or_tell_why_not(
    hass: HomeAssistant, world: World, model_file: Path, freezer: FrozenDateTimeFactory
) -> None:
    entry = await load(hass, model_file)
    rng = random.Random(3)
    done: dict[str, int] = {}
    planned: list[str] = []

    def count(event: Event) -> None:
        conversation = str(event.data["conversation_id"])
        if conversation.startswith("planned-") and event.data["acts"]:
            done[conversation.removeprefix("planned-")] = done.get(conversation.removeprefix("planned-"), 0) + 1

    hass.bus.async_listen("botpsy_turn", count)
    for number in range(RESTARTS):
        plans = entry.runtime_data.plans
        for extra in range(3):
            call = ToolCall(
                id="call_1", name=rng.choice(["turn_on", "turn_off"]), args={"target": ["light.kitchen_light"]}
            )
            at = dt_util.now() + timedelta(seconds=rng.uniform(1, 120))
            made = PlannedAct(id=f"act-{number}-{extra}", call=call, at=at, act="light", language="en")
            await plans.add(made)
            planned.append(made.id)
        freezer.tick(timedelta(seconds=rng.choice([1, 20, 60, 90])))
        async_fire_time_changed(hass)
        for _ in range(rng.randrange(6)):
            await asyncio.sleep(0)
        assert await hass.config_entries.async_reload(entry.entry_id)
        if rng.random() < 0.1:
            await hass.config_entries.async_unload(entry.entry_id)
            freezer.tick(timedelta(hours=1))
            await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
    await later(hass, freezer, minutes=5)

    told = {key.removeprefix("botpsy_") for key in hass.data["persistent_notification"]}
    assert entry.runtime_data.plans.acts == ()
    assert set(done.values()) == {1}
    assert set(planned) == done.keys() | told
    assert len(done) > RESTARTS
    assert told


WASHER = "sensor.washer"


def washer(hass: HomeAssistant, state: str) -> None:
    hass.states.async_set(WASHER, state, {"friendly_name": "Washer"})


@pytest.fixture
async def waiting(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> dict:
    async_expose_entity(hass, "conversation", WASHER, should_expose=True)
    washer(hass, "running")
    await hass.async_block_till_done()
    return await act(hass, "run", text="turn on the kitchen light when the washer is done")


async def test_an_act_waits_for_a_state_and_shows_what_it_waits_for(
    hass: HomeAssistant, waiting: dict, sensor: str
) -> None:
    (planned,) = (await act(hass, "planned"))["acts"]
    shown = hass.states.get(sensor)
    washer(hass, "unavailable")
    await hass.async_block_till_done(wait_background_tasks=True)
    before = hass.states.is_state(LIGHT, "off")
    washer(hass, "finished")
    await hass.async_block_till_done(wait_background_tasks=True)
    washer(hass, "running")
    washer(hass, "finished")
    await hass.async_block_till_done(wait_background_tasks=True)

    assert waiting["status"] == "done"
    assert (planned["when"], planned["entity_id"]) == ("the washer is done", WASHER)
    assert shown is not None
    assert shown.attributes["acts"][0]["when"] == "the washer is done"
    assert before
    assert hass.states.is_state(LIGHT, "on")
    assert hass.states.is_state(sensor, "0")


async def test_what_happened_while_nothing_was_loaded_is_told_and_left(
    hass: HomeAssistant, waiting: dict, entry: MockConfigEntry, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config_entries.async_unload(entry.entry_id)
    washer(hass, "finished")
    await hass.config_entries.async_setup(entry.entry_id)
    await later(hass, freezer, seconds=2)

    assert hass.states.is_state(LIGHT, "off")
    told = list(hass.data["persistent_notification"].values())
    assert "while I was not running" in told[0]["message"]


async def test_a_reload_goes_on_waiting_and_forgetting_ends_it(
    hass: HomeAssistant, waiting: dict, entry: MockConfigEntry
) -> None:
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    (kept,) = (await act(hass, "planned"))["acts"]
    await act(hass, "forget", ids=[kept["id"]])
    washer(hass, "finished")
    await hass.async_block_till_done(wait_background_tasks=True)

    assert hass.states.is_state(LIGHT, "off")
