"""Messages with a title and urgent ones, through the whole house, judged by what the notifier received."""

from collections.abc import Mapping
from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.notify import NotifyEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from tests.component.world import World

PUSH = "https://push.example/send"


async def run(hass: HomeAssistant, text: str, language: str = "en") -> dict[str, Any]:
    answer = await hass.services.async_call(
        "botpsy", "run", {"text": text, "language": language}, blocking=True, return_response=True
    )
    assert answer is not None
    return dict(answer)


@pytest.fixture
async def pushed(hass: HomeAssistant, world: World, entry: MockConfigEntry, aioclient_mock: AiohttpClientMocker) -> Any:
    """Return what is pushed to a phone with the companion app, named Pixel."""
    aioclient_mock.post(PUSH, json={}, status=201)
    data = {
        "app_data": {"push_token": "token", "push_url": PUSH},
        "app_id": "io.homeassistant.companion.android",
        "app_name": "Home Assistant",
        "app_version": "1",
        "device_id": "pixel",
        "device_name": "Pixel",
        "manufacturer": "Google",
        "model": "Pixel",
        "os_name": "Android",
        "os_version": "16",
        "supports_encryption": False,
        "user_id": "someone",
        "webhook_id": "pixel-hook",
    }
    MockConfigEntry(domain="mobile_app", data=data, title="Pixel").add_to_hass(hass)
    assert await async_setup_component(hass, "mobile_app", {})
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "notify.pixel", should_expose=True)
    await hass.async_block_till_done()

    def sent() -> list[Mapping[str, Any]]:
        calls = [body for _, url, body, _ in aioclient_mock.mock_calls if str(url) == PUSH]
        return [{key: body[key] for key in ("message", "title", "data") if key in body} for body in calls]

    return sent


LOUD = {"ttl": 0, "priority": "high", "push": {"interruption-level": "critical"}}


@pytest.mark.parametrize(
    ("say", "sent"),
    [
        ("send an urgent message to Pixel that water is coming in", {"message": "water is coming in", "data": LOUD}),
        (
            "send an urgent message titled Water to Pixel saying water is coming in",
            {"message": "water is coming in", "title": "Water", "data": LOUD},
        ),
        ("send a message titled Dinner to Pixel saying it is ready", {"message": "it is ready", "title": "Dinner"}),
        ("send a message to Pixel that it is urgent", {"message": "it is urgent"}),
        ("send a normal message to Pixel that we leave", {"message": "we leave"}),
    ],
)
async def test_a_phone_with_the_app_gets_the_title_and_rings(
    hass: HomeAssistant, pushed: Any, say: str, sent: Mapping[str, Any]
) -> None:
    answer = await run(hass, say)

    assert pushed() == [sent]
    assert answer["status"] == "done"
    assert ("urgent." in answer["reply"]) == ("data" in sent)


async def test_a_title_that_would_be_dropped_stands_in_the_text(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    await run(hass, "send a message titled Dinner to Anna's phone saying it is ready")
    assert world.phone.messages == ["Dinner: it is ready"]


async def test_a_title_that_is_taken_stays_one(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> None:
    world.phone._attr_supported_features = NotifyEntityFeature.TITLE
    world.phone.async_write_ha_state()
    await run(hass, "send a message titled Dinner to Anna's phone saying it is ready")
    assert (world.phone.messages, world.phone.titles) == (["it is ready"], ["Dinner"])


async def test_what_cannot_be_sent_as_urgent_is_said(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> None:
    answer = await run(hass, "send an urgent message to Anna's phone that water is coming in")
    assert world.phone.messages == ["water is coming in"]
    assert "ordinary message" in answer["reply"]
    assert "Anna's phone" in answer["reply"]


async def test_the_urgent_way_is_no_way_around_the_owners_list(
    hass: HomeAssistant, entry: MockConfigEntry, pushed: Any
) -> None:
    hass.config_entries.async_update_entry(entry, options={**entry.options, "recipients": ["notify.anna_s_phone"]})
    await hass.async_block_till_done()
    answer = await run(hass, "send an urgent message to Pixel that water is coming in")

    assert pushed() == []
    assert answer["status"] == "refused"
