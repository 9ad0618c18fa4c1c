"""Home Assistant's own timers, by voice: on the satellite that was spoken to, or as a message to the asker."""

from collections.abc import Callable

import pytest
from homeassistant.components.conversation import async_converse
from homeassistant.components.intent import TimerEventType, TimerInfo, async_register_timer_handler
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from tests.component.world import World

AGENT = "conversation.botpsy"
Say = Callable[..., object]


@pytest.fixture
async def rung(hass: HomeAssistant) -> list[tuple[str, str | None, int]]:
    """Register a satellite that can ring, and keep what it is told."""
    assert await async_setup_component(hass, "intent", {})
    return []


@pytest.fixture
def satellite(hass: HomeAssistant, rung: list[tuple[str, str | None, int]]) -> str:
    owner = MockConfigEntry(domain="test")
    owner.add_to_hass(hass)
    made = dr.async_get(hass).async_get_or_create(config_entry_id=owner.entry_id, identifiers={("test", "satellite")})

    def handle(kind: TimerEventType, timer: TimerInfo) -> None:
        rung.append((kind.value, timer.name, timer.seconds_left))

    async_register_timer_handler(hass, made.id, handle)
    return made.id


async def say(hass: HomeAssistant, text: str, device_id: str | None, user: MockUser | None = None) -> str:
    context = Context(user_id=user.id if user else None)
    answer = await async_converse(
        hass, text, conversation_id="c", context=context, language="en", agent_id=AGENT, device_id=device_id
    )
    return str(answer.response.speech["plain"]["speech"])


async def test_a_timer_rings_where_it_was_asked_for(
    hass: HomeAssistant, rung: list, satellite: str, world: World, entry: MockConfigEntry
) -> None:
    assert (
        await say(hass, "set a pizza timer for 12 minutes", satellite) == "Timer \u201cpizza\u201d set for 12 minutes."
    )
    await say(hass, "add five minutes to the pizza timer", satellite)
    told = await say(hass, "how long is left on the timer", satellite)
    await say(hass, "pause the timer", satellite)
    await say(hass, "resume the timer", satellite)
    await say(hass, "cancel the pizza timer", satellite)

    assert [(kind, name) for kind, name, _ in rung] == [
        ("started", "pizza"),
        ("updated", "pizza"),
        ("updated", "pizza"),
        ("updated", "pizza"),
        ("cancelled", "pizza"),
    ]
    assert rung[1][2] in range(1015, 1021)
    assert "pizza" in told


async def test_a_device_that_keeps_no_timers_says_so(
    hass: HomeAssistant, rung: list, satellite: str, world: World, entry: MockConfigEntry
) -> None:
    assert "keeps no timers" in await say(hass, "set a timer for ten minutes", None)
    assert rung == []
