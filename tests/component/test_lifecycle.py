"""Loading, failing, recovering, unloading and removing an entry."""

import asyncio
from pathlib import Path
from shutil import copyfile

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from botpsy_core.domain.engine import Limits, Prompt
from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import EngineFailed
from custom_components.botpsy.const import DOMAIN
from custom_components.botpsy.engines import ENGINE_BUILDER, state_folder
from tests.component.loading import load
from tests.component.world import World


def listeners(hass: HomeAssistant) -> dict[str, int]:
    return dict(hass.bus.async_listeners())


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_fifty_reloads_leave_nothing_behind(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, engine: ScriptedEngine
) -> None:
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    before = listeners(hass), open_files(), len(asyncio.all_tasks())

    for _ in range(50):
        assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()

    grown = {event for event, count in listeners(hass).items() if count > before[0].get(event, 0)}
    assert not grown
    assert (open_files(), len(asyncio.all_tasks())) == before[1:]
    assert entry.state is ConfigEntryState.LOADED


async def test_unloading_frees_the_model(hass: HomeAssistant, entry: MockConfigEntry, engine: ScriptedEngine) -> None:
    assert await hass.config_entries.async_unload(entry.entry_id)

    assert engine.closed
    state = hass.states.get("conversation.botpsy")
    assert state is not None
    assert state.state == "unavailable"


async def test_removing_takes_issues_and_caches_along(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, issue_registry: ir.IssueRegistry, tmp_path: Path
) -> None:
    folder = state_folder(hass, entry.data)
    await hass.async_add_executor_job(lambda: folder.mkdir(parents=True))
    assert [each for each in issue_registry.issues.values() if each.domain == DOMAIN]

    await hass.config_entries.async_remove(entry.entry_id)

    assert not folder.exists()
    assert not [each for each in issue_registry.issues.values() if each.domain == DOMAIN]
    assert hass.states.get("conversation.botpsy") is None


async def test_a_missing_model_is_told_and_found_again(
    hass: HomeAssistant, model_file: Path, tmp_path: Path, issue_registry: ir.IssueRegistry
) -> None:
    path = tmp_path / "late.gguf"
    entry = MockConfigEntry(domain=DOMAIN, data={"source": "file", "path": str(path), "digest": "d"})
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    issue = issue_registry.async_get_issue(DOMAIN, f"model_invalid_{entry.entry_id}")

    await hass.async_add_executor_job(copyfile, model_file, path)
    await hass.config_entries.async_reload(entry.entry_id)

    assert issue is not None
    assert issue.is_fixable
    assert entry.state is ConfigEntryState.LOADED
    assert issue_registry.async_get_issue(DOMAIN, f"model_invalid_{entry.entry_id}") is None


class SlowEngine(ScriptedEngine):
    """A model that takes for ever to load."""

    async def info(self):
        await asyncio.sleep(3600)


async def test_a_slow_model_does_not_hold_home_assistant_up(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path
) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: SlowEngine()
    hass.set_state(CoreState.starting)
    entry = MockConfigEntry(domain=DOMAIN, data={"source": "file", "path": str(model_file), "digest": "d"})
    entry.add_to_hass(hass)

    async with asyncio.timeout(2):
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()

    assert entry.state is ConfigEntryState.LOADED
    await hass.config_entries.async_unload(entry.entry_id)


@pytest.mark.parametrize("minor", [1])
async def test_an_entry_of_the_first_version_still_loads(hass: HomeAssistant, model_file: Path, minor: int) -> None:
    entry = MockConfigEntry(
        domain=DOMAIN,
        version=1,
        minor_version=minor,
        data={"source": "file", "path": str(model_file), "digest": "d"},
    )
    entry.add_to_hass(hass)

    assert await hass.config_entries.async_setup(entry.entry_id)


async def test_a_lost_model_is_loaded_again_without_anybody_asking(
    hass: HomeAssistant, entry: MockConfigEntry, engine: ScriptedEngine, freezer: FrozenDateTimeFactory
) -> None:
    engine._script.append(EngineFailed("the process ended"))
    with pytest.raises(EngineFailed):
        async for _ in entry.runtime_data.engine.generate(Prompt(prefix="", tail="x"), None, Limits()):
            pass
    lost = entry.runtime_data.engine.health.available

    freezer.tick(6)
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)

    assert not lost
    assert entry.runtime_data.engine.health.available


async def test_a_model_that_stays_lost_is_tried_less_and_less_often(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path, freezer: FrozenDateTimeFactory
) -> None:
    tried: list[int] = []

    class Lost(ScriptedEngine):
        async def info(self):
            tried.append(1)
            raise EngineFailed("no")

    hass.data[ENGINE_BUILDER] = lambda _hass, _data: Lost()
    await load(hass, model_file)
    await hass.async_block_till_done(wait_background_tasks=True)
    counts = []
    for _ in range(10):
        freezer.tick(6)
        async_fire_time_changed(hass)
        await hass.async_block_till_done(wait_background_tasks=True)
        counts.append(len(tried))

    assert counts[0] == 2
    assert counts[-1] == 3
