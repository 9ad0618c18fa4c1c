"""Loading, failing, recovering, unloading and removing an entry."""

import asyncio
import json
from pathlib import Path
from shutil import copyfile

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_STARTED
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from botpsy_core.domain.engine import Limits, Prompt
from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import EngineFailed
from botpsy_core.safety import Tilt
from custom_components.botpsy.const import DOMAIN
from custom_components.botpsy.engines import ENGINE_BUILDER, state_folder
from tests.component.loading import AGENT, load
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


async def starting(hass: HomeAssistant, model: Path | str, **options: object) -> MockConfigEntry:
    """Set an entry up while Home Assistant starts."""
    hass.set_state(CoreState.not_running)
    entry = MockConfigEntry(
        domain=DOMAIN,
        data={"source": "file", "path": str(model), "digest": "d"},
        options=options,
        subentries_data=[AGENT],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry


async def start(hass: HomeAssistant) -> None:
    """Tell everybody that Home Assistant has started."""
    hass.set_state(CoreState.running)
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STARTED)
    await hass.async_block_till_done(wait_background_tasks=True)


async def test_an_entry_is_built_after_home_assistant_has_started(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path
) -> None:
    entry = await starting(hass, model_file)
    before = entry.state, hasattr(entry, "runtime_data"), hass.states.get("conversation.botpsy")

    await start(hass)

    assert before == (ConfigEntryState.LOADED, False, None)
    state = hass.states.get("conversation.botpsy")
    assert state is not None
    assert state.state != "unavailable"


async def test_an_action_does_not_wait_for_the_start(
    hass: HomeAssistant, world: World, engine: ScriptedEngine, model_file: Path
) -> None:
    await starting(hass, model_file)

    await hass.services.async_call("botpsy", "run", {"text": "turn on the kitchen light"}, blocking=True)
    await start(hass)

    assert hass.states.is_state("light.kitchen_light", "on")
    assert hass.states.async_entity_ids("conversation").count("conversation.botpsy") == 1


async def test_an_entry_that_is_unloaded_before_the_start_stays_so(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path
) -> None:
    entry = await starting(hass, model_file)

    assert await hass.config_entries.async_unload(entry.entry_id)
    await start(hass)

    assert entry.state is ConfigEntryState.NOT_LOADED
    assert not hasattr(entry, "runtime_data")


@pytest.mark.parametrize("content", [None, b"<html>", b"GGUF"], ids=["missing", "a web page", "cut off"])
async def test_a_broken_model_does_not_hold_the_start_up_and_is_told_of(
    hass: HomeAssistant, tmp_path: Path, content: bytes | None, issue_registry: ir.IssueRegistry
) -> None:
    path = tmp_path / "bad.gguf"
    if content is not None:
        path.write_bytes(content)
    entry = await starting(hass, path)
    before = entry.state

    await start(hass)

    assert before is ConfigEntryState.LOADED
    assert entry.state is ConfigEntryState.SETUP_RETRY
    assert issue_registry.async_get_issue(DOMAIN, f"model_invalid_{entry.entry_id}")


def write_policy(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)


@pytest.mark.parametrize("text", ["classes: {comfort: {confirm: perhaps}}", "- classes", "classes: [", "classes: \x00"])
async def test_a_broken_policy_is_told_of_after_the_start(hass: HomeAssistant, model_file: Path, text: str) -> None:
    write_policy(Path(hass.config.path(DOMAIN, "policy.yaml")), text)
    entry = await starting(hass, model_file)

    await start(hass)

    assert entry.state is ConfigEntryState.SETUP_ERROR


async def test_an_empty_policy_of_the_owner_changes_nothing(hass: HomeAssistant, model_file: Path) -> None:
    write_policy(Path(hass.config.path(DOMAIN, "policy.yaml")), "# nothing yet\n")
    entry = await starting(hass, model_file)

    await start(hass)

    assert entry.state is ConfigEntryState.LOADED


class SlowEngine(ScriptedEngine):
    """A model that takes for ever to load."""

    async def info(self):
        await asyncio.sleep(3600)


async def test_a_slow_model_holds_nobody_up(hass: HomeAssistant, engine: ScriptedEngine, model_file: Path) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: SlowEngine()

    async with asyncio.timeout(5):
        entry = await load(hass, model_file)

    assert entry.state is ConfigEntryState.LOADED
    await hass.config_entries.async_unload(entry.entry_id)


STORED = json.loads((Path(__file__).parent / "fixtures" / "entry_0_1_0.json").read_text("utf-8"))
"""An entry as version 0.1.0 has stored it."""


def first_version(model_file: Path, version: int = 1) -> MockConfigEntry:
    return MockConfigEntry(
        domain=DOMAIN,
        title=STORED["title"],
        version=version,
        minor_version=STORED["minor_version"],
        unique_id=STORED["unique_id"],
        data={**STORED["data"], "path": str(model_file), "size": model_file.stat().st_size},
        options=STORED["options"],
        subentries_data=STORED["subentries"],
    )


async def test_an_entry_of_the_first_version_still_works(hass: HomeAssistant, world: World, model_file: Path) -> None:
    entry = first_version(model_file)
    entry.add_to_hass(hass)

    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.services.async_call(
        "botpsy", "run", {"text": "turn on the kitchen light", "agent_id": "conversation.children"}, blocking=True
    )

    runtime = entry.runtime_data
    assert hass.states.is_state("light.kitchen_light", "on")
    assert hass.states.get("conversation.botpsy") is not None
    assert hass.states.get("ai_task.botpsy_ai_task") is not None
    assert runtime.confirmations.pin_set
    assert runtime.speakers["01JSECOND00000000000000000"].history == 4
    assert [spec.name for spec in runtime.toolbox.specs() if spec.name.startswith("wallbox_")]


async def test_what_a_newer_version_has_stored_is_left_alone(hass: HomeAssistant, model_file: Path) -> None:
    entry = first_version(model_file, version=2)
    entry.add_to_hass(hass)

    assert not await hass.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.MIGRATION_ERROR


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


@pytest.mark.parametrize(
    ("kept", "state"),
    [
        ({"abc": {"tilt": {"slope": 0.5, "shift": -1.0}, "calls": 40}}, ConfigEntryState.LOADED),
        ({"abc": {"tilt": "steep"}}, ConfigEntryState.SETUP_ERROR),
    ],
)
async def test_what_was_measured_of_a_model_is_in_every_policy(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path, kept: dict[str, object], state: ConfigEntryState
) -> None:
    write_policy(Path(hass.config.path(DOMAIN, "calibration.json")), json.dumps(kept))
    entry = MockConfigEntry(domain=DOMAIN, data={"source": "file", "path": str(model_file), "digest": "d"})
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    policies = entry.runtime_data.policies.values() if state is ConfigEntryState.LOADED else ()

    assert entry.state is state
    assert all(policy.tilts == {"abc": Tilt(slope=0.5, shift=-1.0)} for policy in policies)
