"""What automations, scripts and programs call."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_capture_events,
    async_fire_time_changed,
)

from botpsy_core.engine import ScriptedEngine
from custom_components.botpsy.pins import hashed
from tests.component.loading import load
from tests.component.world import World

type Do = Callable[..., Awaitable[dict[str, Any]]]

OPEN = {"device_class": "garage", "supported_features": 3}


@pytest.fixture
def do(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> Do:
    async def done(action: str, *, context: Context | None = None, **data: Any) -> dict[str, Any]:
        answer = await hass.services.async_call(
            "botpsy", action, data, blocking=True, return_response=True, context=context
        )
        assert answer is not None
        return dict(answer)

    return done


async def test_run_does_it_and_tells_what(hass: HomeAssistant, do: Do) -> None:
    answer = await do("run", text="turn on the kitchen light")

    assert hass.states.is_state("light.kitchen_light", "on")
    assert {key: answer[key] for key in ("status", "reason", "pending", "verdicts")} == {
        "status": "done",
        "reason": None,
        "pending": None,
        "verdicts": ["allow"],
    }
    assert answer["calls"] == [{"name": "turn_on", "args": {"target": ["light.kitchen_light"]}, "outcome": "done"}]
    assert answer["reply"]


async def test_run_refuses_with_a_reason(do: Do) -> None:
    answer = await do("run", text="order a pizza")

    assert answer["status"] == "refused"
    assert answer["reason"] == "no_suitable_tool"
    assert answer["calls"] == []


async def test_a_dry_run_decides_and_does_nothing(hass: HomeAssistant, do: Do) -> None:
    answer = await do("run", text="turn on the kitchen light", dry_run=True)

    assert answer["verdicts"] == ["allow"]
    assert answer["calls"] == []
    assert hass.states.is_state("light.kitchen_light", "off")


@pytest.mark.parametrize("only", [{"tools": ["turn_off"]}, {"entities": ["light.bedroom_light"]}])
async def test_an_allow_list_holds(
    hass: HomeAssistant, do: Do, engine: ScriptedEngine, only: dict[str, list[str]]
) -> None:
    engine._script.append('<tool_call>\n{"name": "no_suitable_tool", "arguments": {}}\n</tool_call>')

    answer = await do("run", text="turn on the kitchen light", **only)

    assert answer["status"] == "refused"
    assert hass.states.is_state("light.kitchen_light", "off")


async def test_only_what_is_in_the_named_areas_may_be_acted_on(
    hass: HomeAssistant, world: World, do: Do, engine: ScriptedEngine
) -> None:
    engine._script.append('<tool_call>\n{"name": "no_suitable_tool", "arguments": {}}\n</tool_call>')

    there = await do("run", text="turn on the kitchen light", areas=[world.rooms["Kitchen"]])
    elsewhere = await do("run", text="turn on the bedroom light", areas=[world.rooms["Kitchen"]])

    assert (there["status"], elsewhere["status"]) == ("done", "refused")
    assert hass.states.is_state("light.bedroom_light", "off")


async def test_an_area_beside_named_things_adds_to_them(hass: HomeAssistant, world: World, do: Do) -> None:
    only = {"areas": [world.rooms["Kitchen"]], "entities": ["light.bedroom_light"]}

    answer = await do("run", text="turn on the bedroom light", **only)

    assert answer["status"] == "done"


async def test_an_act_for_a_person_has_their_rights_and_waits_for_them(
    hass: HomeAssistant, do: Do, hass_read_only_user: MockUser, hass_admin_user: MockUser
) -> None:
    hass.states.async_set("person.guest", "home", {"user_id": hass_read_only_user.id})
    hass.states.async_set("person.anna", "home", {"user_id": hass_admin_user.id})
    hass.states.async_set("cover.garage_door", "open", OPEN)

    denied = await do("run", text="turn on the kitchen light", person="person.guest")
    asked = await do("run", text="close the garage door", person="person.anna")
    other = Context(user_id=hass_read_only_user.id)
    no = await do("confirm", pending=asked["pending"], accept=True, context=other)

    assert denied["reason"] == "not_allowed"
    assert asked["status"] == "asked"
    assert no["status"] != "done"
    assert hass.states.is_state("cover.garage_door", "open")


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"areas": ["attic"]}, "unknown_area"),
        ({"person": "person.nobody"}, "person_without_user"),
    ],
)
async def test_a_wrong_bound_is_said_so(do: Do, data: dict[str, Any], key: str) -> None:
    with pytest.raises(ServiceValidationError) as caught:
        await do("run", text="turn on the kitchen light", **data)

    assert caught.value.translation_key == key


async def test_nobody_but_an_administrator_acts_in_another_name(
    hass: HomeAssistant, do: Do, hass_read_only_user: MockUser, hass_admin_user: MockUser
) -> None:
    hass.states.async_set("person.anna", "home", {"user_id": hass_admin_user.id})

    with pytest.raises(ServiceValidationError) as caught:
        await do("run", text="x", person="person.anna", context=Context(user_id=hass_read_only_user.id))

    assert caught.value.translation_key == "not_for_others"


async def test_an_agent_of_some_is_not_lent_by_an_action(
    hass: HomeAssistant, world: World, model_file: Path, hass_admin_user: MockUser, hass_read_only_user: MockUser
) -> None:
    own = {"data": {"users": [hass_admin_user.id]}, "subentry_type": "conversation", "title": "Mine", "unique_id": None}
    await load(hass, model_file, own)
    stranger = Context(user_id=hass_read_only_user.id)

    with pytest.raises(ServiceValidationError) as caught:
        await hass.services.async_call(
            "botpsy", "run", {"text": "x", "agent_id": "conversation.mine"}, blocking=True, context=stranger
        )

    assert caught.value.translation_key == "not_your_agent"


async def test_an_agent_can_be_more_careful_than_its_model(hass: HomeAssistant, world: World, model_file: Path) -> None:
    strict = {"data": {"policy": "strict"}, "subentry_type": "conversation", "title": "Strict", "unique_id": None}
    await load(hass, model_file, strict)

    async def status(agent: str) -> str:
        answer = await hass.services.async_call(
            "conversation",
            "process",
            {"text": "turn on the kitchen light", "agent_id": agent},
            blocking=True,
            return_response=True,
        )
        speech: str = answer["response"]["speech"]["plain"]["speech"]
        return speech

    asked = await status("conversation.strict")
    off = hass.states.is_state("light.kitchen_light", "off")
    await status("conversation.botpsy")

    assert asked.endswith("?")
    assert off
    assert hass.states.is_state("light.kitchen_light", "on")


async def test_an_automation_runs_it(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> None:
    automation = {
        "trigger": {"platform": "event", "event_type": "evening"},
        "action": [
            {"action": "botpsy.run", "data": {"text": "turn on the kitchen light"}, "response_variable": "answer"},
            {"event": "told", "event_data": {"status": "{{ answer.status }}"}},
        ],
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    told = async_capture_events(hass, "told")

    hass.bus.async_fire("evening")
    await hass.async_block_till_done()

    assert [each.data["status"] for each in told] == ["done"]
    assert hass.states.is_state("light.kitchen_light", "on")


async def test_a_risky_act_of_an_automation_waits_for_a_person(
    hass: HomeAssistant, do: Do, hass_admin_user: MockUser
) -> None:
    hass.states.async_set("cover.garage_door", "open", OPEN)

    asked = await do("run", text="close the garage door")
    alone = await do("confirm", pending=asked["pending"], accept=True)
    person = Context(user_id=hass_admin_user.id)
    done = await do("confirm", pending=asked["pending"], accept=True, context=person)

    assert asked["status"] == "asked"
    assert alone["status"] != "done"
    assert done["status"] == "done"
    assert hass.states.is_state("cover.garage_door", "closed")


async def test_no_is_taken_for_no(hass: HomeAssistant, do: Do, hass_admin_user: MockUser) -> None:
    hass.states.async_set("cover.garage_door", "open", OPEN)
    person = Context(user_id=hass_admin_user.id)
    asked = await do("run", text="close the garage door")

    denied = await do("confirm", pending=asked["pending"], accept=False, context=person)
    late = await do("confirm", pending=asked["pending"], accept=True, context=person)

    assert denied["reason"] == "denied"
    assert late["reason"] == "expired"
    assert hass.states.is_state("cover.garage_door", "open")


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"accept": True}, "nothing_to_confirm"),
        ({"pending": "x", "accept": True, "agent_id": "conversation.nobody"}, "unknown_agent"),
    ],
)
async def test_a_wrong_call_is_said_so(do: Do, data: dict[str, Any], key: str) -> None:
    with pytest.raises(ServiceValidationError) as caught:
        await do("confirm", **data)

    assert caught.value.translation_key == key


async def test_without_a_model_the_action_says_so(hass: HomeAssistant, do: Do, entry: MockConfigEntry) -> None:
    await hass.config_entries.async_unload(entry.entry_id)

    with pytest.raises(ServiceValidationError) as caught:
        await do("run", text="turn on the kitchen light")

    assert caught.value.translation_key == "not_loaded"


async def test_sentences_of_one_conversation_know_each_other(hass: HomeAssistant, do: Do) -> None:
    first = await do("run", text="turn on the kitchen light")

    await do("run", text="turn it off again", conversation_id=first["conversation_id"])

    assert hass.states.is_state("light.kitchen_light", "off")


async def test_a_question_is_cancelled(hass: HomeAssistant, do: Do) -> None:
    hass.states.async_set("cover.garage_door", "open", OPEN)
    asked = await do("run", text="close the garage door")

    cancelled = await do("cancel", pending=asked["pending"])
    late = await do("confirm", pending=asked["pending"], accept=True)

    assert cancelled["reason"] == "denied"
    assert late["reason"] == "expired"


async def test_what_was_done_is_undone(hass: HomeAssistant, do: Do) -> None:
    done = await do("run", text="turn on the kitchen light")
    lit = hass.states.is_state("light.kitchen_light", "on")

    undone = await do("undo", conversation_id=done["conversation_id"])
    nothing = await do("undo", conversation_id="elsewhere")

    assert lit
    assert undone["status"] == "done"
    assert hass.states.is_state("light.kitchen_light", "off")
    assert nothing["status"] == "refused"


async def test_nobody_undoes_what_another_did(hass: HomeAssistant, do: Do, hass_admin_user: MockUser) -> None:
    done = await do("run", text="turn on the kitchen light")

    theirs = await do("undo", conversation_id=done["conversation_id"], context=Context(user_id=hass_admin_user.id))

    assert theirs["status"] == "refused"
    assert hass.states.is_state("light.kitchen_light", "on")


@pytest.mark.parametrize("again", ["reload", "a hard end"])
async def test_wrong_pins_count_over_a_restart_until_the_right_one(
    hass: HomeAssistant,
    do: Do,
    entry: MockConfigEntry,
    hass_admin_user: MockUser,
    hass_storage: dict[str, Any],
    again: str,
) -> None:
    pin = await hass.async_add_executor_job(hashed, "4711")
    hass.config_entries.async_update_entry(entry, options={"pin_hash": pin})
    await hass.async_block_till_done()
    person = Context(user_id=hass_admin_user.id)
    kept = f"botpsy.attempts.{entry.entry_id}"

    async def try_pins(*pins: str) -> list[str | None]:
        asked = await do("run", text="unlock the front door", context=person)
        if asked["pending"] is None:
            return [asked["reason"]]
        answers = [await do("confirm", pending=asked["pending"], pin=each, context=person) for each in pins]
        return [each["reason"] for each in answers]

    async def restart() -> None:
        if again == "reload":
            assert await hass.config_entries.async_reload(entry.entry_id)
        else:  # what stands in the storage is all that is left
            entry.runtime_data.closers.clear()
            async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=1))
            await hass.async_block_till_done()
            assert await hass.config_entries.async_reload(entry.entry_id)

    before = await try_pins("1111", "2222")
    await restart()
    locked = await try_pins("3333")
    await restart()
    still = await try_pins("4711")

    assert (before, locked, still) == (["wrong_pin", "wrong_pin"], ["locked_out"], ["locked_out"])
    assert hass.states.is_state("lock.front_door", "locked")
    assert "4711" not in str(hass_storage[kept])
    assert await hass.config_entries.async_remove(entry.entry_id)
    assert kept not in hass_storage
