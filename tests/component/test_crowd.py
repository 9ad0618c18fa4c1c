"""Several people speak at once."""

import asyncio
import re
from pathlib import Path

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.intent import IntentResponseType
from pytest_homeassistant_custom_component.common import async_capture_events

from botpsy_core.engine import ScriptedEngine
from custom_components.botpsy.engines import ENGINE_BUILDER
from tests.component.loading import load
from tests.component.world import World

EACH = 34


class Decisive(ScriptedEngine):
    """A model that takes the first tool and the first thing that its grammar offers."""

    async def generate(self, prompt, grammar, limits):
        tool = re.search(r'^t0: "(\w+)', grammar.lark, re.MULTILINE)[1]
        thing = re.search(r'^t0_v0: "\\"(.+?)\\""', grammar.lark, re.MULTILINE)[1]
        await asyncio.sleep(0)
        self._script = [f'<tool_call>\n{{"name": "{tool}", "arguments": {{"target": "{thing}"}}}}\n</tool_call>']
        async for part in ScriptedEngine.generate(self, prompt, grammar, limits):
            yield part


async def test_two_satellites_and_a_chat_are_answered_each_in_its_own_room_and_order(
    hass: HomeAssistant, world: World, model_file: Path
) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: Decisive()
    policy = Path(hass.config.path("botpsy", "policy.yaml"))
    policy.parent.mkdir()
    await hass.async_add_executor_job(policy.write_text, "classes: {comfort: {per_minute: 1000}}")
    entry = await load(hass, model_file)
    devices, entities = dr.async_get(hass), er.async_get(hass)
    entities.async_update_entity("light.kitchen_light", name="Ceiling")
    entities.async_update_entity("light.bedroom_light", name="Bedside")
    await hass.async_block_till_done()
    rooms = {}
    for room in ("Kitchen", "Bedroom"):
        device = devices.async_get_or_create(config_entry_id=entry.entry_id, identifiers={("satellite", room)})
        devices.async_update_device(device.id, area_id=world.rooms[room])
        rooms[room] = device.id
    turns = async_capture_events(hass, "botpsy_turn")

    async def speak(who: str, device_id: str | None, thing: str) -> list[conversation.ConversationResult]:
        results = []
        for number in range(EACH):
            way = "off" if number % 2 else "on"
            results.append(
                await conversation.async_converse(
                    hass, f"turn {way} {thing}", who, Context(), "en", "conversation.botpsy", device_id=device_id
                )
            )
        return results

    answered = await asyncio.gather(
        speak("kitchen", rooms["Kitchen"], "the light"),
        speak("bedroom", rooms["Bedroom"], "the light"),
        speak("chat", None, "the thermostat"),
    )

    assert all(each.response.response_type is IntentResponseType.ACTION_DONE for one in answered for each in one)
    expected = {"light.kitchen_light", "light.bedroom_light", "climate.thermostat"}
    for who, target in zip(("kitchen", "bedroom", "chat"), sorted(expected, key=_place), strict=True):
        mine = [call for each in turns if each.data["conversation_id"] == who for call in each.data["calls"]]
        assert [call["name"] for call in mine] == ["turn_on", "turn_off"] * (EACH // 2)
        assert {tuple(call["args"]["target"]) for call in mine} == {(target,)}


def _place(entity_id: str) -> int:
    return ["light.kitchen_light", "light.bedroom_light", "climate.thermostat"].index(entity_id)
