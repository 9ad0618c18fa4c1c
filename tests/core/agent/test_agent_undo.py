"""Undo puts back what the last acts changed, says what it cannot, and is judged like any command."""

from dataclasses import replace

import pytest

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.verdicts import Reason


def shown(talk):
    return {e.id: (e.state, dict(e.attributes)) for e in talk.home.home.entities}


@pytest.mark.parametrize(
    "command",
    [
        "turn on the bedroom lamp",
        "turn off the kitchen light",
        "set the bedroom lamp to 30 percent",
        "set the thermostat to 24 degrees",
        "turn on all lights",
        "turn on the bedroom lamp and set the thermostat to 24 degrees",
    ],
)
async def test_everything_is_as_it_was_before(talk, command):
    line = talk()
    before = shown(line)
    done = await line.say(command)
    assert done.calls, done.reply
    undone = await line.say("Undo that!")
    assert undone.status in {TurnStatus.DONE, TurnStatus.REFUSED}
    assert {i: s for i, (s, _) in shown(line).items()} == {i: s for i, (s, _) in before.items()}


async def test_a_value_comes_back(talk):
    line = talk()
    before = shown(line)["climate.thermostat"]
    await line.say("set the thermostat to 24 degrees")
    assert shown(line)["climate.thermostat"] != before
    await line.say("undo")
    assert shown(line)["climate.thermostat"] == before


async def test_what_was_added_to_a_list_is_taken_off(talk):
    line = talk()
    await line.say("add milk to the shopping list")
    undone = await line.say("undo")
    assert undone.status is TurnStatus.DONE
    assert "Nothing" in (await line.say("what is on the shopping list")).reply or undone.calls[0].name == "remove_item"


async def test_undone_twice_is_done_again(talk):
    line = talk()
    await line.say("turn on the bedroom lamp")
    after = shown(line)
    await line.say("undo")
    await line.say("undo")
    assert shown(line) == after


async def test_without_an_act_there_is_nothing_to_undo(talk, clock):
    line = talk()
    nothing = await line.say("undo")
    assert (nothing.status, nothing.reason, nothing.calls) == (TurnStatus.REFUSED, Reason.EXPIRED, ())
    await line.say("turn on the bedroom lamp")
    clock.seconds += 3600
    assert (await line.say("undo")).calls == ()


async def test_undoing_a_lock_needs_the_pin_as_unlocking_does(talk):
    line = talk()
    opened = await line.say("unlock the front door")
    assert opened.status is TurnStatus.ASKED
    await line.say("/pin 1234")
    assert shown(line)["lock.front_door"][0] == "unlocked"
    await line.say("undo")
    assert shown(line)["lock.front_door"][0] == "locked"
    asked = await line.say("undo")
    assert asked.status is TurnStatus.ASKED
    assert asked.reason is Reason.NEEDS_PIN
    assert shown(line)["lock.front_door"][0] == "locked"


async def test_what_left_the_home_is_named_as_not_to_be_undone(talk):
    line = talk()
    sent = await line.say("tell the phone that dinner is ready")
    assert sent.calls, sent.reply
    undone = await line.say("undo")
    assert undone.status is TurnStatus.REFUSED
    assert undone.calls == ()
    assert "dinner is ready" in undone.reply


async def test_nobody_undoes_what_somebody_else_did(talk, clock):
    line = talk()
    await line.say("turn on the bedroom lamp")
    after = shown(line)
    guest = TurnContext(conversation_id="talk", origin=Origin.CHAT, now=clock.now(), user_id="guest")
    for context, kept in ((guest, True), (replace(guest, user_id="owner"), False)):
        async for _ in line.agent.undo(home=line.home.home, toolbox=line.home, context=context):
            pass
        assert (shown(line) == after) is kept
