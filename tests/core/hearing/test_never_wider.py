"""Words that this home does not know never make an act reach further."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy_core.domain.home import Area, Entity, Home
from tests.core.hearing.tables import best, heard, home_of, languages, table

HOUSE = home_of(table("en")["home"])
HOMES = {language: home_of(table(language)["home"]) for language in languages()}
SENTENCES = [(language, row["say"]) for language in languages() for row in table(language)["cases"] if row.get("top")]
STRANGE = st.text(alphabet="bdfgjkvwxzqu", min_size=5, max_size=9).filter(lambda w: len(set(w)) > 2)
"""Words of no language."""
KINDS = {
    "light": ("light", "lamp"),
    "fan": ("fan",),
    "lock": ("lock",),
    "cover": ("blind", "curtain", "awning", "shutter"),
    "climate": ("thermostat", "heater"),
    "media_player": ("tv", "speaker"),
    "switch": ("plug", "switch"),
    "vacuum": ("vacuum",),
}
ROOMS = ("kitchen", "bedroom", "hall", "office", "garage", "bathroom", "attic", "cellar", "nursery", "balcony")
VERBS = (
    "turn on the {}",
    "turn the {} off",
    "open the {}",
    "close the {}",
    "lock the {}",
    "unlock the {}",
    "dim the {}",
)


def meant(text, home=HOUSE, language="en"):
    return {entity for clause in heard(text, home=home, language=language) for entity in best(clause)}


@settings(max_examples=600, deadline=None)
@given(data=st.data())
def test_an_unknown_word_never_makes_more_things_meant(data):
    language, text = data.draw(st.sampled_from(SENTENCES))
    words = text.split() if " " in text else list(text)
    at = data.draw(st.integers(min_value=0, max_value=len(words)))
    longer = (" " if " " in text else "").join([*words[:at], data.draw(STRANGE), *words[at:]])
    home = HOMES[language]
    assert meant(longer, home, language) <= meant(text, home, language), longer


@settings(max_examples=300, deadline=None)
@given(
    rooms=st.lists(st.sampled_from(ROOMS), min_size=1, max_size=5, unique=True),
    kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=5, unique=True),
    named=st.booleans(),
    asked_room=st.sampled_from(ROOMS),
    asked=st.sampled_from(sorted(KINDS)),
    word=st.integers(min_value=0, max_value=3),
    verb=st.sampled_from(VERBS),
    after=st.booleans(),
)
def test_a_thing_that_no_home_has_there_is_absent(rooms, kinds, named, asked_room, asked, word, verb, after):
    entities = tuple(
        Entity(id=f"{kind}.{room}", name=f"{room} {KINDS[kind][0]}" if named else KINDS[kind][0], area_id=room)
        for room in rooms
        for kind in kinds
    )
    home = Home(entities=entities, areas=tuple(Area(id=r, name=r.title()) for r in rooms))
    if asked in kinds and asked_room in rooms:
        return
    said = KINDS[asked][word % len(KINDS[asked])]
    text = verb.format(f"{said} in the {asked_room}" if after else f"{asked_room} {said}")
    (clause,) = heard(text, home=home)
    assert clause.targets == (), (text, clause.targets)
    assert clause.absent, text


@pytest.mark.parametrize("other", ["wall", "tall", "bathroom", "bathroom's", "kitten", "garage"])
def test_a_word_like_a_name_is_not_that_name(other):
    home = Home(
        entities=(Entity(id="light.hall", name="Hall light"), Entity(id="light.bedroom", name="Bedroom light")),
        areas=(Area(id="garden", name="Garden"),),
    )
    assert meant(f"turn on the {other} light", home) == set()
