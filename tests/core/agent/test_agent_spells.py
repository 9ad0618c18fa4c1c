"""An act for a while: done now, undone later, and neither without the other."""

import pytest
from test_agent_plans import House

from botpsy_core.domain.events import TurnStatus
from botpsy_core.safety import load_policy


@pytest.fixture
def house(clock) -> House:
    return House(clock)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the bedroom light for ten minutes"),
        ("en", "turn the bedroom light on and off again in ten minutes"),
        ("de", "schalte das Bedroom Light für zehn Minuten ein"),
        ("de", "schalte das Bedroom Light zehn Minuten lang ein"),
        ("de", "schalte das Bedroom Light ein und in zehn Minuten wieder aus"),
        ("fr", "allume Bedroom Light pendant dix minutes"),
        ("es", "enciende Bedroom Light durante diez minutos"),
        ("it", "accendi Bedroom Light per dieci minuti"),
        ("pt", "liga Bedroom Light durante dez minutos"),
        ("nl", "zet Bedroom Light voor tien minuten aan"),
        ("pl", "włącz Bedroom Light na dziesięć minut"),
        ("ru", "включи Bedroom Light на десять минут"),
        ("zh", "打开Bedroom Light十分钟"),
        ("hi", "दस मिनट के लिए Bedroom Light चालू करो"),
    ],
)
async def test_it_is_done_now_and_undone_when_the_while_is_over(house, language, text):
    ended = await house.say(text, language=language)
    assert ended.status is TurnStatus.DONE
    assert house.state("light.bedroom") == "on"
    assert [f"{act.at:%H:%M}" for act in house.plans.acts] == ["12:10"]
    await house.wait(minutes=10)
    assert house.state("light.bedroom") == "off"


@pytest.mark.parametrize(
    "text",
    [
        "open the garage door for ten minutes",
        "unlock the front door for ten minutes",
        "lock the front door for ten minutes",
        "dim the kitchen light to 10 % for ten minutes",
        "add milk to the shopping list for ten minutes",
        "turn the bedroom light on in ten minutes and off again",
    ],
)
async def test_what_cannot_be_put_back_later_is_not_begun(house, text):
    await house.say(text)
    assert (house.plans.acts, house.home.sent) == ((), [])
    assert house.state("light.bedroom") == "off"
    assert house.state("cover.garage_door") == "closed"
    assert house.state("lock.front_door") == "locked"
    assert house.home.items == {}


async def test_what_is_not_begun_is_not_put_back(house):
    house.agent._policy = load_policy({"tools": {"turn_on": {"enabled": False}}})
    ended = await house.say("turn on the bedroom light for ten minutes")
    assert (ended.status, house.plans.acts) == (TurnStatus.REFUSED, ())


async def test_what_is_off_already_is_not_turned_on_afterwards(house):
    await house.say("turn off the bedroom light for ten minutes")
    assert house.plans.acts == ()


async def test_what_is_on_already_goes_off_when_the_while_is_over(house):
    await house.say("leave the kitchen light on for ten minutes")
    await house.wait(minutes=10)
    assert house.state("light.kitchen") == "off"
