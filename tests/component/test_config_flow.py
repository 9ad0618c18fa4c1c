"""From an empty Home Assistant to a working agent, with nothing but the UI."""

import asyncio
import re
import threading
from pathlib import Path

import pytest
from aiohttp import ClientConnectionError
from homeassistant.config_entries import SOURCE_USER, ConfigEntryState, ConfigSubentryData
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_capture_events,
)
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from botpsy_core.engine import FallbackEngine, LocalEngine, ScriptedEngine, models
from botpsy_core.errors import EngineFailed, ModelDownloadFailed
from botpsy_core.safety import PinHash
from custom_components.botpsy.const import DOMAIN
from custom_components.botpsy.downloads import MODEL_FETCH
from custom_components.botpsy.engines import ENGINE_BUILDER, async_build_engine, engine_data
from custom_components.botpsy.model_choices import choices, title_of
from tests.component.loading import load


async def begin(hass: HomeAssistant, source: str) -> str:
    """Open the flow and choose where the model comes from."""
    flow = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert flow["type"] is FlowResultType.MENU
    form = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": source})
    assert (form["type"], form["step_id"], form["errors"]) == (FlowResultType.FORM, source, {})
    return form["flow_id"]


async def submit(hass: HomeAssistant, flow_id: str, **data: object) -> dict:
    """Fill a form in, and follow what it begins to its end, as a browser does."""
    told = await hass.config_entries.flow.async_configure(flow_id, data)
    return await follow(hass, flow_id) if told["type"] is FlowResultType.SHOW_PROGRESS else told


async def follow(hass: HomeAssistant, flow_id: str) -> dict:
    """Look at a flow again and again until it shows no progress any more."""
    while True:
        await hass.async_block_till_done(wait_background_tasks=True)
        told = await hass.config_entries.flow.async_configure(flow_id)
        if told["type"] is not FlowResultType.SHOW_PROGRESS:
            return told


async def test_a_model_file_becomes_an_entry_with_an_agent(hass: HomeAssistant, model_file: Path) -> None:
    flow_id = await begin(hass, "file")

    made = await submit(hass, flow_id, path=f" {model_file} ")

    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert made["data"]["path"] == str(model_file)
    assert made["result"].unique_id == made["data"]["digest"]
    assert [(s.subentry_type, s.title) for s in made["result"].subentries.values()] == [("conversation", "BotPsy")]
    assert hass.states.get("conversation.botpsy") is not None


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), (b"<html>", "no GGUF"), (b"GGUF", "truncated")],
    ids=["missing", "a web page", "cut off"],
)
async def test_a_bad_file_is_said_so_and_a_good_one_goes_on(
    hass: HomeAssistant, model_file: Path, tmp_path: Path, content: bytes | None, words: str
) -> None:
    bad = tmp_path / "bad.gguf"
    if content is not None:
        bad.write_bytes(content)
    flow_id = await begin(hass, "file")

    again = await submit(hass, flow_id, path=str(bad))
    made = await submit(hass, flow_id, path=str(model_file))

    assert again["errors"] == {"path": "model_file_invalid"}
    assert words in again["description_placeholders"]["error"]
    assert made["type"] is FlowResultType.CREATE_ENTRY


async def test_a_model_that_does_not_fit_is_turned_away(
    hass: HomeAssistant, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "BESIDE_FILE_MB", 10**9)
    flow_id = await begin(hass, "file")

    form = await submit(hass, flow_id, path=str(model_file))

    assert form["errors"] == {"path": "memory_too_small"}
    assert form["description_placeholders"]["needed"] == str(10**9)


class Broken(ScriptedEngine):
    """A model that loads nowhere."""

    async def info(self):
        raise EngineFailed("illegal instruction")


async def test_a_model_that_does_not_run_is_said_so_and_another_goes_on(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path
) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: Broken()
    flow_id = await begin(hass, "file")
    again = await submit(hass, flow_id, path=str(model_file))
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: engine

    made = await submit(hass, flow_id, path=str(model_file))

    assert again["errors"] == {"base": "trial_failed"}
    assert again["description_placeholders"]["error"] == "illegal instruction"
    assert made["type"] is FlowResultType.CREATE_ENTRY


class Slow(ScriptedEngine):
    """A model that takes a while to load."""

    async def info(self):
        await asyncio.sleep(0.01)
        return await ScriptedEngine.info(self)


