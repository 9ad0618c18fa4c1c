"""The panel's web socket: who sees what, and what the server refuses."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_READ_ONLY, GROUP_ID_USER
from homeassistant.auth.models import RefreshToken
from homeassistant.components.frontend import DATA_PANELS
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

from custom_components.botpsy.journal import journal_file
from custom_components.botpsy.panel_commands import HANDLERS
from custom_components.botpsy.pins import hashed
from custom_components.botpsy.websocket import ADMIN_COMMANDS, COMMANDS
from tests.component.loading import load
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


@pytest.mark.parametrize(
    ("text", "became"),
    [
        ("turn on the kitchen light", None),
        ("is the kitchen light on?", "answered"),
        ("turn on the kitchen light in two hours", "planned"),
        ("do not touch the kitchen light", "left"),
        ("order a pizza", None),
    ],
)
async def test_a_line_says_what_became_of_a_request_where_its_status_says_too_little(
    hass: HomeAssistant, ask: Ask, text: str, became: str | None
) -> None:
    await say(hass, text)

    assert (await written(hass, ask, 1))[0]["became"] == became


@dataclass
class Person:
    """Somebody with a socket of their own."""

    id: str
    refresh: RefreshToken
    ask: Ask


type Enter = Callable[..., Awaitable[Person]]


@pytest.fixture
def enter(hass: HomeAssistant, hass_ws_client: WebSocketGenerator) -> Enter:
    """Return what lets somebody in."""

    async def entered(name: str, group: str = GROUP_ID_USER) -> Person:
        user = await hass.auth.async_create_user(name, group_ids=[group])
        refresh = await hass.auth.async_create_refresh_token(user, "https://example.com/app")
        client = await hass_ws_client(hass, hass.auth.async_create_access_token(refresh))

        async def asked(command: str, **fields: Any) -> dict[str, Any]:
            await client.send_json_auto_id({"type": f"botpsy/{command}", **fields})
            while (told := await client.receive_json())["type"] != "result":
                pass
            return dict(told)

        return Person(id=user.id, refresh=refresh, ask=asked)

    return entered


ADMIN_ONLY = (
    ("self_test/start", {}),
    ("self_test/stop", {}),
    ("self_test/subscribe", {}),
    ("policy/get", {}),
    ("policy/set", {"entity_id": "lock.front_door", "rule": {"risk": "comfort", "confirm": None}}),
    ("policy/preset", {"preset": "strict"}),
    ("policy/preview", {"preset": "strict"}),
)


@pytest.mark.parametrize(("command", "fields"), ADMIN_ONLY, ids=lambda each: each if isinstance(each, str) else "")
@pytest.mark.parametrize("group", [GROUP_ID_USER, GROUP_ID_READ_ONLY])
async def test_the_server_refuses_what_is_for_administrators(
    enter: Enter, entry: MockConfigEntry, command: str, fields: dict[str, Any], group: str
) -> None:
    before = entry.runtime_data.rules

    answer = await (await enter("Anna", group)).ask(command, **fields)

    assert (answer["success"], answer["error"]["code"]) == (False, "unauthorized")
    assert entry.runtime_data.rules is before
    assert not entry.runtime_data.self_test.running


def test_every_command_is_listed_once_and_done_by_something() -> None:
    assert {*COMMANDS, *ADMIN_COMMANDS} == set(HANDLERS)
    assert {name for name, _ in ADMIN_ONLY} == set(ADMIN_COMMANDS)


async def test_everybody_sees_their_own_lines_and_an_administrator_all(
    hass: HomeAssistant, ask: Ask, enter: Enter
) -> None:
    anna, ben = await enter("Anna"), await enter("Ben")
    await say(hass, "order a pizza", anna.id)
    await say(hass, "what time is it", ben.id)
    await say(hass, "order a taxi")
    told = await written(hass, ask, 3)
    by_text = {each["text"]: each["mark"] for each in told}

    assert [each["text"] for each in await lines(anna.ask)] == ["order a pizza"]
    assert [each["text"] for each in await lines(ben.ask)] == ["what time is it"]
    assert (await anna.ask("journal/entry", mark=by_text["order a pizza"]))["result"]["text"] == "order a pizza"
    for text in ("what time is it", "order a taxi"):
        assert (await anna.ask("journal/entry", mark=by_text[text]))["result"] is None
    assert set((await anna.ask("info"))["result"]["people"]) == {anna.id}


@pytest.mark.parametrize("expected_lingering_timers", [True])  # the server's own heartbeat
async def test_a_user_who_is_no_user_any_more_is_heard_no_more(
    hass: HomeAssistant, entry: MockConfigEntry, enter: Enter, hass_client_no_auth: ClientSessionGenerator
) -> None:
    anna = await enter("Anna", GROUP_ID_ADMIN)
    token = hass.auth.async_create_access_token(anna.refresh)
    hass.auth.async_remove_refresh_token(anna.refresh)

    client = await (await hass_client_no_auth()).ws_connect("/api/websocket")
    await client.receive_json()
    await client.send_json({"type": "auth", "access_token": token})

    assert (await client.receive_json())["type"] == "auth_invalid"
    await client.close()


async def test_what_was_said_can_be_searched_and_filtered(hass: HomeAssistant, ask: Ask) -> None:
    for text in ("order a pizza", "turn on the kitchen light", "order a taxi"):
        await say(hass, text)
    await written(hass, ask, 3)

    assert [each["text"] for each in await lines(ask, words="PIZZA")] == ["order a pizza"]
    assert [each["text"] for each in await lines(ask, status="done")] == ["turn on the kitchen light"]
    first = (await ask("journal/list", count=2))["result"]
    rest = (await ask("journal/list", count=2, before=first["older"]))["result"]
    assert [each["text"] for each in rest["lines"]] == ["order a pizza"]


@pytest.fixture
async def with_pin(hass: HomeAssistant, world: World, model_file: Path) -> MockConfigEntry:
    return await load(hass, model_file, options={"pin_hash": hashed("4711")})


async def test_the_asker_approves_with_the_pin_and_nobody_else_does(
    hass: HomeAssistant, with_pin: MockConfigEntry, enter: Enter, hass_ws_client: WebSocketGenerator
) -> None:
    anna, ben = await enter("Anna"), await enter("Ben")
    asked = await say(hass, "unlock the front door", anna.id)
    pending = asked["pending"]
    assert asked["status"] == "asked"

    forged = [
        await ben.ask("confirm", pending=pending, pin="4711"),
        await ben.ask("deny", pending=pending),
        await anna.ask("confirm", pending="made-up", pin="4711"),
        await anna.ask("confirm", pending=pending),
        await anna.ask("confirm", pending=pending, pin="0000"),
    ]

    reasons = [(each["result"]["status"], each["result"]["reason"]) for each in forged]
    assert reasons == [
        ("refused", "expired"),
        ("refused", "expired"),
        ("refused", "expired"),
        ("asked", "needs_pin"),
        ("asked", "wrong_pin"),
    ]
    assert hass.states.is_state("lock.front_door", "locked")
    assert (await anna.ask("confirm", pending=pending, pin="4711"))["result"]["status"] == "done"
    assert hass.states.is_state("lock.front_door", "unlocked")
    assert "4711" not in journal_file(hass, with_pin.entry_id).read_text()


async def test_what_waits_is_told_to_whom_it_is_for_and_again_when_it_changes(
    hass: HomeAssistant, with_pin: MockConfigEntry, enter: Enter, hass_ws_client: WebSocketGenerator
) -> None:
    anna, ben = await enter("Anna"), await enter("Ben")
    sockets = [await hass_ws_client(hass, hass.auth.async_create_access_token(each.refresh)) for each in (anna, ben)]
    for socket in sockets:
        await socket.send_json_auto_id({"type": "botpsy/waiting/subscribe"})
        assert (await told(socket, "event"))["event"] == {"questions": [], "planned": [], "undo": []}

    await say(hass, "unlock the front door", anna.id)
    hers, his = [(await told(socket, "event"))["event"]["questions"] for socket in sockets]

    assert his == []
    assert [(each["kind"], each["risk"], each["user"]) for each in hers] == [("pin", "security", anna.id)]
    assert "front door" in hers[0]["question"].lower()
    assert 0 < hers[0]["left_s"] <= 90


async def told(socket: Any, kind: str) -> dict[str, Any]:
    while (message := await socket.receive_json())["type"] != kind:
        pass
    return dict(message)


async def test_everybody_forgets_and_puts_back_only_what_is_theirs(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, enter: Enter
) -> None:
    anna, ben = await enter("Anna"), await enter("Ben")
    await say(hass, "turn off the kitchen light in two hours", anna.id)
    act = entry.runtime_data.plans.acts[0]

    assert (await ben.ask("forget", ids=[act.id]))["result"] == {"forgotten": []}
    assert (await anna.ask("forget", ids=[act.id]))["result"] == {"forgotten": [act.id]}

    done = await say(hass, "turn on the kitchen light", anna.id)
    assert (await ben.ask("undo", talk=done["conversation_id"]))["result"]["status"] == "refused"
    assert hass.states.is_state("light.kitchen_light", "on")
    assert (await anna.ask("undo", talk=done["conversation_id"]))["result"]["status"] == "done"
    assert hass.states.is_state("light.kitchen_light", "off")


async def test_a_dry_run_tells_the_way_through_the_rooms_and_does_nothing(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, enter: Enter
) -> None:
    told = (await (await enter("Anna")).ask("dry_run", text="turn on the kitchen light"))["result"]

    assert (told["status"], told["clauses"][0]["verdict"]["kind"]) == ("done", "allow")
    assert hass.states.is_state("light.kitchen_light", "off")


async def test_my_home_says_what_a_mistake_would_mean_and_what_requests_cost(hass: HomeAssistant, ask: Ask) -> None:
    await say(hass, "turn on the kitchen light")
    await written(hass, ask, 1)

    told = (await ask("home"))["result"]

    things = {each["id"]: (each["risk"], each["first"], each["acts"]) for each in told["entities"]}
    assert things["lock.front_door"] == ("security", "pin", True)
    assert things["light.kitchen_light"] == ("comfort", None, True)
    assert things["sensor.kitchen_temperature"] == ("read", None, False)
    assert "light.hidden_lamp" not in things
    assert told["meter"]["requests"] == 1
    assert told["meter"]["without_model"] == 1


async def test_the_self_test_runs_beside_everything_else_and_writes_nothing_down(
    hass: HomeAssistant, ask: Ask, entry: MockConfigEntry
) -> None:
    assert (await ask("self_test/start"))["result"]["running"]
    ended = asyncio.Event()
    test = entry.runtime_data.self_test
    test.async_listen(lambda: None if test.running else ended.set())
    await asyncio.wait_for(ended.wait(), 60)

    result = entry.runtime_data.self_test.told()["result"]

    assert result["total"] > 20
    assert result["groups"]["command"]["said"] > 0
    assert all(each["advice_code"] for each in result["wrong"])
    assert await lines(ask) == []


async def test_a_rule_is_tried_on_the_past_then_kept_and_holds(
    hass: HomeAssistant, ask: Ask, entry: MockConfigEntry
) -> None:
    rule = {"enabled": False}
    await say(hass, "turn on the kitchen light")
    await say(hass, "turn on the bedroom light")
    await written(hass, ask, 2)

    seen = (await ask("policy/preview", entity_id="light.kitchen_light", rule=rule))["result"]
    assert (seen["requests"], seen["changed"], seen["looser"]) == (2, 1, False)
    assert [(each["text"], each["before"], each["after"]) for each in seen["lines"]] == [
        ("turn on the kitchen light", "allow", "refuse")
    ]
    assert (await say(hass, "turn on the kitchen light"))["status"] == "done"

    kept = (await ask("policy/set", entity_id="light.kitchen_light", rule=rule))["result"]
    assert kept["rules"] == {"light.kitchen_light": rule}
    assert (await say(hass, "turn on the kitchen light"))["reason"] == "not_enabled"

    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    assert (await say(hass, "turn off the kitchen light"))["reason"] == "not_enabled"
    assert (await ask("policy/set", entity_id="light.kitchen_light", rule=None))["result"]["rules"] == {}
    assert (await say(hass, "turn off the kitchen light"))["status"] == "done"


async def test_a_preset_is_chosen_and_tried_like_a_rule(hass: HomeAssistant, ask: Ask, entry: MockConfigEntry) -> None:
    await say(hass, "turn on the kitchen light")
    await written(hass, ask, 1)

    seen = (await ask("policy/preview", preset="strict"))["result"]
    chosen = (await ask("policy/preset", preset="strict"))["result"]

    assert [(each["before"], each["after"]) for each in seen["lines"]] == [("allow", "ask")]
    assert chosen["preset"] == "strict"
    assert entry.runtime_data.preset == "strict"


@pytest.mark.parametrize(
    "rule", [{"risk": "none"}, {"hours": ["8", "9"]}, {"hours": ["08:00"]}, {"unknown": 1}, {"enabled": "yes"}]
)
async def test_a_rule_that_is_none_is_refused(ask: Ask, entry: MockConfigEntry, rule: dict[str, Any]) -> None:
    before = entry.runtime_data.rules

    answer = await ask("policy/set", entity_id="light.kitchen_light", rule=rule)

    assert (answer["success"], answer["error"]["code"]) == (False, "invalid_format")
    assert entry.runtime_data.rules is before


async def test_the_journal_outlives_a_reload_and_goes_with_the_entry(
    hass: HomeAssistant, ask: Ask, entry: MockConfigEntry
) -> None:
    await say(hass, "order a pizza")
    await written(hass, ask, 1)
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    assert len(await lines(ask)) == 1

    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()

    assert not journal_file(hass, entry.entry_id).exists()
    assert (await ask("info"))["error"]["code"] == "not_loaded"


async def test_without_a_frontend_everything_else_works(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    assert "frontend" not in hass.config.components
    assert (await say(hass, "order a pizza"))["status"] == "refused"


async def test_the_panel_stands_in_the_sidebar_with_its_files_and_goes_with_the_last_entry(
    hass: HomeAssistant, world: World, model_file: Path, hass_client: ClientSessionGenerator
) -> None:
    assert await async_setup_component(hass, "frontend", {})
    entry = await load(hass, model_file)
    panel = hass.data[DATA_PANELS]["botpsy"]
    config = panel.config
    assert config is not None
    client = await hass_client()

    module = config["_panel_custom"]["module_url"]
    for path in (module, module.replace("panel.js", "vendor/lit.min.js"), f"{config['strings']}/en.json"):
        assert (await client.get(path)).status == 200
    assert (await client.get(f"{config['strings']}/xx.json")).status == 404
    assert not panel.require_admin

    await hass.config_entries.async_reload(entry.entry_id)
    assert "botpsy" in hass.data[DATA_PANELS]
    await hass.config_entries.async_remove(entry.entry_id)
    assert "botpsy" not in hass.data[DATA_PANELS]
