"""The entities beside the agent: what it did, how it is, whether it may act."""

from datetime import timedelta
from pathlib import Path

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
    mock_restore_cache,
    mock_restore_cache_with_extra_data,
)

from tests.component.loading import load
from tests.component.world import World


async def run(hass: HomeAssistant, text: str) -> dict:
    answer = await hass.services.async_call("botpsy", "run", {"text": text}, blocking=True, return_response=True)
    assert answer is not None
    return dict(answer)


def value(hass: HomeAssistant, entity_id: str) -> str:
    state = hass.states.get(entity_id)
    assert state is not None, entity_id
    return state.state


async def test_counts_acts_and_refusals_until_midnight(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, freezer: FrozenDateTimeFactory
) -> None:
    await run(hass, "turn on the kitchen light")
    await run(hass, "turn off the kitchen light")
    await run(hass, "order a pizza")
    counted = [value(hass, f"sensor.tiny_{each}") for each in ("acts_today", "refusals_today")]

    freezer.move_to(dt_util.start_of_local_day() + timedelta(days=1, seconds=1))
    async_fire_time_changed(hass)
    await hass.async_block_till_done()

    assert counted == ["2", "1"]
    assert [value(hass, f"sensor.tiny_{each}") for each in ("acts_today", "refusals_today")] == ["0", "0"]


async def test_the_last_refusal_is_shown_by_its_reason(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    before = value(hass, "sensor.tiny_last_refusal")

    answer = await run(hass, "order a pizza")

    assert before == "unknown"
    assert value(hass, "sensor.tiny_last_refusal") == answer["reason"]


async def test_switched_off_it_answers_and_does_nothing(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    await hass.services.async_call("switch", "turn_off", {"entity_id": "switch.tiny_act"}, blocking=True)
    held = await run(hass, "turn on the kitchen light")
    after_held = value(hass, "light.kitchen_light")
    await hass.services.async_call("switch", "turn_on", {"entity_id": "switch.tiny_act"}, blocking=True)
    await run(hass, "turn on the kitchen light")

    assert held["verdicts"] == ["allow"]
    assert held["calls"] == []
    assert after_held == "off"
    assert value(hass, "light.kitchen_light") == "on"


async def test_a_stricter_policy_asks_first(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> None:
    choice = {"entity_id": "select.tiny_policy", "option": "strict"}
    await hass.services.async_call("select", "select_option", choice, blocking=True)

    answer = await run(hass, "turn on the kitchen light")

    assert answer["status"] == "asked"
    assert value(hass, "light.kitchen_light") == "off"


@pytest.mark.parametrize("kept", ["off", "on"])
async def test_switch_and_choice_survive_a_restart(hass: HomeAssistant, model_file: Path, kept: str) -> None:
    mock_restore_cache(hass, [State("switch.tiny_act", kept), State("select.tiny_policy", "careful")])
    entry = await load(hass, model_file)

    assert entry.runtime_data.acting is (kept == "on")
    assert value(hass, "switch.tiny_act") == kept
    assert value(hass, "select.tiny_policy") == "careful"


async def test_counts_of_today_survive_a_restart(hass: HomeAssistant, model_file: Path) -> None:
    data = {"native_value": 7, "native_unit_of_measurement": None}
    refused = {"native_value": "no_suitable_tool", "native_unit_of_measurement": None}
    mock_restore_cache_with_extra_data(
        hass,
        [
            (State("sensor.tiny_acts_today", "7"), data),
            (State("sensor.tiny_last_refusal", "no_suitable_tool"), refused),
        ],
    )
    await load(hass, model_file)

    assert value(hass, "sensor.tiny_acts_today") == "7"
    assert value(hass, "sensor.tiny_last_refusal") == "no_suitable_tool"


async def test_noisy_ones_are_off_and_diagnostic_ones_are_marked(
    hass: HomeAssistant, entry: MockConfigEntry, entity_registry: er.EntityRegistry
) -> None:
    entries = {each.unique_id.rpartition(entry.entry_id)[2]: each for each in entity_registry.entities.values()}

    off = {key for key, each in entries.items() if each.disabled_by}
    diagnostic = {key for key, each in entries.items() if each.entity_category is EntityCategory.DIAGNOSTIC}

    assert off == {"_tokens_per_second", "_prompt_from_cache", "_queue"}
    assert diagnostic == {"_engine", *off}


async def test_every_agent_and_the_model_have_a_device_that_goes_with_them(
    hass: HomeAssistant, entry: MockConfigEntry, device_registry: dr.DeviceRegistry
) -> None:
    names = {each.name for each in dr.async_entries_for_config_entry(device_registry, entry.entry_id)}
    (agent,) = entry.subentries

    hass.config_entries.async_remove_subentry(entry, agent)
    await hass.async_block_till_done()

    left = {each.name for each in dr.async_entries_for_config_entry(device_registry, entry.entry_id)}
    assert names == {"Tiny", "BotPsy"}
    assert left == {"Tiny"}


async def test_the_engines_state_is_shown(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    await hass.async_block_till_done(wait_background_tasks=True)

    assert value(hass, "sensor.tiny_engine") == "ready"
