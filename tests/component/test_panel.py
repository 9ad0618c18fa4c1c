"""The panel's web socket: who sees what, and what the server refuses."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from tests.component.world import World

type Ask = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
async def ask(hass: HomeAssistant, world: World, entry: MockConfigEntry, hass_ws_client: WebSocketGenerator) -> Ask:
    """Return what an administrator asks the panel's commands with; the whole answer comes back."""
    client = await hass_ws_client(hass)

    async def asked(command: str, **fields: Any) -> dict[str, Any]:
        await client.send_json_auto_id({"type": f"botpsy/{command}", **fields})
        return dict(await client.receive_json())

    return asked


async def say(hass: HomeAssistant, text: str, user_id: str | None = None, **data: Any) -> dict[str, Any]:
    answer = await hass.services.async_call(
        "botpsy", "run", {"text": text, **data}, blocking=True, return_response=True, context=Context(user_id=user_id)
    )
    assert answer is not None
    return dict(answer)


async def lines(ask: Ask, **fields: Any) -> list[dict[str, Any]]:
    return list((await ask("journal/list", **fields))["result"]["lines"])


async def written(hass: HomeAssistant, ask: Ask, count: int) -> list[dict[str, Any]]:
    """Return the lines once so many are safe: they are written by a thread of their own."""
    for _ in range(100):
        told = await lines(ask)
        if len(told) >= count:
            return told
        await asyncio.sleep(0.02)
    raise AssertionError(f"{count} lines did not come")


async def test_a_refusal_is_a_line_that_opens_to_its_reason(hass: HomeAssistant, ask: Ask) -> None:
    await say(hass, "order a pizza")

    line = (await written(hass, ask, 1))[0]
    whole = (await ask("journal/entry", mark=line["mark"]))["result"]

    assert (line["text"], line["status"], line["reason"]) == ("order a pizza", "refused", "no_suitable_tool")
    assert whole["clauses"][0]["verdict"] == {"kind": "refuse", "reason": "no_suitable_tool", "detail": {}}
    assert whole["usage"]["seconds"] >= 0
