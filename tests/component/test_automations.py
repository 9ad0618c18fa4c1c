"""Triggers, conditions and logbook lines, through real automations."""

from collections.abc import Callable
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Event, HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_capture_events

from botpsy_core.domain.verdicts import Reason
from custom_components.botpsy.condition import CONDITIONS
from custom_components.botpsy.logbook import async_describe_events
from custom_components.botpsy.trigger import TRIGGERS
from tests.component.world import World

SENTENCES = {
    "done": "turn on the kitchen light",
    "refused": "order a pizza",
    "asked": "close the garage door",
    "failed": "turn on the old plug",
}


async def automate(
    hass: HomeAssistant, trigger: dict[str, Any], condition: dict[str, Any] | None = None
) -> list[Event]:
    """Set an automation up that tells when it ran."""
    told = {"event": "ran", "event_data": {"reply": "{{ trigger.reply }}", "reason": "{{ trigger.reason }}"}}
    automation = {"triggers": [trigger], "conditions": [condition] if condition else [], "actions": [told]}
    assert await async_setup_component(hass, "automation", {"automation": automation})
    await hass.async_block_till_done()
    return async_capture_events(hass, "ran")


async def say(hass: HomeAssistant, text: str) -> dict[str, Any]:
    answer = await hass.services.async_call("botpsy", "run", {"text": text}, blocking=True, return_response=True)
    await hass.async_block_till_done()
    assert answer is not None
    return dict(answer)


@pytest.fixture(autouse=True)
def home(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> None:
    hass.states.async_set("cover.garage_door", "open", {"device_class": "garage", "supported_features": 3})


@pytest.mark.parametrize("name", sorted(TRIGGERS))
async def test_a_trigger_fires_for_its_ending_and_no_other(hass: HomeAssistant, name: str) -> None:
    ran = await automate(hass, {"trigger": f"botpsy.{name}"})

    replies = {ending: (await say(hass, text))["reply"] for ending, text in SENTENCES.items()}

    assert [each.data["reply"] for each in ran] == [replies[name]]


async def test_answering_a_question_is_no_act(hass: HomeAssistant) -> None:
    ran = await automate(hass, {"trigger": "botpsy.done"})

    await say(hass, "is the kitchen light on?")

    assert ran == []


@pytest.mark.parametrize(
    ("options", "fires"),
    [
        ({"reason": ["no_suitable_tool"]}, True),
        ({"reason": ["absent_device"]}, False),
        ({"agent_id": ["conversation.other"]}, False),
    ],
)
async def test_a_trigger_counts_only_what_it_is_told_to(
    hass: HomeAssistant, options: dict[str, Any], *, fires: bool
) -> None:
    ran = await automate(hass, {"trigger": "botpsy.refused", "options": options})

    await say(hass, "order a pizza")

    assert bool(ran) is fires


def test_every_reason_can_be_chosen() -> None:
    schema = TRIGGERS["refused"]._schema

    assert schema({"options": {"reason": [reason.value for reason in Reason]}})


async def test_the_last_turn_is_a_condition(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    event = {"trigger": "event", "event_type": "look"}
    options = {"status": ["refused"], "within": {"minutes": 5}}
    ran = await automate(hass, event, {"condition": "botpsy.last_turn", "options": options})

    async def look() -> int:
        hass.bus.async_fire("look")
        await hass.async_block_till_done()
        return len(ran)

    never = await look()
    await say(hass, "turn on the kitchen light")
    done = await look()
    await say(hass, "order a pizza")
    refused = await look()
    freezer.tick(600)
    later = await look()

    assert (never, done, refused, later) == (0, 0, 1, 1)


async def test_whether_acts_go_out_is_a_condition(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    ran = await automate(hass, {"trigger": "event", "event_type": "look"}, {"condition": "botpsy.is_acting"})

    for held in (False, True):
        entry.runtime_data.acting = not held
        hass.bus.async_fire("look")
        await hass.async_block_till_done()

    assert len(ran) == 1
    assert set(CONDITIONS) == {"is_acting", "last_turn"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("turn on the kitchen light", "acted: Turned on"),
        ("order a pizza", "refused: "),
        ("close the garage door", "asked: "),
        ("is the kitchen light on?", "answered"),
    ],
)
async def test_the_logbook_tells_it_in_plain_words(hass: HomeAssistant, text: str, line: str) -> None:
    described: dict[str, Callable[[Event], dict[str, Any]]] = {}
    async_describe_events(hass, lambda _domain, event, describe: described.update({event: describe}))
    turns = async_capture_events(hass, "botpsy_turn")
    data = {"text": text, "agent_id": "conversation.botpsy"}
    await hass.services.async_call("botpsy", "run", data, blocking=True)

    entry = described["botpsy_turn"](turns[0])

    assert (entry["name"], entry["entity_id"]) == ("BotPsy", "conversation.botpsy")
    assert entry["message"].startswith(line)


async def test_the_logbook_tells_of_a_caller_that_is_no_agent(hass: HomeAssistant) -> None:
    described: dict[str, Callable[[Event], dict[str, Any]]] = {}
    async_describe_events(hass, lambda _domain, event, describe: described.update({event: describe}))
    turns = async_capture_events(hass, "botpsy_turn")
    await say(hass, "order a pizza")

    entry = described["botpsy_turn"](turns[0])

    assert entry["name"] == "BotPsy"
    assert "entity_id" not in entry
