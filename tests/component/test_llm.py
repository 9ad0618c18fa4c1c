"""Our tools in the hands of another agent."""

from typing import Any

import pytest
from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from tests.component.world import World


@pytest.fixture
async def api(hass: HomeAssistant, world: World, entry: MockConfigEntry, hass_admin_user: MockUser) -> llm.APIInstance:
    assert await async_setup_component(hass, "llm", {})
    context = llm.LLMContext(
        platform="other_agent",
        context=Context(user_id=hass_admin_user.id),
        language="en",
        assistant=CONVERSATION_DOMAIN,
        device_id=None,
    )
    return await llm.async_get_api(hass, "assist", context)


async def call(api: llm.APIInstance, name: str, **args: Any) -> llm.ToolResult:
    return await api.async_call_tool(llm.ToolInput(tool_name=f"botpsy__{name}", tool_args=args))


def ours(api: llm.APIInstance) -> dict[str, llm.Tool]:
    return {tool.name: tool for tool in api.tools if tool.name.startswith("botpsy__")}


def test_offers_what_assist_lacks_with_its_dangers_marked(
    api: llm.APIInstance, caplog: pytest.LogCaptureFixture
) -> None:
    tools = ours(api)

    assert {"botpsy__create_event", "botpsy__send_message", "botpsy__add_item"} <= set(tools)
    assert "botpsy__turn_on" not in tools
    assert tools["botpsy__find_events"].annotations == llm.ToolAnnotations(
        read_only=True, destructive=False, idempotent=True, open_world=True
    )
    assert tools["botpsy__delete_event"].annotations.destructive
    assert not tools["botpsy__add_item"].annotations.destructive
    assert "not prefixed" not in caplog.text
    assert "without an integration" not in caplog.text


async def test_an_item_is_added_by_the_lists_name(world: World, api: llm.APIInstance) -> None:
    result = await call(api, "add_item", list="shopping list", item="milk")

    assert not result.error
    assert result.data["status"] == "done"
    assert [each.summary for each in world.shopping.todo_items or []] == ["milk"]


async def test_what_was_read_is_handed_on(world: World, api: llm.APIInstance) -> None:
    await call(api, "add_item", list=["todo.shopping_list"], item="milk")

    result = await call(api, "list_items", list="Shopping list")

    assert "milk" in str(result.data["data"])


async def test_an_unknown_name_is_answered_with_the_known_ones(api: llm.APIInstance) -> None:
    result = await call(api, "add_item", list="stamps", item="milk")

    assert result.error
    assert "Shopping list" in result.data["error"]


async def test_the_guard_stands_inside(world: World, api: llm.APIInstance) -> None:
    await world.calendar.async_create_event(summary="Dentist", dtstart=world.tomorrow(9), dtend=world.tomorrow(10))

    result = await call(api, "delete_event", event="dentist")

    assert result.error
    assert result.data["status"] in {"asked", "refused"}
    assert len(world.calendar.events) == 1


async def test_another_api_gets_nothing_of_ours(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    from custom_components.botpsy.llm import async_get_tools

    context = llm.LLMContext(platform="x", context=None, language=None, assistant="conversation", device_id=None)

    assert async_get_tools(hass, context, "homeassistant") is None
    await hass.config_entries.async_unload(entry.entry_id)
    assert async_get_tools(hass, context, "assist") is None


async def test_what_another_agent_did_it_can_undo(world: World, api: llm.APIInstance) -> None:
    nothing = await call(api, "undo")
    await call(api, "add_item", list="shopping list", item="milk")

    undone = await call(api, "undo")

    assert nothing.error
    assert undone.data["status"] == "done"
    assert world.shopping.todo_items == []
