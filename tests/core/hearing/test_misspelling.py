"""Misspelt and misheard names are found, never instead of exact ones."""

import pytest

from botpsy_core.domain.heard import How, Mood
from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.domain.tools import Direction
from tests.core.hearing.slips import figures
from tests.core.hearing.tables import best, heard, home_of, languages, table

HOUSE = home_of(table("en")["home"])


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("turn on the kichen lite", "light.kitchen"),
        ("turn on the kitchin light", "light.kitchen"),
        ("turn on the kitchenlight", "light.kitchen"),
        ("turn on the bed room lamp", "light.bedroom"),
        ("turn on the badroom lamp", "light.bedroom"),
        ("start the cofee mashine", "switch.coffee"),
        ("start the coffeemachine", "switch.coffee"),
        ("turn of the fountian", "switch.fountain"),
        ("lock the frontdoor", "lock.front"),
        ("lock the fron door", "lock.front"),
        ("set the thermostate to 20", "climate.living"),
        ("close the garrage door", "cover.garage"),
        ("turn on the star progector", "light.kids"),
        ("swtich on the floor lmap", "light.floor_lamp"),
    ],
)
def test_a_slip_of_tongue_or_pen_finds_the_thing(text, entity):
    (clause,) = heard(text, home=HOUSE)
    assert best(clause) == [entity]
    assert clause.absent == ()


def test_a_near_miss_is_told_as_one():
    (clause,) = heard("turn on the kitchin light", home=HOUSE)
    assert clause.targets[0].how is How.FUZZY
    assert clause.targets[0].score < 0.9


def test_an_exact_name_beats_a_nearer_looking_one():
    home = Home(
        entities=(Entity(id="light.garden", name="Garden light"), Entity(id="light.warden", name="Warden light")),
        areas=(Area(id="x", name="Loft"),),
    )
    (clause,) = heard("turn on the garden light", home=home)
    assert [t.entities for t in clause.targets] == [("light.garden",)]


@pytest.mark.parametrize("text", ["turn on the hell light", "turn on the bell light", "turn on the mall light"])
def test_a_short_word_is_not_mended_on_our_own_account(text):
    home = Home(entities=(Entity(id="light.hall", name="Hall light"),))
    (clause,) = heard(text, home=home)
    assert all(t.score < 0.75 for t in clause.targets)


@pytest.mark.parametrize(
    "text",
    [
        "turn on the kitchen fight",
        "turn on the kitchen sight",
        "turn on the kitchen flight",
        "turn on the kitchen night",
        "lock the front floor",
        "open the garage poor",
    ],
)
def test_another_word_of_the_language_is_no_slip_of_a_thing(text):
    (clause,) = heard(text, home=HOUSE)
    assert all(t.score < 0.75 for t in clause.targets)


@pytest.mark.parametrize("text", ["make the letters bold", "yell at the kids", "look at the sky", "sell the stocks"])
def test_another_word_of_the_language_is_no_slip_of_an_act(text):
    (clause,) = heard(text, home=HOUSE)
    assert not {Direction.LOCK, Direction.UNLOCK, Direction.SEND, Direction.OPEN} & set(clause.directions)


def test_another_word_of_the_language_is_no_slip_of_all():
    (clause,) = heard("the pin was entered", home=HOUSE)
    assert not clause.everything


def test_what_follows_an_article_is_a_thing_and_no_act():
    (clause,) = heard("switch off all the lights in the lvking room", home=HOUSE)
    assert Direction.LOCK not in clause.directions
    assert set(best(clause)) <= {"light.floor_lamp", "light.sofa"}


FLOORS = {"ru": (0.85, 0.68), "hi": (0.85, 0.7), "pl": (0.85, 0.7), "zh": (0.85, 0.7)}
"""The shares of commands that must survive one slip, and two, where they are not the usual ones."""


@pytest.mark.parametrize("language", languages())
def test_most_commands_survive_slips_in_every_language_and_none_reaches_further(language):
    for wrong, share in zip((1, 2), FLOORS.get(language, (0.85, 0.7)), strict=True):
        right, wider, _ = figures(language, wrong, times=4)
        assert right >= share
        assert wider <= 0.005


