"""What is meant and not said: a complaint, a verb's kind, the room where it is said."""

import pytest

from botpsy_core.domain.heard import How, Mood, ValueKind
from botpsy_core.domain.home import Area, Entity, Home
from tests.core.hearing.tables import best, heard, home_of, table


@pytest.mark.parametrize(
    ("language", "text", "domain"),
    [
        ("en", "it's too dark to read", "light"),
        ("de", "es ist hier zu dunkel", "light"),
        ("fr", "il fait trop chaud", "climate"),
        ("es", "hace demasiado frío", "climate"),
        ("nl", "het is te koud", "climate"),
        ("ru", "здесь слишком темно", "light"),
        ("zh", "太暗了", "light"),
    ],
)
def test_what_is_too_much_is_about_a_kind_and_says_no_direction(language, text, domain):
    (clause,) = heard(text, home=home_of(table(language)["home"]), language=language)
    assert clause.mood is Mood.STATEMENT
    assert clause.directions == ()
    assert {i.partition(".")[0] for t in clause.targets for i in t.entities} == {domain}


def test_a_verb_whose_kind_the_home_lacks_reaches_nothing_else():
    home = Home(
        entities=(Entity(id="light.kitchen", name="Kitchen light", area_id="kitchen"),),
        areas=(Area(id="kitchen", name="Kitchen"),),
    )
    (clause,) = heard("clean the kitchen", home=home)
    assert clause.targets == ()


def test_the_lights_said_in_a_room_are_that_rooms():
    home = home_of(table("en")["home"])
    (clause,) = heard("turn on the lights", home=home, room="living")
    assert best(clause) == ["light.floor_lamp", "light.sofa"]
    assert clause.targets[0].how is How.KIND_IN_PLACE


@pytest.mark.parametrize(
    ("text", "dated"),
    [("add the 16th century to the shopping list", False), ("remind me on the 16th to call mum", True)],
)
def test_an_ordinal_that_counts_something_is_no_date(text, dated):
    (clause,) = heard(text, home=home_of(table("en")["home"]))
    assert any(v.kind is ValueKind.TIME for v in clause.values) is dated


SYSTEM = {
    "en": ("Sprinkler System", "turn off the system", "turn off the sprinkler system"),
    "de": ("Sprinkler System", "schalte das System aus", "schalte das Sprinkler System aus"),
    "es": ("Sistema de riego", "apaga el sistema", "apaga el sistema de riego"),
    "ru": ("Система полива", "выключи систему", "выключи систему полива"),
    "zh": ("灌溉系统", "关闭系统", "关闭灌溉系统"),
}


@pytest.mark.parametrize("language", SYSTEM)
def test_a_word_that_may_be_anything_names_no_thing_by_itself(language):
    name, bare, whole = SYSTEM[language]
    home = Home(entities=(Entity(id="switch.sprinkler", name=name), Entity(id="light.hall", name="Xandor")))
    (clause,) = heard(bare, home=home, language=language)
    assert clause.targets == ()
    (clause,) = heard(whole, home=home, language=language)
    assert best(clause) == ["switch.sprinkler"]


def test_a_value_beside_what_it_measures_is_a_command():
    home = Home(entities=(Entity(id="media_player.tv", name="TV"),))
    (clause,) = heard("TV volume to 50", home=home)
    assert clause.mood is Mood.COMMAND
    (clause,) = heard("the TV volume is 50", home=home)
    assert clause.mood is not Mood.COMMAND
