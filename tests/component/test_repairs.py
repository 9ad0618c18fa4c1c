"""What is wrong is shown, and can be mended where it is shown."""

from dataclasses import replace
from pathlib import Path

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.assist_pipeline import Pipeline, async_get_pipelines, async_update_pipeline
from homeassistant.components.repairs import RepairsFlow
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from botpsy_core.domain.engine import Finished, Limits, Prompt
from botpsy_core.engine import ScriptedEngine, models
from botpsy_core.errors import EngineFailed
from botpsy_core.safety import PinHash
from custom_components.botpsy.const import DOMAIN
from custom_components.botpsy.engines import ENGINE_BUILDER
from custom_components.botpsy.home_checks import anonymous_broker
from tests.component.loading import load
from tests.component.world import World

URL = "/api/repairs/issues/fix"


@pytest.fixture(autouse=True)
async def repairs(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "repairs", {})


async def begin(hass_client: ClientSessionGenerator, issue_id: str) -> tuple[object, dict]:
    client = await hass_client()
    answer = await client.post(URL, json={"handler": DOMAIN, "issue_id": issue_id})
    assert answer.status == 200, await answer.text()
    return client, await answer.json()


async def submit(client, flow: dict, **data: object) -> dict:
    answer = await client.post(f"{URL}/{flow['flow_id']}", json=data)
    assert answer.status == 200, await answer.text()
    return await answer.json()


async def test_a_lost_model_is_found_by_its_new_path(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    model_file: Path,
    tmp_path: Path,
    issue_registry: ir.IssueRegistry,
) -> None:
    entry = MockConfigEntry(domain=DOMAIN, data={"source": "file", "path": "/nowhere/x.gguf", "digest": "d"})
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    issue_id = f"model_invalid_{entry.entry_id}"

    client, form = await begin(hass_client, issue_id)
    again = await submit(client, form, path=str(tmp_path / "none.gguf"))
    end = await submit(client, again, path=str(model_file))
    await hass.async_block_till_done()

    assert again["errors"] == {"path": "model_file_invalid"}
    assert end["type"] == FlowResultType.CREATE_ENTRY
    assert entry.state is ConfigEntryState.LOADED
    assert issue_registry.async_get_issue(DOMAIN, issue_id) is None


class DeadEngine(ScriptedEngine):
    """A model whose process never comes up."""

    async def info(self):
        raise EngineFailed("illegal instruction")