@pytest.mark.parametrize(
    ("text", "way", "entities"),
    [
        ("mske the kitchen light brighter", Direction.SET, ("light.kitchen",)),
        ("turn on the kitchen ight", Direction.ON, ("light.kitchen",)),
        ("turn off the lights in the living rom", Direction.OFF, ("light.sofa",)),
        ("lock the front dor", Direction.LOCK, ("lock.front",)),
        ("keep the front door lcked", Direction.LOCK, ("lock.front",)),
    ],
)
def test_a_short_word_is_mended_where_its_neighbours_leave_nothing_else(text, way, entities):
    home = Home(
        entities=(
            Entity(id="light.kitchen", name="Kitchen light", area_id="kitchen"),
            Entity(id="light.sofa", name="Sofa", area_id="living"),
            Entity(id="lock.front", name="Front door", area_id="hall"),
        ),
        areas=(Area(id="kitchen", name="Kitchen"), Area(id="living", name="Living room"), Area(id="hall", name="Hall")),
    )
    (clause,) = heard(text, home=home)
    assert way in clause.directions
    assert clause.targets[0].entities == entities


@pytest.mark.parametrize(
    "text",
    [
        "turn on the ball light",
        "open the front poor",
        "turn on the living loom lights",
        "turn on the dining rook",
        "wake the kitchen light",
    ],
)
def test_a_neighbour_makes_no_thing_of_another_word(text):
    home = Home(
        entities=(
            Entity(id="light.hall", name="Hall light"),
            Entity(id="light.kitchen", name="Kitchen light"),
            Entity(id="lock.front", name="Front door"),
            Entity(id="light.sofa", name="Sofa", area_id="living"),
        ),
        areas=(Area(id="living", name="Living room"),),
    )
    (clause,) = heard(text, home=home)
    assert not clause.directions or all(t.score < 0.75 for t in clause.targets)


@pytest.mark.parametrize(
    ("text", "entities"),
    [("打开洛地灯", ["light.floor_lamp"]), ("打开厨仿灯", ["light.kitchen"]), ("把走廊壁灯官掉", ["light.hall"])],
)
def test_a_chinese_sign_that_sounds_alike_is_put_right_and_less_sure(text, entities):
    (clause,) = heard(text, home=home_of(table("zh")["home"]), language="zh")
    assert best(clause) == entities
    assert clause.directions
    assert clause.targets[0].score <= 1
    assert clause.targets[0].score < 1 or "官" in text


@pytest.mark.parametrize("text", ["全不关掉灯", "不打开厨房灯", "别关掉厨房灯", "等一下"])
def test_a_sign_that_says_no_or_wait_is_never_another(text):
    (clause, *_) = heard(text, home=home_of(table("zh")["home"]), language="zh")
    assert clause.mood is not Mood.COMMAND


def test_a_form_of_a_place_that_the_language_knows_is_no_slip_of_one_of_the_home():
    home = Home(
        entities=(
            Entity(id="climate.salon", name="Ogrzewanie w salonie", area_id="salon"),
            Entity(id="light.lamp", name="Lampa stojąca", area_id="salon"),
        ),
        areas=(Area(id="salon", name="Salon"),),
        language="pl",
    )
    for text in ("włącz ogrzewanie w saunie", "włącz lampę stojącą w saunie"):
        (clause,) = heard(text, home=home, language="pl")
        assert clause.absent
    (clause,) = heard("włącz ogrzewanie w salnie", home=home, language="pl")
    assert best(clause) == ["climate.salon"]


@pytest.mark.parametrize(
    ("language", "text"), [("pt", "alaga a cozinha"), ("it", "segni la cucina"), ("fr", "coule la cuisine")]
)
def test_another_verb_is_no_slip_of_a_command(language, text):
    (clause,) = heard(text, home=home_of(table(language)["home"]), language=language)
    assert clause.directions == ()
