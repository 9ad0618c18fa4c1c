"""What the panel is told without asking again: new lines, what is planned, how far the self-test is."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.core import Context, HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from tests.component.world import World


class Listener:
    """Somebody's socket; events are read in order, past everything else."""

    def __init__(self, socket: Any, user_id: str) -> None:
        self.socket = socket
        self.user_id = user_id

    async def tell(self, command: str, **fields: Any) -> None:
        await self.socket.send_json_auto_id({"type": f"botpsy/{command}", **fields})

    async def told(self) -> Any:
        while (message := await self.socket.receive_json())["type"] != "event":
            assert message.get("success", True), message
        return message["event"]


type Enter = Callable[[str], Awaitable[Listener]]


@pytest.fixture
def enter(hass: HomeAssistant, world: World, entry: MockConfigEntry, hass_ws_client: WebSocketGenerator) -> Enter:
    async def entered(name: str) -> Listener:
        user = await hass.auth.async_create_user(name, group_ids=[GROUP_ID_USER])
        refresh = await hass.auth.async_create_refresh_token(user, "https://example.com/app")
        return Listener(await hass_ws_client(hass, hass.auth.async_create_access_token(refresh)), user.id)

    return entered


async def say(hass: HomeAssistant, text: str, user_id: str | None = None) -> None:
    context = Context(user_id=user_id)
    await hass.services.async_call("botpsy", "run", {"text": text}, blocking=True, context=context)


async def test_a_new_line_is_told_at_once_and_only_to_whom_it_belongs(hass: HomeAssistant, enter: Enter) -> None:
    anna, ben = await enter("Anna"), await enter("Ben")
    for each in (anna, ben):
        await each.tell("journal/subscribe")
        assert (await each.socket.receive_json())["success"]

    await say(hass, "order a pizza", anna.user_id)
    await say(hass, "what time is it", ben.user_id)

    hers, his = await anna.told(), await ben.told()
    assert (hers["text"], hers["status"], hers["reason"]) == ("order a pizza", "refused", "no_suitable_tool")
    assert his["text"] == "what time is it"
    assert hers["mark"] != his["mark"]


@pytest.mark.parametrize(
    ("text", "waits_for"),
    [
        ("turn off the kitchen light in two hours", None),
        ("turn on the kitchen light when the front door is unlocked", "the front door is unlocked"),
    ],
)
async def test_what_is_planned_is_told_with_what_it_waits_for(
    hass: HomeAssistant, enter: Enter, text: str, waits_for: str | None
) -> None:
    anna = await enter("Anna")
    await anna.tell("waiting/subscribe")
    before = (await anna.told())["planned"]

    await say(hass, text, anna.user_id)
    (act,) = (await anna.told())["planned"]

    assert before == []
    assert (act["user"], act.get("when")) == (anna.user_id, waits_for)
    assert "kitchen light" in act["act"].lower()


async def test_the_self_test_tells_how_far_it_is_and_can_be_stopped(
    hass: HomeAssistant, entry: MockConfigEntry, world: World, hass_ws_client: WebSocketGenerator
) -> None:
    admin = Listener(await hass_ws_client(hass), "")
    await admin.tell("self_test/subscribe")
    before = await admin.told()

    await admin.tell("self_test/start")
    begun = await admin.told()
    await admin.tell("self_test/stop")
    while (last := await admin.told())["running"]:
        pass

    assert (before["running"], begun["running"]) == (False, True)
    assert (last["result"], last["problem"]) == (None, "")
    assert not entry.runtime_data.self_test.running