async def test_the_trial_is_shown_while_it_lasts(hass: HomeAssistant, model_file: Path) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: Slow()
    flow_id = await begin(hass, "file")

    shown = await hass.config_entries.flow.async_configure(flow_id, {"path": str(model_file)})
    made = await follow(hass, flow_id)

    assert (shown["type"], shown["progress_action"]) == (FlowResultType.SHOW_PROGRESS, "trial")
    assert made["title"] == "Tiny"


class Hub:
    """A hub that gives a file out in two halves, as slowly as a test wants."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.asked: list[tuple[str, str]] = []
        self.half = threading.Event()
        self.go_on = threading.Event()
        self.fault: Exception | None = None

    def __call__(self, name, folder=None, *, quantisation="Q4", token=None, progress=None, cancelled=None) -> Path:
        self.asked.append((name, quantisation))
        progress(1, 2)
        self.half.set()
        assert self.go_on.wait(10)
        if cancelled():
            raise ModelDownloadFailed("it was stopped")
        if self.fault:
            raise self.fault
        progress(2, 2)
        return self.file


@pytest.fixture
def hub(hass: HomeAssistant, model_file: Path) -> Hub:
    made = hass.data[MODEL_FETCH] = Hub(model_file)
    return made


async def choose(hass: HomeAssistant, hub: Hub) -> str:
    """Choose the first model of the catalogue, and wait until half of it is there."""
    flow_id = await begin(hass, "catalogue")
    shown = await hass.config_entries.flow.async_configure(flow_id, {"model": "botpsy-0.8b/Q4"})
    assert (shown["type"], shown["progress_action"]) == (FlowResultType.SHOW_PROGRESS, "download")
    await hass.async_add_executor_job(hub.half.wait, 10)
    await asyncio.sleep(0.01)
    return flow_id


async def test_a_model_is_fetched_with_its_real_share(hass: HomeAssistant, hub: Hub) -> None:
    shares = async_capture_events(hass, "data_entry_flow_progress_update")
    flow_id = await choose(hass, hub)
    hub.go_on.set()

    entry = (await follow(hass, flow_id))["result"]

    assert hub.asked == [("botpsy-0.8b", "Q4")]
    assert [each.data["progress"] for each in shares] == [0.5, 1.0]
    assert entry.data["source"] == "catalogue"


async def test_closing_the_dialog_does_not_stop_the_download(hass: HomeAssistant, hub: Hub) -> None:
    flow_id = await choose(hass, hub)
    hass.config_entries.flow.async_abort(flow_id)

    menu = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    running = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "running"})
    await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "download"})
    hub.go_on.set()
    await follow(hass, menu["flow_id"])

    assert menu["menu_options"][0] == "running"
    assert running["description_placeholders"]["percent"] == "50%"
    assert len(hub.asked) == 1
    assert len(hass.config_entries.async_entries(DOMAIN)) == 1


async def test_choosing_the_same_model_again_joins_its_download(hass: HomeAssistant, hub: Hub) -> None:
    hass.config_entries.flow.async_abort(await choose(hass, hub))

    flow_id = await choose(hass, hub)
    hub.go_on.set()
    await follow(hass, flow_id)

    assert len(hub.asked) == 1
    assert len(hass.config_entries.async_entries(DOMAIN)) == 1


async def test_a_download_can_be_stopped(hass: HomeAssistant, hub: Hub) -> None:
    hass.config_entries.flow.async_abort(await choose(hass, hub))
    menu = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "running"})

    end = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "stop_download"})
    hub.go_on.set()
    await hass.async_block_till_done(wait_background_tasks=True)
    later = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})

    assert (end["type"], end["reason"]) == (FlowResultType.ABORT, "download_stopped")
    assert "running" not in later["menu_options"]


async def test_a_download_that_ended_meanwhile_is_no_longer_offered(hass: HomeAssistant, hub: Hub) -> None:
    hass.config_entries.flow.async_abort(await choose(hass, hub))
    menu = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    hub.go_on.set()
    await hass.async_block_till_done(wait_background_tasks=True)

    again = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "running"})

    assert (again["step_id"], "running" in again["menu_options"]) == ("user", False)


async def test_a_download_that_fails_is_said_so(hass: HomeAssistant, hub: Hub) -> None:
    hub.fault = ModelDownloadFailed("the disk is full")
    flow_id = await choose(hass, hub)
    hub.go_on.set()

    form = await follow(hass, flow_id)

    assert form["step_id"] == "catalogue"
    assert form["errors"] == {"base": "download_failed"}
    assert form["description_placeholders"]["error"] == "the disk is full"


async def test_a_fetched_file_that_is_no_model_is_said_so(hass: HomeAssistant, hub: Hub, tmp_path: Path) -> None:
    hub.file = tmp_path / "web page.gguf"
    await hass.async_add_executor_job(hub.file.write_text, "<html>")
    flow_id = await choose(hass, hub)
    hub.go_on.set()

    form = await follow(hass, flow_id)

    assert "no GGUF" in form["description_placeholders"]["error"]


def test_what_fits_the_machine_comes_first() -> None:
    order = [each["value"] for each in choices(1000)]

    assert order.index("smollm2-135m/Q4") < order.index("botpsy-0.8b/Q8")
    assert order.index("botpsy-0.8b/Q4") < order.index("botpsy-0.8b/BF16")
    assert title_of("botpsy-0.8b/Q4") == "BotPsy 0.8B Q4"
    assert title_of("own/model/Q4") == "own/model/Q4"


def test_a_machine_that_does_not_tell_its_memory_offers_all() -> None:
    assert len(choices(0)) == len(choices(10**6))


async def test_the_same_model_is_set_up_once(hass: HomeAssistant, model_file: Path, entry: MockConfigEntry) -> None:
    flow_id = await begin(hass, "file")

    end = await submit(hass, flow_id, path=str(model_file))

    assert (end["type"], end["reason"]) == (FlowResultType.ABORT, "already_configured")


async def test_the_model_is_swapped_and_the_agents_stay(
    hass: HomeAssistant, entry: MockConfigEntry, other_model_file: Path
) -> None:
    agents = dict(entry.subentries)
    menu = await entry.start_reconfigure_flow(hass)
    form = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "file"})

    end = await submit(hass, form["flow_id"], path=str(other_model_file))
    await hass.async_block_till_done()

    assert end["reason"] == "reconfigure_successful"
    assert entry.data["path"] == str(other_model_file)
    assert entry.unique_id == entry.data["digest"]
    assert entry.subentries == agents


async def test_the_same_model_may_be_chosen_again(
    hass: HomeAssistant, entry: MockConfigEntry, model_file: Path
) -> None:
    menu = await entry.start_reconfigure_flow(hass)
    form = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "file"})

    end = await submit(hass, form["flow_id"], path=str(model_file))

    assert end["reason"] == "reconfigure_successful"


async def test_swapping_to_a_model_of_another_entry_is_turned_away(
    hass: HomeAssistant, entry: MockConfigEntry, other_model_file: Path
) -> None:
    flow_id = await begin(hass, "file")
    await submit(hass, flow_id, path=str(other_model_file))
    menu = await entry.start_reconfigure_flow(hass)
    form = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "file"})

    end = await submit(hass, form["flow_id"], path=str(other_model_file))

    assert end["reason"] == "already_configured"


async def test_the_pin_is_kept_as_a_hash_and_never_shown(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    form = await hass.config_entries.options.async_init(entry.entry_id)

    await hass.config_entries.options.async_configure(form["flow_id"], {"pin": "4711"})
    await hass.async_block_till_done()

    assert "4711" not in str(entry.options)
    assert PinHash(**entry.options["pin_hash"]).fits("4711")


async def test_the_pin_stays_where_none_is_given_and_goes_when_asked(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    for given in ({"pin": "4711"}, {}):
        form = await hass.config_entries.options.async_init(entry.entry_id)
        await hass.config_entries.options.async_configure(form["flow_id"], given)
        assert PinHash(**entry.options["pin_hash"]).fits("4711")
    form = await hass.config_entries.options.async_init(entry.entry_id)

    await hass.config_entries.options.async_configure(form["flow_id"], {"remove_pin": True})
    await hass.async_block_till_done()

    assert "pin_hash" not in entry.options


async def test_a_short_pin_is_turned_away(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    form = await hass.config_entries.options.async_init(entry.entry_id)

    again = await hass.config_entries.options.async_configure(form["flow_id"], {"pin": "12"})

    assert again["errors"] == {"pin": "pin_too_short"}


async def test_a_second_agent_is_added_and_changed(
    hass: HomeAssistant, entry: MockConfigEntry, hass_admin_user: MockUser
) -> None:
    form = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    made = await hass.config_entries.subentries.async_configure(
        form["flow_id"], {"name": "Children", "max_history": 4, "users": [hass_admin_user.id]}
    )
    await hass.async_block_till_done()
    second = next(each for each in entry.subentries.values() if each.title == "Children")
    again = await entry.start_subentry_reconfigure_flow(hass, second.subentry_id)
    end = await hass.config_entries.subentries.async_configure(again["flow_id"], {"max_history": 8})
    await hass.async_block_till_done()

    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert end["reason"] == "reconfigure_successful"
    assert entry.subentries[second.subentry_id].data["max_history"] == 8
    assert hass.states.get("conversation.children") is not None


async def test_a_server_becomes_an_entry(hass: HomeAssistant) -> None:
    flow_id = await begin(hass, "server")

    made = await submit(hass, flow_id, url=" http://model.local:8080/ ", model="small")

    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert made["title"] == "small"
    assert {key: made["data"][key] for key in ("source", "url", "model")} == {
        "source": "server",
        "url": "http://model.local:8080",
        "model": "small",
    }


async def test_a_server_may_have_a_file_that_answers_while_it_is_gone(hass: HomeAssistant, model_file: Path) -> None:
    flow_id = await begin(hass, "server")
    again = await submit(hass, flow_id, url="http://model.local:8080", fallback="/nowhere.gguf")
    assert again["errors"] == {"fallback": "model_file_invalid"}

    made = await submit(hass, again["flow_id"], url="http://model.local:8080", fallback=str(model_file))

    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert made["data"]["source"] == "server"
    assert made["data"]["fallback"] == str(model_file)
    hass.data.pop(ENGINE_BUILDER)
    assert isinstance(await async_build_engine(hass, made["data"]), FallbackEngine)


async def test_a_server_that_does_not_answer_is_said_so_and_what_was_typed_is_kept(
    hass: HomeAssistant, engine: ScriptedEngine, aioclient_mock: AiohttpClientMocker
) -> None:
    hass.data.pop(ENGINE_BUILDER)
    for method in ("get", "post"):
        aioclient_mock.request(method, re.compile("model.local"), exc=ClientConnectionError("refused"))
    flow_id = await begin(hass, "server")

    again = await submit(hass, flow_id, url="http://model.local:8080")

    assert again["errors"] == {"base": "trial_failed"}
    assert "model.local" in again["description_placeholders"]["error"]
    suggested = {str(key): key.description for key in again["data_schema"].schema}
    assert suggested["url"] == {"suggested_value": "http://model.local:8080"}


async def test_a_failed_entry_is_mended_by_another_model(hass: HomeAssistant, model_file: Path) -> None:
    entry = MockConfigEntry(domain=DOMAIN, data={"source": "file", "path": "/nowhere.gguf", "digest": "d"})
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    menu = await entry.start_reconfigure_flow(hass)
    form = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "file"})

    end = await submit(hass, form["flow_id"], path=str(model_file))
    await hass.async_block_till_done()

    assert end["reason"] == "reconfigure_successful"
    assert entry.state is ConfigEntryState.LOADED


async def test_a_model_here_may_be_given_bounds_that_its_engine_keeps(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    hass.data.pop(ENGINE_BUILDER)
    form = await hass.config_entries.options.async_init(entry.entry_id)
    await hass.config_entries.options.async_configure(form["flow_id"], {"idle_unload": 30, "memory_limit": 1024})

    engine = await async_build_engine(hass, engine_data(entry))

    assert isinstance(engine, LocalEngine)
    assert (engine.settings.idle_unload_s, engine.settings.memory_limit_mb) == (1800.0, 1024)


async def test_a_model_on_a_server_has_no_memory_here(hass: HomeAssistant) -> None:
    entry = MockConfigEntry(domain=DOMAIN, data={"source": "server", "url": "http://server:8080"})
    entry.add_to_hass(hass)

    form = await hass.config_entries.options.async_init(entry.entry_id)

    assert {"idle_unload", "memory_limit"} & {str(key) for key in form["data_schema"].schema} == set()


async def test_each_agent_thinks_or_not(hass: HomeAssistant, model_file: Path) -> None:
    wise = ConfigSubentryData(
        data={"max_history": 20, "thinking": True}, subentry_type="conversation", title="Wise", unique_id=None
    )
    entry = await load(hass, model_file, wise)

    thinks = {
        entry.subentries[key].title: each.limits.thinking is not None
        for key, each in entry.runtime_data.speakers.items()
        if key
    }

    assert thinks == {"BotPsy": False, "Wise": True}
