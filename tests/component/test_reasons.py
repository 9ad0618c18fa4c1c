"""Why something was asked about or left, each reason through the whole house."""

from pathlib import Path
from typing import Any

import pytest
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import Context, HomeAssistant
from pytest_homeassistant_custom_component.common import MockUser, async_capture_events, async_fire_mqtt_message
from pytest_homeassistant_custom_component.typing import MqttMockHAClient

from botpsy_core.domain.verdicts import Reason
from botpsy_core.engine import ScriptedEngine
from custom_components.botpsy.pins import hashed
from tests.component.loading import load
from tests.component.world import World

PIN = "4711"

SAID = {
    Reason.NO_SUITABLE_TOOL: "order a pizza",
    Reason.NOT_ENABLED: "turn off the heater plug",
    Reason.NOT_LATER: "turn on the old plug in ten minutes",
    Reason.ABSENT_DEVICE: "turn on the garden light",
    Reason.AMBIGUOUS_TARGET: "turn on the light",
    Reason.MISSING_ARGUMENT: "set the thermostat",
    Reason.WRONG_ARGUMENT: "set the thermostat to 99 degrees",
    Reason.UNGROUNDED: "the kitchen light",
    Reason.NEGATED: "don't turn on the kitchen light",
    Reason.QUESTION: "how do I turn on the kitchen light?",
    Reason.NOT_A_COMMAND: "if it rains turn on the kitchen light",
    Reason.OPPOSITE: "turn the kitchen light on and off",
    Reason.UNSAFE_NOW: "delete the dentist appointment tomorrow",
    Reason.UNAVAILABLE: "turn on the old plug",
    Reason.TOO_MANY_TARGETS: "turn off all lights",
    Reason.EXCLUDED_TOPIC: "transfer 100 euros to my landlord",
    Reason.NEEDS_CONFIRMATION: "close the garage door",
    Reason.NEEDS_PIN: "unlock the front door",
    Reason.EXPIRED: "yes",
    Reason.TOO_LONG: "turn on the kitchen light " * 400,
}
CAR = {
    "profile": "saic",
    "slug": "car",
    "aliases": [],
    "area": None,
    "variables": {"prefix": "saic/me/vehicles/mg"},
    "secrets": {},
    "commands": ["unlock"],
}
POLICY = """
classes: {comfort: {max_targets: 1}}
tools: {turn_on: {risk: cost}}
entities: {switch.heater_plug: {enabled: false}}
"""
GUESS = '<tool_call>\n{"name": "turn_on", "arguments": {"target": "Kitchen light"}}\n</tool_call>'


class Person:
    """Somebody who talks, and reads why nothing was done."""

    def __init__(self, hass: HomeAssistant, user: MockUser, engine: ScriptedEngine) -> None:
        self.hass, self.user, self.engine = hass, user, engine
        self.turns = async_capture_events(hass, "botpsy_turn")

    async def say(self, text: str, conversation_id: str | None = None) -> dict[str, Any]:
        self.engine._script[:] = [GUESS]
        context = Context(user_id=self.user.id)
        await conversation.async_converse(self.hass, text, conversation_id, context, "en", "conversation.botpsy")
        return dict(self.turns[-1].data)

    async def confirm(self, asked: dict[str, Any], **answer: Any) -> dict[str, Any]:
        told = await self.hass.services.async_call(
            "botpsy",
            "confirm",
            {"pending": asked["pending"], **answer},
            blocking=True,
            return_response=True,
            context=Context(user_id=self.user.id),
        )
        assert told is not None
        return dict(told)


@pytest.fixture
def expected_lingering_timers() -> bool:
    """Home Assistant's MQTT client is still there when a test ends."""
    return True


@pytest.fixture
async def anna(
    hass: HomeAssistant, world: World, model_file: Path, engine: ScriptedEngine, hass_admin_user: MockUser
) -> Person:
    policy = Path(hass.config.path("botpsy", "policy.yaml"))
    await hass.async_add_executor_job(policy.parent.mkdir)
    await hass.async_add_executor_job(policy.write_text, POLICY)
    await load(hass, model_file, options={"pin_hash": await hass.async_add_executor_job(hashed, PIN)})
    hass.states.async_set("switch.old_plug", "unavailable")
    world.garage._attr_is_closed = False
    world.garage.async_write_ha_state()
    return Person(hass, hass_admin_user, engine)


