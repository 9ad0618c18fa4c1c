"""From an empty Home Assistant to a working agent, with nothing but the UI."""

from pathlib import Path

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from botpsy_core.safety import PinHash
from custom_components.botpsy import engines
from custom_components.botpsy.const import DOMAIN


async def begin(hass: HomeAssistant, source: str) -> str:
    """Open the flow and choose where the model comes from."""
    flow = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert flow["type"] is FlowResultType.MENU
    form = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": source})
    assert (form["type"], form["step_id"], form["errors"]) == (FlowResultType.FORM, source, {})
    return form["flow_id"]


async def test_a_model_file_becomes_an_entry_with_an_agent(hass: HomeAssistant, model_file: Path) -> None:
    flow_id = await begin(hass, "file")

    made = await hass.config_entries.flow.async_configure(flow_id, {"path": f" {model_file} "})
    await hass.async_block_till_done()

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

    again = await hass.config_entries.flow.async_configure(flow_id, {"path": str(bad)})
    made = await hass.config_entries.flow.async_configure(flow_id, {"path": str(model_file)})

    assert again["errors"] == {"path": "model_file_invalid"}
    assert words in again["description_placeholders"]["error"]
    assert made["type"] is FlowResultType.CREATE_ENTRY


async def test_a_model_that_does_not_fit_is_turned_away(
    hass: HomeAssistant, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "WORKING_MEMORY_MB", 1 << 30)
    flow_id = await begin(hass, "file")

    form = await hass.config_entries.flow.async_configure(flow_id, {"path": str(model_file)})

    assert form["errors"] == {"path": "memory_too_small"}
    assert form["description_placeholders"]["needed"] == str(1 << 30)


async def test_the_same_model_is_set_up_once(hass: HomeAssistant, model_file: Path, entry: MockConfigEntry) -> None:
    flow_id = await begin(hass, "file")

    end = await hass.config_entries.flow.async_configure(flow_id, {"path": str(model_file)})

    assert (end["type"], end["reason"]) == (FlowResultType.ABORT, "already_configured")


async def test_the_model_is_swapped_and_the_agents_stay(
    hass: HomeAssistant, entry: MockConfigEntry, other_model_file: Path
) -> None:
    agents = dict(entry.subentries)
    menu = await entry.start_reconfigure_flow(hass)
    form = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "file"})

    end = await hass.config_entries.flow.async_configure(form["flow_id"], {"path": str(other_model_file)})
    await hass.async_block_till_done()

    assert end["reason"] == "reconfigure_successful"
    assert entry.data["path"] == str(other_model_file)
    assert entry.unique_id == entry.data["digest"]
    assert entry.subentries == agents


async def test_swapping_to_a_model_of_another_entry_is_turned_away(
    hass: HomeAssistant, entry: MockConfigEntry, other_model_file: Path
) -> None:
    flow_id = await begin(hass, "file")
    await hass.config_entries.flow.async_configure(flow_id, {"path": str(other_model_file)})
    menu = await entry.start_reconfigure_flow(hass)
    form = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "file"})

    end = await hass.config_entries.flow.async_configure(form["flow_id"], {"path": str(other_model_file)})

    assert end["reason"] == "already_configured"


async def test_the_pin_is_kept_as_a_hash_and_never_shown(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    form = await hass.config_entries.options.async_init(entry.entry_id)

    await hass.config_entries.options.async_configure(form["flow_id"], {"pin": "4711", "mqtt_requests": False})
    await hass.async_block_till_done()

    assert "4711" not in str(entry.options)
    assert PinHash(**entry.options["pin_hash"]).fits("4711")


async def test_the_pin_stays_where_none_is_given_and_goes_when_asked(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    for given in ({"pin": "4711"}, {}):
        form = await hass.config_entries.options.async_init(entry.entry_id)
        await hass.config_entries.options.async_configure(form["flow_id"], {"mqtt_requests": False, **given})
        assert PinHash(**entry.options["pin_hash"]).fits("4711")
    form = await hass.config_entries.options.async_init(entry.entry_id)

    await hass.config_entries.options.async_configure(form["flow_id"], {"mqtt_requests": False, "remove_pin": True})

    assert "pin_hash" not in entry.options


async def test_a_short_pin_is_turned_away(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    form = await hass.config_entries.options.async_init(entry.entry_id)

    again = await hass.config_entries.options.async_configure(form["flow_id"], {"pin": "12", "mqtt_requests": False})

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
