"""The ear's first promises, on a small home."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import How, Mood
from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing import hear

HOME = Home(
    entities=(
        Entity(id="light.kitchen", name="Kitchen light", area_id="kitchen"),
        Entity(id="light.counter", name="Counter", area_id="kitchen"),
        Entity(id="light.hall", name="Hall light", area_id="hall"),
        Entity(id="lock.front", name="Front door", area_id="hall"),
        Entity(id="todo.shopping", name="Shopping list"),
    ),
    areas=(Area(id="kitchen", name="Kitchen"), Area(id="hall", name="Hall"), Area(id="bedroom", name="Bedroom")),
)
CONTEXT = TurnContext(
    conversation_id="c", origin=Origin.CHAT, now=datetime(2026, 10, 21, 10, tzinfo=ZoneInfo("Europe/Berlin"))
)


def heard(text):
    return hear(text, home=HOME, transcript=Transcript(), context=CONTEXT).clauses


def test_a_whole_name_is_surest():
    (clause,) = heard("turn on the kitchen light")
    assert clause.mood is Mood.COMMAND
    assert clause.directions == (Direction.ON,)
    assert clause.targets[0].entities == ("light.kitchen",)
    assert clause.targets[0].score == 1
    assert clause.targets[0].how is How.NAME


def test_a_plural_with_a_place_means_all_of_them():
    (clause,) = heard("switch the lights in the kitchen off")
    assert clause.targets[0].entities == ("light.counter", "light.kitchen")
    assert clause.directions == (Direction.OFF,)


@pytest.mark.parametrize("text", ["turn on the attic light", "open the bedroom window", "turn on the disco ball"])
def test_what_the_home_lacks_is_absent_and_no_target(text):
    (clause,) = heard(text)
    assert clause.targets == ()
    assert clause.absent


def test_two_places_are_two_clauses():
    first, second = heard("turn off the lights in the kitchen and the hall")
    assert first.targets[0].entities == ("light.counter", "light.kitchen")
    assert second.targets[0].entities == ("light.hall",)
    assert second.directions == (Direction.OFF,)


def test_dictated_text_is_not_taken_apart():
    (clause,) = heard("add bread and butter to the shopping list")
    assert clause.targets[0].entities == ("todo.shopping",)


@pytest.mark.parametrize(
    ("player", "meant"),
    [
        (Entity(id="media_player.one", name="Speaker"), ()),
        (Entity(id="media_player.one", name="Bose", device_class="speaker"), ()),
        (Entity(id="media_player.one", name="Bose", device_class="tv"), ("media_player.one",)),
        (Entity(id="media_player.one", name="Samsung"), ("media_player.one",)),
    ],
)
def test_a_kind_told_by_its_class_is_no_other_kind_of_the_domain(player, meant):
    clause = hear(
        "turn on the television", home=Home(entities=(player,)), transcript=Transcript(), context=CONTEXT
    ).clauses[0]
    assert tuple(i for t in clause.targets for i in t.entities) == meant
