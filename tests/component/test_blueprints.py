"""Every blueprint, in a real automation of a real Home Assistant."""

from datetime import timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_fire_time_changed,
    async_mock_service,
)

from tests.component.world import World

FOLDER = Path(__file__).parents[2] / "blueprints" / "automation" / "botpsy"
OPEN = {"device_class": "garage", "supported_features": 3}


@pytest.fixture(autouse=True)
async def installed(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> None:
    target = Path(hass.config.path("blueprints", "automation", "botpsy"))
    await hass.async_add_executor_job(lambda: copytree(FOLDER, target))


@pytest.fixture
def expected_lingering_timers() -> bool:
    """An automation that runs at a time of the day waits for the next day."""
    return True


@pytest.fixture
def phone(hass: HomeAssistant) -> list[ServiceCall]:
    return async_mock_service(hass, "notify", "mobile_app_phone")


async def use(hass: HomeAssistant, name: str, **given: Any) -> None:
    blueprint = {"path": f"botpsy/{name}.yaml", "input": given}
    assert await async_setup_component(hass, "automation", {"automation": {"use_blueprint": blueprint}})
    await hass.async_block_till_done()
    assert hass.states.async_entity_ids_count("automation") == 1


async def say(hass: HomeAssistant, text: str) -> dict[str, Any]:
    answer = await hass.services.async_call("botpsy", "run", {"text": text}, blocking=True, return_response=True)
    await hass.async_block_till_done()
    assert answer is not None
    return dict(answer)


async def press(hass: HomeAssistant, button: str, user_id: str | None) -> None:
    hass.bus.async_fire("mobile_app_notification_action", {"action": button}, context=Context(user_id=user_id))
    await hass.async_block_till_done()


def test_all_blueprints_are_tested_here() -> None:
    told = Path(__file__).read_text()

    assert all(f'"{each.stem}"' in told for each in FOLDER.iterdir())


@pytest.mark.parametrize(("button", "state"), [(0, "closed"), (1, "open")])
async def test_a_question_is_answered_on_a_phone(
    hass: HomeAssistant, phone: list[ServiceCall], hass_admin_user: MockUser, button: int, state: str
) -> None:
    hass.states.async_set("cover.garage_door", "open", OPEN)
    await use(hass, "ask_by_phone", phone="notify.mobile_app_phone")
    await say(hass, "close the garage door")
    (question,) = phone

    await press(hass, question.data["data"]["actions"][button]["action"], hass_admin_user.id)

    assert question.data["message"].endswith("?")
    assert hass.states.is_state("cover.garage_door", state)
    assert len(phone) == 2


async def test_a_button_that_nobody_pressed_answers_nothing(hass: HomeAssistant, phone: list[ServiceCall]) -> None:
    hass.states.async_set("cover.garage_door", "open", OPEN)
    await use(hass, "ask_by_phone", phone="notify.mobile_app_phone")
    await say(hass, "close the garage door")

    await press(hass, phone[0].data["data"]["actions"][0]["action"], None)

    assert hass.states.is_state("cover.garage_door", "open")


@pytest.mark.parametrize(("reasons", "stopped"), [([], 1), (["no_suitable_tool"], 1), (["absent_device"], 0)])
async def test_a_refusal_stops_what_the_owner_wants_stopped(
    hass: HomeAssistant, reasons: list[str], stopped: int
) -> None:
    stops = async_mock_service(hass, "test", "stop")
    stop = [{"action": "test.stop", "data": {"reason": "{{ reason }}", "reply": "{{ reply }}"}}]
    await use(hass, "safety_stop", reasons=reasons, stop=stop)

    refused = await say(hass, "order a pizza")

    assert [each.data["reply"] for each in stops] == [refused["reply"]] * stopped


async def test_the_morning_begins_with_a_briefing(
    hass: HomeAssistant, world: World, freezer: FrozenDateTimeFactory
) -> None:
    told = async_mock_service(hass, "test", "tell")
    await hass.services.async_call(
        "todo", "add_item", {"item": "milk", "entity_id": "todo.shopping_list"}, blocking=True
    )
    tell = [{"action": "test.tell", "data": {"text": "{{ briefing }}"}}]
    questions = ["What is on the shopping list?", "Turn on the kitchen light"]
    freezer.move_to(dt_util.start_of_local_day() + timedelta(days=1, hours=6, minutes=59, seconds=59))
    await use(hass, "morning_briefing", questions=questions, tell=tell)

    freezer.tick(2)
    async_fire_time_changed(hass)
    await hass.async_block_till_done()

    assert "milk" in told[0].data["text"]
    assert hass.states.is_state("light.kitchen_light", "off")


@pytest.mark.parametrize(("sentence", "failures"), [("Turn on the kitchen light", 0), ("Turn on the old plug", 1)])
async def test_a_plan_is_carried_out_or_its_failure_told(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, sentence: str, failures: int
) -> None:
    told = async_mock_service(hass, "test", "tell")
    freezer.move_to(dt_util.start_of_local_day() + timedelta(days=1, hours=22, minutes=59, seconds=59))
    failed = [{"action": "test.tell", "data": {"text": "{{ reply }}"}}]
    await use(hass, "charge_by_plan", sentence=sentence, tools=["turn_on"], failed=failed)

    freezer.tick(2)
    async_fire_time_changed(hass)
    await hass.async_block_till_done()

    assert len(told) == failures
    assert hass.states.is_state("light.kitchen_light", "off" if failures else "on")


async def test_a_door_that_stays_open_is_asked_about(
    hass: HomeAssistant, entry: MockConfigEntry, freezer: FrozenDateTimeFactory
) -> None:
    await use(hass, "door_left_open", door="cover.garage_door", minutes=5)
    hass.states.async_set("cover.garage_door", "open", OPEN)
    await hass.async_block_till_done()

    freezer.tick(301)
    async_fire_time_changed(hass)
    await hass.async_block_till_done()

    assert entry.runtime_data.news.last_turn is not None
    assert entry.runtime_data.news.last_turn.status == "asked"
