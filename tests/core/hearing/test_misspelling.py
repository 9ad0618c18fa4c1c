"""Misspelt and misheard names are found, never instead of exact ones."""

import random

import pytest

from botpsy_core.domain.heard import How
from botpsy_core.domain.home import Area, Entity, Home
from tests.core.hearing.tables import best, heard, home_of, table

HOUSE = home_of(table("en")["home"])
LETTERS = "abcdefghijklmnopqrstuvwxyz"


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


def slipped(word, *, wrong, rng):
    """Return a word with letters swapped, dropped, doubled or replaced, never its first."""
    for _ in range(wrong):
        at = rng.randrange(1, len(word))
        kind = rng.randrange(4)
        if kind == 0:
            word = word[:at] + rng.choice(LETTERS) + word[at + 1 :]
        elif kind == 1 and len(word) > 3:
            word = word[:at] + word[at + 1 :]
        elif kind == 2:
            word = word[:at] + word[at - 1] + word[at:]
        else:
            word = word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    return word


@pytest.mark.parametrize(("wrong", "share"), [(1, 0.85), (2, 0.55)])
def test_most_commands_survive_wrong_letters_and_none_reaches_further(wrong, share):
    rng = random.Random(7)
    rows = [row for row in table("en")["cases"] if row.get("top") and "then" not in row and "mood" not in row]
    right = total = 0
    for row in rows:
        for _ in range(5):
            words = row["say"].split()
            long = [n for n, w in enumerate(words) if len(w) > 4 and w.isalpha()]
            if not long:
                continue
            at = rng.choice(long)
            words[at] = slipped(words[at], wrong=wrong, rng=rng)
            (clause, *_) = heard(" ".join(words), home=HOUSE)
            total += 1
            right += best(clause) == row["top"]
            assert set(best(clause)) <= set(row["top"]) or clause.targets[0].score < 0.93, (words, clause.targets[0])
    assert right / total >= share, right / total
