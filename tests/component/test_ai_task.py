"""Text, data and weighed choices for automations."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER, ConfigSubentryData
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from botpsy_core.domain.engine import Prompt
from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import EngineFailed
from custom_components.botpsy.engines import ENGINE_BUILDER
from tests.component.loading import load
from tests.component.world import World

TASK = ConfigSubentryData(data={"prompt": ""}, subentry_type="ai_task_data", title="BotPsy AI task", unique_id=None)
ENTITY = "ai_task.botpsy_ai_task"
STRUCTURE = {
    "room": {"selector": {"select": {"options": ["kitchen", "hall"]}}, "required": True},
    "lights": {"selector": {"number": {"min": 0, "max": 9}}},
}


@pytest.fixture
async def tasks(hass: HomeAssistant, model_file: Path) -> MockConfigEntry:
    return await load(hass, model_file, TASK)


async def generate(hass: HomeAssistant, **data: Any) -> Any:
    task = {"task_name": "test", "instructions": "Say something", "entity_id": ENTITY, **data}
    answer = await hass.services.async_call("ai_task", "generate_data", task, blocking=True, return_response=True)
    assert answer is not None
    return answer["data"]


async def test_a_text_is_written(hass: HomeAssistant, tasks: MockConfigEntry, engine: ScriptedEngine) -> None:
    engine._script.append("Roses are red")

    assert await generate(hass) == "Roses are red"


async def test_data_has_the_form_that_was_asked_for(
    hass: HomeAssistant, tasks: MockConfigEntry, engine: ScriptedEngine
) -> None:
    engine._script.append('{"room": "hall", "lights": 3}')

    data = await generate(hass, structure=STRUCTURE)

    grammar = engine.asked[-1].grammar
    assert data == {"room": "hall", "lights": 3}
    assert grammar is not None
    assert "kitchen" in grammar.lark


@pytest.mark.parametrize("written", ['{"room": "attic"}', '{"room": '])
async def test_data_of_another_form_is_an_error(
    hass: HomeAssistant, tasks: MockConfigEntry, engine: ScriptedEngine, written: str
) -> None:
    engine._script.append(written)

    with pytest.raises(HomeAssistantError):
        await generate(hass, structure=STRUCTURE)


async def test_a_dead_model_is_an_error(hass: HomeAssistant, tasks: MockConfigEntry, engine: ScriptedEngine) -> None:
    engine._script.append(EngineFailed("gone"))

    with pytest.raises(HomeAssistantError, match="gone"):
        await generate(hass)


async def test_attachments_are_turned_away(hass: HomeAssistant, tasks: MockConfigEntry) -> None:
    attachment = {"media_content_id": "media-source://camera/camera.door", "media_content_type": "image/jpeg"}

    with pytest.raises(HomeAssistantError, match="does not support attachments"):
        await generate(hass, attachments=[attachment])


async def test_a_task_agent_is_added_and_changed_in_the_ui(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    flows = hass.config_entries.subentries
    form = await flows.async_init((entry.entry_id, "ai_task_data"), context={"source": SOURCE_USER})
    await flows.async_configure(form["flow_id"], {"name": "Poet", "prompt": "Rhyme."})
    await hass.async_block_till_done()
    (task,) = [each for each in entry.subentries.values() if each.subentry_type == "ai_task_data"]
    again = await entry.start_subentry_reconfigure_flow(hass, task.subentry_id)
    await flows.async_configure(again["flow_id"], {"prompt": "Do not rhyme."})
    await hass.async_block_till_done()

    assert hass.states.get("ai_task.poet") is not None
    assert entry.subentries[task.subentry_id].data == {"prompt": "Do not rhyme."}


async def weigh(hass: HomeAssistant, **data: Any) -> dict[str, Any]:
    answer = await hass.services.async_call("botpsy", "evaluate", data, blocking=True, return_response=True)
    assert answer is not None
    return dict(answer)


class Dying(ScriptedEngine):
    """A model whose process ends while it is asked."""

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        raise EngineFailed("the process ended")


async def test_a_model_that_dies_while_it_weighs_is_said_so_and_shown(hass: HomeAssistant, model_file: Path) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: Dying()
    await load(hass, model_file)

    with pytest.raises(HomeAssistantError) as told:
        await weigh(hass, question="Is it night?")

    assert told.value.translation_key == "engine_failed"
    agent = hass.states.get("conversation.botpsy")
    assert agent is not None
    assert agent.state == "unavailable"


async def test_a_question_is_weighed(hass: HomeAssistant, entry: MockConfigEntry, engine: ScriptedEngine) -> None:
    engine.scores = {"yes": math.log(0.09), "no": math.log(0.01), "maybe": math.log(0.3)}

    plain = await weigh(hass, question="Is it night?")
    more = await weigh(hass, question="Is it night?", options=["yes", "maybe"])

    assert plain == {"answer": "yes", "probabilities": {"yes": 0.9, "no": 0.1}}
    assert more["answer"] == "maybe"


async def test_a_server_without_probabilities_says_so(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    with pytest.raises(HomeAssistantError) as caught:
        await weigh(hass, question="Is it night?")

    assert caught.value.translation_key == "no_probabilities"


async def test_the_self_test_tries_this_home_and_touches_nothing(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    answer = await hass.services.async_call("botpsy", "self_test", {}, blocking=True, return_response=True)

    assert answer is not None
    assert answer["total"] == len(answer["rows"]) > 5
    assert answer["dangerous"] == 0
    assert any("Kitchen light" in row["text"] for row in answer["rows"])
    assert hass.states.is_state("light.kitchen_light", "off")


async def test_the_self_test_is_for_administrators(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, hass_read_only_user: MockUser
) -> None:
    with pytest.raises(Unauthorized):
        await hass.services.async_call(
            "botpsy",
            "self_test",
            {},
            blocking=True,
            return_response=True,
            context=Context(user_id=hass_read_only_user.id),
        )


@pytest.fixture(autouse=True)
async def ai_task(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "ai_task", {})
