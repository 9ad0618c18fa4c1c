"""Messages to somebody and to everyone, in every language: who gets them, and what they say."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from test_agent_plans import House

from botpsy_core.catalog import load_tools
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.home import Entity
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome

SAID = yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text("utf-8"))
ANNA = Entity(id="person.anna", name="Anna", state="home")
SATELLITES = (
    Entity(id="assist_satellite.bedroom", name="Bedroom Satellite", area_id="bedroom", state="idle"),
    Entity(id="assist_satellite.kitchen", name="Kitchen Satellite", area_id="kitchen", state="idle"),
)
TO_ANNA = [(language, text) for language, said in SAID.items() for text in said["anna"]]
TO_ALL = [(language, text) for language, said in SAID.items() for text in said["all"]]


def lived_in(clock, *more: Entity) -> House:
    house = House(clock)
    entities = tuple(sorted((*DEMO_HOME.entities, *more), key=lambda e: e.id))
    house.home = SimulatedHome(replace(DEMO_HOME, entities=entities), load_tools(), now=clock.now)
    house.start()
    return house


@pytest.mark.parametrize(("language", "text"), TO_ANNA)
async def test_a_message_goes_to_who_was_named(clock, language, text):
    house = lived_in(clock, ANNA, *SATELLITES)
    ended = await house.say(text, language=language)
    sent = [(a.entities, a.data["message"]) for a in house.home.sent]

    assert ended.status is TurnStatus.DONE
    assert sent == [(("person.anna",), SAID[language]["text"])]


@pytest.mark.parametrize(("language", "text"), TO_ALL)
async def test_what_is_for_everyone_is_spoken_everywhere_and_sent_to_nobody(clock, language, text):
    house = lived_in(clock, ANNA, *SATELLITES)
    ended = await house.say(text, language=language)

    assert ended.status is TurnStatus.DONE
    assert {a.action for a in house.home.sent} == {"announce"}
    assert {i for a in house.home.sent for i in a.entities} == {s.id for s in SATELLITES}
    assert all(str(a.data["message"]).startswith(SAID[language]["text"]) for a in house.home.sent)


@pytest.mark.parametrize(("language", "text"), [(lang, said["all"][0]) for lang, said in SAID.items()])
async def test_what_is_for_everyone_goes_to_nobody_else_where_nothing_speaks(clock, language, text):
    house = lived_in(clock, ANNA)
    await house.say(text, language=language)

    assert house.home.sent == []


async def test_a_place_narrows_it_down(clock):
    house = lived_in(clock, *SATELLITES)
    await house.say("announce upstairs that dinner is ready")

    assert [a.entities for a in house.home.sent] == [("assist_satellite.bedroom",)]