async def test_an_engine_that_does_not_start_is_started_anew(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    entry: MockConfigEntry,
    engine: ScriptedEngine,
    issue_registry: ir.IssueRegistry,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: DeadEngine()
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    issue = issue_registry.async_get_issue(DOMAIN, f"engine_failed_{entry.entry_id}")
    state = hass.states.get("conversation.botpsy")

    hass.data[ENGINE_BUILDER] = lambda _hass, _data: engine
    client, form = await begin(hass_client, f"engine_failed_{entry.entry_id}")
    end = await submit(client, form)
    await hass.async_block_till_done(wait_background_tasks=True)

    assert issue is not None
    assert issue.translation_placeholders == {"title": "Tiny", "error": "illegal instruction"}
    assert state is not None
    assert state.state == "unavailable"
    assert caplog.text.count("the model is not available") == 1
    assert "illegal instruction" in form["description_placeholders"]["error"]
    assert end["type"] == FlowResultType.CREATE_ENTRY
    assert issue_registry.async_get_issue(DOMAIN, f"engine_failed_{entry.entry_id}") is None


async def test_a_pin_is_asked_for_while_something_waits_for_one(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    world: World,
    entry: MockConfigEntry,
    issue_registry: ir.IssueRegistry,
) -> None:
    issue_id = f"pin_missing_{entry.entry_id}"
    issue = issue_registry.async_get_issue(DOMAIN, issue_id)

    client, form = await begin(hass_client, issue_id)
    again = await submit(client, form, pin="1")
    await submit(client, again, pin="4711")
    await hass.async_block_till_done()

    assert issue is not None
    assert issue.translation_placeholders is not None
    assert "Front door" in issue.translation_placeholders["names"]
    assert "Kitchen light" not in issue.translation_placeholders["names"]
    assert again["errors"] == {"pin": "pin_too_short"}
    assert PinHash(**entry.options["pin_hash"]).fits("4711")
    assert issue_registry.async_get_issue(DOMAIN, issue_id) is None


async def test_a_home_without_locks_needs_no_pin(
    hass: HomeAssistant, entry: MockConfigEntry, issue_registry: ir.IssueRegistry
) -> None:
    assert issue_registry.async_get_issue(DOMAIN, f"pin_missing_{entry.entry_id}") is None


async def test_an_issue_of_an_entry_that_is_gone_can_be_closed(hass: HomeAssistant) -> None:
    from custom_components.botpsy.repairs import async_create_fix_flow

    flow = await async_create_fix_flow(hass, "engine_failed_x", {"entry_id": "x", "kind": "engine_failed"})

    assert isinstance(flow, RepairsFlow)


async def test_a_file_that_is_another_one_now_is_taken_or_not(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    entry: MockConfigEntry,
    issue_registry: ir.IssueRegistry,
) -> None:
    issue_id = f"model_changed_{entry.entry_id}"
    hass.config_entries.async_update_entry(entry, data={**entry.data, "size": 1})
    await hass.async_block_till_done()
    issue = issue_registry.async_get_issue(DOMAIN, issue_id)

    client, form = await begin(hass_client, issue_id)
    await submit(client, form)
    await hass.async_block_till_done()

    assert issue is not None
    assert form["description_placeholders"]["path"] == entry.data["path"]
    assert entry.data["size"] > 1
    assert issue_registry.async_get_issue(DOMAIN, issue_id) is None


async def test_a_machine_that_became_too_small_is_told_of(
    hass: HomeAssistant, entry: MockConfigEntry, issue_registry: ir.IssueRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "BESIDE_FILE_MB", 10**9)
    await hass.config_entries.async_reload(entry.entry_id)
    small = issue_registry.async_get_issue(DOMAIN, f"memory_small_{entry.entry_id}")
    monkeypatch.undo()
    await hass.config_entries.async_reload(entry.entry_id)

    assert small is not None
    assert not small.is_fixable
    assert issue_registry.async_get_issue(DOMAIN, f"memory_small_{entry.entry_id}") is None


@pytest.fixture
async def pipelines(hass: HomeAssistant, socket_enabled: None) -> None:
    assert await async_setup_component(hass, "assist_pipeline", {})


async def assistant(hass: HomeAssistant, engine: str, *, local: bool) -> Pipeline:
    (pipeline,) = async_get_pipelines(hass)
    await async_update_pipeline(hass, pipeline, conversation_engine=engine, prefer_local_intents=local)
    (pipeline,) = async_get_pipelines(hass)
    return pipeline


async def test_local_intents_before_us_are_switched_off(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    world: World,
    pipelines: None,
    entry: MockConfigEntry,
    issue_registry: ir.IssueRegistry,
) -> None:
    issue_id = f"local_intents_{entry.entry_id}"
    await assistant(hass, "conversation.botpsy", local=True)
    await hass.config_entries.async_reload(entry.entry_id)
    issue = issue_registry.async_get_issue(DOMAIN, issue_id)

    client, form = await begin(hass_client, issue_id)
    await submit(client, form)

    (pipeline,) = async_get_pipelines(hass)
    assert issue is not None
    assert not pipeline.prefer_local_intents
    assert issue_registry.async_get_issue(DOMAIN, issue_id) is None


async def test_an_assistant_around_the_guard_is_told_of_until_it_is_gone(
    hass: HomeAssistant,
    world: World,
    pipelines: None,
    entry: MockConfigEntry,
    issue_registry: ir.IssueRegistry,
    freezer: FrozenDateTimeFactory,
) -> None:
    issue_id = f"guard_bypassed_{entry.entry_id}"
    await assistant(hass, "conversation.home_assistant", local=False)
    await hass.config_entries.async_reload(entry.entry_id)
    issue = issue_registry.async_get_issue(DOMAIN, issue_id)

    await assistant(hass, "conversation.botpsy", local=False)
    freezer.tick(1801)
    async_fire_time_changed(hass)
    await hass.async_block_till_done()

    assert issue is not None
    assert issue.translation_placeholders is not None
    assert "Front door" in issue.translation_placeholders["names"]
    assert issue_registry.async_get_issue(DOMAIN, issue_id) is None


@pytest.mark.parametrize(
    ("data", "open_to_all"),
    [
        ({"broker": "192.168.1.5"}, True),
        ({"broker": "192.168.1.5", "username": "home"}, False),
        ({"broker": "localhost"}, False),
    ],
)
async def test_a_broker_that_anybody_can_use_is_told_of(
    hass: HomeAssistant, data: dict[str, str], *, open_to_all: bool
) -> None:
    MockConfigEntry(domain="mqtt", data=data).add_to_hass(hass)

    assert bool(anonymous_broker(hass)) is open_to_all


class Ending(ScriptedEngine):
    """A model whose answers end as a test says."""

    end = ""

    async def generate(self, prompt, grammar, limits):
        self._script = ["x"]
        async for part in ScriptedEngine.generate(self, prompt, grammar, limits):
            yield replace(part, reason=self.end) if isinstance(part, Finished) else part


async def test_a_model_that_is_twice_too_slow_is_told_of_until_it_is_in_time(
    hass: HomeAssistant, model_file: Path, issue_registry: ir.IssueRegistry
) -> None:
    slow = Ending()
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: slow
    entry = await load(hass, model_file)
    shown = []
    for end in ("timeout", "eos", "timeout", "timeout", "cancelled", "eos"):
        slow.end = end
        async for _ in entry.runtime_data.engine.generate(Prompt(prefix="", tail="x"), None, Limits()):
            pass
        shown.append(issue_registry.async_get_issue(DOMAIN, f"engine_slow_{entry.entry_id}") is not None)

    assert shown == [False, False, False, True, True, False]
