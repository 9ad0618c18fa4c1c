"""Talking to the agent as a chat window and a satellite do."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from homeassistant.auth.models import Group
from homeassistant.components import conversation
from homeassistant.components.conversation import async_get_chat_log
from homeassistant.components.conversation.trace import async_clear_traces, async_get_traces
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.helpers.intent import IntentResponseErrorCode, IntentResponseType
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser, async_capture_events

from botpsy_core.domain.context import Origin
from botpsy_core.domain.engine import Limits, Prompt
from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import EngineFailed
from tests.component.loading import load
from tests.component.world import World

AGENT = "conversation.botpsy"

type Say = Callable[..., Awaitable[conversation.ConversationResult]]


@pytest.fixture
def say(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> Say:
    async def said(
        text: str,
        *,
        conversation_id: str | None = None,
        context: Context | None = None,
        device_id: str | None = None,
    ) -> conversation.ConversationResult:
        return await conversation.async_converse(
            hass, text, conversation_id, context or Context(), "en", AGENT, device_id=device_id
        )

    return said


def spoken(result: conversation.ConversationResult) -> str:
    return str(result.response.speech["plain"]["speech"])


async def test_a_light_is_switched_by_name(hass: HomeAssistant, say: Say) -> None:
    result = await say("turn on the kitchen light")

    assert hass.states.is_state("light.kitchen_light", "on")
    assert result.response.response_type is IntentResponseType.ACTION_DONE
    assert not result.continue_conversation


async def test_a_question_switches_nothing_and_is_answered(hass: HomeAssistant, say: Say) -> None:
    calls = async_capture_events(hass, "call_service")

    result = await say("is the kitchen light on?")

    assert not calls
    assert "off" in spoken(result) or "not" in spoken(result)


async def test_no_suitable_tool_is_an_error_that_says_so(hass: HomeAssistant, say: Say) -> None:
    calls = async_capture_events(hass, "call_service")

    result = await say("order a pizza")

    assert not calls
    assert result.response.response_type is IntentResponseType.ERROR
    assert result.response.error_code is IntentResponseErrorCode.NO_VALID_TARGETS
    assert spoken(result)


async def test_unlocking_waits_and_the_microphone_stays_open(
    hass: HomeAssistant, say: Say, hass_admin_user: MockUser
) -> None:
    result = await say("unlock the front door", context=Context(user_id=hass_admin_user.id))

    assert hass.states.is_state("lock.front_door", "locked")
    assert result.response.response_type is IntentResponseType.ERROR or result.continue_conversation


async def test_yes_does_what_was_asked_about(hass: HomeAssistant, say: Say) -> None:
    asked = await say("close the garage door")
    hass.states.async_set("cover.garage_door", "open", {"device_class": "garage", "supported_features": 3})
    asked = await say("close the garage door", conversation_id=asked.conversation_id)
    before = hass.states.get("cover.garage_door")
    done = await say("yes", conversation_id=asked.conversation_id)

    assert asked.continue_conversation
    assert spoken(asked).endswith("?")
    assert before is not None
    assert before.state == "open"
    assert hass.states.is_state("cover.garage_door", "closed")
    assert not done.continue_conversation


async def test_no_leaves_everything_as_it_is(hass: HomeAssistant, say: Say) -> None:
    hass.states.async_set("cover.garage_door", "open", {"device_class": "garage", "supported_features": 3})
    asked = await say("close the garage door")
    await say("no", conversation_id=asked.conversation_id)
    await say("yes", conversation_id=asked.conversation_id)

    assert hass.states.is_state("cover.garage_door", "open")


async def test_calls_enter_the_chat_log_as_external_and_after_they_happened(hass: HomeAssistant, say: Say) -> None:
    result = await say("turn on the kitchen light")

    with async_get_chat_session(hass, result.conversation_id) as session, async_get_chat_log(hass, session) as log:
        roles = [each.role for each in log.content]
        call, outcome = log.content[2], log.content[3]
    assert roles == ["system", "user", "assistant", "tool_result", "assistant"]
    assert isinstance(call, conversation.AssistantContent)
    assert call.tool_calls is not None
    assert [(c.tool_name, c.external) for c in call.tool_calls] == [("turn_on", True)]
    assert isinstance(outcome, conversation.ToolResultContent)
    assert outcome.result.data["outcome"] == "done"


async def test_what_was_said_before_is_known(hass: HomeAssistant, say: Say) -> None:
    first = await say("turn on the kitchen light")

    await say("turn it off again", conversation_id=first.conversation_id)

    assert hass.states.is_state("light.kitchen_light", "off")


async def test_a_satellites_room_is_told(hass: HomeAssistant, world: World, entry: MockConfigEntry) -> None:
    satellite = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    dr.async_get(hass).async_update_device(satellite.id, area_id=world.rooms["Bedroom"])

    context = await entry.runtime_data.askers.frame(
        Context(), origin=Origin.VOICE, conversation_id="c", device_id=satellite.id
    )

    assert context.area_id == world.rooms["Bedroom"]


async def test_acts_carry_the_askers_context(hass: HomeAssistant, say: Say, hass_admin_user: MockUser) -> None:
    context = Context(user_id=hass_admin_user.id)

    await say("turn on the kitchen light", context=context)

    state = hass.states.get("light.kitchen_light")
    assert state is not None
    assert (state.context.user_id, state.context.id) == (hass_admin_user.id, context.id)


async def test_the_trace_tells_verdicts_and_costs_and_no_prompt(hass: HomeAssistant, say: Say) -> None:
    async_clear_traces()

    await say("turn on the kitchen light")

    (trace,) = async_get_traces()
    details = [e["data"] for e in trace.as_dict()["events"] if e["event_type"] == "agent_detail"]
    assert details[-1]["status"] == "done"
    assert [each["verdict"] for each in details[-1]["decided"]] == ["allow"]
    assert set(details[-1]["stats"]) == {"input_tokens", "cached_input_tokens", "output_tokens"}


async def test_the_end_of_a_turn_is_an_event_without_the_users_words(hass: HomeAssistant, say: Say) -> None:
    turns = async_capture_events(hass, "botpsy_turn")

    await say("turn on the kitchen light")
    await say("order a pizza")

    assert [(e.data["status"], e.data["verdicts"]) for e in turns] == [("done", ["allow"]), ("refused", ["refuse"])]
    assert turns[0].data["calls"] == [
        {"name": "turn_on", "args": {"target": ["light.kitchen_light"]}, "outcome": "done"}
    ]
    assert "pizza" not in str({k: v for k, v in turns[1].data.items() if k != "reply"})


async def test_a_pin_said_aloud_is_in_no_event_trace_or_journal(
    hass: HomeAssistant, say: Say, entry: MockConfigEntry
) -> None:
    turns = async_capture_events(hass, "botpsy_turn")
    async_clear_traces()

    await say("unlock the front door, the pin is 4711")
    await say("add pin 4711 to the shopping list")

    (first, second) = (event.data for event in turns)
    details = [
        e["data"] for t in async_get_traces() for e in t.as_dict()["events"] if e["event_type"] == "agent_detail"
    ]
    assert details
    assert "4711" not in str((first, second, details, list(entry.runtime_data.journal.entries)))


@pytest.mark.parametrize("text", ["", "   ", "x" * 10_000])
async def test_no_words_and_too_many_words_are_answered(hass: HomeAssistant, say: Say, text: str) -> None:
    result = await say(text)

    assert result.response.response_type is IntentResponseType.ERROR
    assert spoken(result)


async def test_a_dead_model_is_shown_until_it_answers_again(
    hass: HomeAssistant, entry: MockConfigEntry, engine: ScriptedEngine, caplog: pytest.LogCaptureFixture
) -> None:
    engine._script.extend((EngineFailed("the process ended"), EngineFailed("again"), "hello"))

    for _ in range(2):
        with pytest.raises(EngineFailed):
            await drain(entry)
    gone = hass.states.get(AGENT)
    await drain(entry)
    back = hass.states.get(AGENT)

    assert gone is not None
    assert gone.state == "unavailable"
    assert back is not None
    assert back.state != "unavailable"
    assert caplog.text.count("the model is not available") == 1
    assert caplog.text.count("the model is available again") == 1


async def drain(entry: MockConfigEntry) -> None:
    async for _ in entry.runtime_data.engine.generate(Prompt(prefix="", tail="hello"), None, Limits()):
        pass


async def test_an_agent_answers_only_the_people_that_it_is_for(
    hass: HomeAssistant, world: World, model_file: Path, hass_admin_user: MockUser
) -> None:
    mine = ConfigSubentryData(
        data={"users": [hass_admin_user.id]}, subentry_type="conversation", title="Mine", unique_id=None
    )
    await load(hass, model_file, mine)
    said = {"hass": hass, "text": "turn on the kitchen light", "conversation_id": None, "agent_id": "conversation.mine"}

    stranger = await conversation.async_converse(**said, context=Context())
    before = hass.states.is_state("light.kitchen_light", "on")
    owner = await conversation.async_converse(**said, context=Context(user_id=hass_admin_user.id))

    assert stranger.response.response_type is IntentResponseType.ERROR
    assert spoken(stranger) == "This agent is not for you"
    assert not before
    assert owner.response.response_type is IntentResponseType.ACTION_DONE


async def test_what_a_user_may_not_see_is_not_told_of(
    hass: HomeAssistant, say: Say, hass_read_only_user: MockUser
) -> None:
    group = Group(name="kitchen only", policy={"entities": {"entity_ids": {"light.kitchen_light": True}}})
    user = MockUser(groups=[group]).add_to_hass(hass)

    seen = await say("is the kitchen light on?", context=Context(user_id=user.id))
    unseen = await say("is the front door locked?", context=Context(user_id=user.id))
    locked_out = await say("turn on the kitchen light", context=Context(user_id=hass_read_only_user.id))

    assert seen.response.response_type is IntentResponseType.ACTION_DONE
    assert unseen.response.response_type is IntentResponseType.ERROR
    assert locked_out.response.response_type is IntentResponseType.ERROR
    assert hass.states.is_state("light.kitchen_light", "off")


async def test_an_agents_instructions_are_part_of_its_prompt(
    hass: HomeAssistant, world: World, model_file: Path, engine: ScriptedEngine
) -> None:
    pirate = ConfigSubentryData(
        data={"prompt": "Speak like a pirate."}, subentry_type="conversation", title="Pirate", unique_id=None
    )
    await load(hass, model_file, pirate)
    await hass.async_block_till_done(wait_background_tasks=True)

    prefixes = set(engine.prepared)

    assert len(prefixes) == 2
    assert sum("pirate" in each for each in prefixes) == 1
