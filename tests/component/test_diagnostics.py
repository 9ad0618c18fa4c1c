"""What a user attaches to a bug report, and what system health shows."""

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, get_system_health_info

from botpsy_core.domain.engine import Limits, Piece, Prompt
from botpsy_core.engine import ScriptedEngine
from custom_components.botpsy.diagnostics import async_get_config_entry_diagnostics
from tests.component.world import World


async def test_diagnostics_hold_no_words_names_paths_or_pins(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    hass.config_entries.async_update_entry(entry, options={"pin_hash": {"salt": "5a17", "digest": "d16e57"}})
    await hass.async_block_till_done()
    await hass.services.async_call("botpsy", "run", {"text": "turn on the kitchen light"}, blocking=True)

    told = await async_get_config_entry_diagnostics(hass, entry)

    assert told["engine"]["available"] is True
    assert told["engine"]["model"]["name"] == "scripted"
    assert told["home"]["entities"] > 5
    assert "turn_on" in told["tools"]
    assert told["journal"][-1]["status"] == "done"
    for secret in ("kitchen", "Kitchen", "5a17", "d16e57", entry.data["path"]):
        assert secret not in str(told)


async def test_system_health_tells_the_model_and_its_speed(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, engine: ScriptedEngine
) -> None:
    assert await async_setup_component(hass, "system_health", {})
    engine._script.append([Piece(text="hello")])
    async for _ in entry.runtime_data.engine.generate(Prompt(prefix="", tail="say hello"), None, Limits()):
        pass

    info = await get_system_health_info(hass, "botpsy")

    assert info["model"] == "scripted"
    assert info["available"] is True
    assert info["prompt_from_cache"] == "0%"
    assert info["failures"] == 0


async def test_system_health_without_a_model_says_so(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    assert await async_setup_component(hass, "system_health", {})
    await hass.config_entries.async_unload(entry.entry_id)

    assert await get_system_health_info(hass, "botpsy") == {"models": 0}