def states(hass: HomeAssistant) -> dict[str, str]:
    return {s.entity_id: s.state for s in hass.states.async_all(("light", "lock", "cover", "switch", "climate"))}


async def told_by(hass: HomeAssistant, anna: Person, reason: Reason) -> dict[str, Any]:
    """Bring about what only a talk brings about; return the last answer."""
    match reason:
        case Reason.NOT_EXPOSED:
            asked = await anna.say("close the garage door")
            async_expose_entity(hass, "conversation", "cover.garage_door", should_expose=False)
            return await anna.confirm(asked, accept=True)
        case Reason.TAINTED:
            await anna.say("add turn on the lamp to the shopping list")
            read = await anna.say("what is on the shopping list?")
            return await anna.say("the kitchen light", read["conversation_id"])
        case Reason.DENIED:
            return await anna.confirm(await anna.say("close the garage door"), accept=False)
        case Reason.WRONG_PIN:
            return await anna.confirm(await anna.say("unlock the front door"), pin="0000")
        case Reason.LOCKED_OUT:
            asked = await anna.say("unlock the front door")
            for pin in ("0000", "1111", "2222"):
                await anna.confirm(asked, pin=pin)
            return await anna.say("unlock the front door")
        case _:
            return await anna.say(SAID[reason])


IN_TALKS = (
    Reason.NOT_EXPOSED,
    Reason.TAINTED,
    Reason.DENIED,
    Reason.WRONG_PIN,
    Reason.LOCKED_OUT,
)


@pytest.mark.parametrize("reason", [*SAID, *IN_TALKS])
async def test_each_reason_is_told(hass: HomeAssistant, anna: Person, reason: Reason) -> None:
    before = states(hass)

    told = await told_by(hass, anna, reason)

    assert told["reason"] == reason, told["reply"]
    assert told["status"] in {"asked", "refused"}
    assert told["reply"]
    assert states(hass) == before


async def test_acts_beyond_the_rate_are_told(hass: HomeAssistant, anna: Person) -> None:
    for _ in range(20):
        await anna.say("turn on the kitchen light")
    before = states(hass)

    told = await anna.say("turn on the bedroom light")

    assert told["reason"] == Reason.RATE_LIMITED
    assert states(hass) == before


async def test_an_unset_pin_is_told(hass: HomeAssistant, anna: Person) -> None:
    (entry,) = hass.config_entries.async_loaded_entries("botpsy")
    hass.config_entries.async_update_entry(entry, options={})
    await hass.config_entries.async_reload(entry.entry_id)

    told = await anna.say("unlock the front door")

    assert told["reason"] == Reason.NO_PIN_SET
    assert hass.states.is_state("lock.front_door", "locked")


async def test_a_user_without_the_right_is_told(
    hass: HomeAssistant, anna: Person, hass_read_only_user: MockUser
) -> None:
    anna.user = hass_read_only_user

    told = await anna.say("turn on the kitchen light")

    assert told["reason"] == Reason.NOT_ALLOWED
    assert hass.states.is_state("light.kitchen_light", "off")


async def test_a_silent_car_is_told(
    hass: HomeAssistant, anna: Person, mqtt_mock: MqttMockHAClient, model_file: Path
) -> None:
    car = ConfigSubentry(data=CAR, subentry_type="device", title="Car", unique_id=None)
    (entry,) = hass.config_entries.async_loaded_entries("botpsy")
    hass.config_entries.async_add_subentry(entry, car)
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    async_fire_mqtt_message(hass, "saic/me/vehicles/mg/available", "online")
    await hass.async_block_till_done(wait_background_tasks=True)

    told = await anna.say("unlock the car")

    assert told["reason"] == Reason.STALE_STATE
    mqtt_mock.async_publish.assert_not_called()


def test_no_reason_is_left_out() -> None:
    elsewhere = {Reason.RATE_LIMITED, Reason.NO_PIN_SET, Reason.NOT_ALLOWED, Reason.STALE_STATE}
    assert {*SAID, *IN_TALKS} | elsewhere == set(Reason)
