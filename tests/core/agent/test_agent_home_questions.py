"""Questions about the home are answered from states, times, lists and calendars; no model words a fact."""

from dataclasses import replace

import pytest

from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.home import Entity
from botpsy_core.evaluate.demo_home import DEMO_HOME

HOME = replace(
    DEMO_HOME,
    entities=tuple(
        sorted(
            (
                *(replace(e, changed="2026-05-04T09:20:00+00:00") for e in DEMO_HOME.entities),
                Entity(id="weather.home", name="Forecast", state="cloudy"),
                Entity(id="lock.back_door", name="Back Door", area_id="kitchen", state="unlocked"),
            ),
            key=lambda e: e.id,
        )
    ),
)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "when did the garage door last open", ["closed", "09:20"]),
        ("en", "how long has the reading lamp been on", ["on", "09:20"]),
        ("en", "since when is the front door locked", ["locked", "09:20"]),
        ("de", "seit wann ist die Reading Lamp an", ["an", "09:20"]),
        ("fr", "depuis quand la Reading Lamp est allumée", ["09:20"]),
        ("en", "is everything locked", ["One of 2", "Front Door"]),
        ("en", "is the kitchen light off", ["No", "on"]),
        ("en", "is everything closed", ["Yes", "Garage Door"]),
        ("en", "how many lights are on", ["2 of 4", "Kitchen Light", "Reading Lamp"]),
        ("en", "how warm is it upstairs", ["18.6"]),
        ("en", "how cold is it in the bedroom", ["18.6"]),
    ],
)
async def test_a_state_answers_with_its_number_its_names_and_its_time(talk, language, text, said):
    ended = await talk(home=HOME, language=language).say(text)
    assert ended.status is TurnStatus.DONE
    assert [part for part in said if part not in ended.reply] == []


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        ("how many things are on the shopping list", ["3 things"], []),
        ("is milk on the shopping list", ["milk"], ["eggs", "Grandma"]),
        ("who do I need to call", ["call Grandma"], ["milk", "eggs"]),
        ("what do we need to buy", ["milk", "eggs", "call Grandma"], []),
    ],
)
async def test_what_is_looked_for_in_a_list_is_told_and_no_more(talk, text, said, unsaid):
    start = talk(home=HOME)
    for item in ("milk", "eggs", "call Grandma"):
        await start.say(f"put {item} on the shopping list")
    reply = (await start.say(text)).reply
    assert [part for part in said if part not in reply] == []
    assert [part for part in unsaid if part in reply] == []


async def test_a_text_that_is_also_a_command_is_written_down_whole(talk):
    start = talk(home=HOME)
    await start.say("add clean the kitchen to the shopping list")
    assert "clean the kitchen" in (await start.say("what is on the shopping list")).reply


async def test_the_act_of_a_moment_ago_has_its_time(talk, clock):
    start = talk(home=HOME)
    clock.seconds = 600
    await start.say("turn off the reading lamp")
    clock.seconds = 1200
    assert "12:10" in (await start.say("when was the reading lamp turned off")).reply
