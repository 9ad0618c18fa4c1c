"""A large home is heard as fast as a small one."""

import time

from botpsy_core.domain.home import Area, Entity, Floor, Home
from tests.core.hearing.tables import best, heard

KINDS = ("light", "switch", "sensor", "cover", "media_player", "climate", "fan", "lock", "binary_sensor", "scene")
WORDS = ("Ceiling", "Desk", "Window", "Corner", "Left", "Right", "Upper", "Lower", "Main", "Spare")
ROOMS = [f"{a} {b}" for a in ("North", "South", "East", "West", "Old") for b in ("room", "hall", "office", "studio")]
LARGE = Home(
    entities=tuple(
        Entity(
            id=f"{kind}.{room.lower().replace(' ', '_')}_{n}_{word.lower()}",
            name=f"{room} {word.lower()} {kind.replace('_', ' ')}",
            area_id=room,
        )
        for n, room in enumerate(ROOMS)
        for kind in KINDS
        for word in WORDS[:5]
    ),
    areas=tuple(Area(id=room, name=room, floor_id="f1" if n % 2 else "f2") for n, room in enumerate(ROOMS)),
    floors=(Floor(id="f1", name="First floor"), Floor(id="f2", name="Second floor")),
)
SENTENCES = (
    "turn on the north office desk light",
    "turn on the light",
    "turn off all the lights except the east studio",
    "is the west hall window binary sensor open and what is the temperature",
    "trun on the nroth ofice dsk lihgt and the sotuh hall corner fan in twenty minutes",
    "remind me tomorrow at three to check the left cover in the old room",
)
LIMIT_S = 0.02


def test_a_home_of_a_thousand_things_is_heard_within_twenty_milliseconds():
    assert len(LARGE.entities) == 1000
    heard("warm up", home=LARGE)
    for text in SENTENCES:
        took = []
        for _ in range(5):
            start = time.perf_counter()
            heard(text, home=LARGE)
            took.append(time.perf_counter() - start)
        assert min(took) < LIMIT_S, (text, took)


def test_one_among_a_thousand_is_found():
    (clause,) = heard("turn on the north office desk light", home=LARGE)
    assert best(clause) == ["light.north_office_2_desk"]
