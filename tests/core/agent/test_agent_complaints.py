"""What is too much becomes less and never more, in every language and through the whole house."""

from pathlib import Path

import pytest
import yaml
from eager_engine import EagerEngine

from botpsy_core.domain.home import Area, Entity, Home

ROWS = yaml.safe_load(Path(__file__).with_name("complaints.yaml").read_text("utf-8"))
SAID = [(language, way, text) for language, ways in ROWS.items() for way, texts in ways.items() for text in texts]


def home_for(language):
    room = ROWS[language]["room"][0]
    return Home(
        areas=(Area(id="living", name=room), Area(id="attic", name="Zxq")),
        entities=(
            Entity(
                id="climate.here",
                name="Klima 7",
                area_id="living",
                state="heat",
                attributes={"temperature": 21.0},
            ),
            Entity(id="light.here", name="Qvist", area_id="living", state="on", attributes={"brightness_pct": 50}),
            Entity(id="light.there", name="Xandor", area_id="attic", state="on", attributes={"brightness_pct": 50}),
            Entity(
                id="media_player.here",
                name="Zork",
                area_id="living",
                state="playing",
                attributes={"volume_level": 0.5, "volume_pct": 50},
            ),
        ),
    )


def changes(talk, before):
    return {e.id: {"state": e.state, **e.attributes} for e in talk.home.home.entities if e != before[e.id]}


@pytest.mark.parametrize(("language", "way", "text"), [row for row in SAID if row[1] != "room"])
async def test_what_is_complained_of_is_put_right_by_words_alone(talk, language, way, text):
    t = talk(engine=None, home=home_for(language), language=language, area_id="living")
    before = {e.id: e for e in t.home.home.entities}
    ended = await t.say(text)
    assert ended.status.value == "done", ended.reply
    ((entity_id, after),) = changes(t, before).items()
    entity, attribute, sign = {
        "too bright": ("light.here", "brightness_pct", -1),
        "too dark": ("light.here", "brightness_pct", 1),
        "too hot": ("climate.here", "temperature", -1),
        "too cold": ("climate.here", "temperature", 1),
        "too loud": ("media_player.here", "volume_pct", -1),
        "too quiet": ("media_player.here", "volume_pct", 1),
    }[way]
    assert entity_id == entity
    assert (after[attribute] - before[entity].attributes[attribute]) * sign > 0


@pytest.mark.parametrize(("language", "way", "text"), [row for row in SAID if row[1] != "room"])
async def test_no_model_makes_more_of_what_is_too_much(talk, language, way, text):
    for seed in range(3):
        t = talk(engine=EagerEngine(seed), home=home_for(language), language=language)
        before = {e.id: e for e in t.home.home.entities}
        await t.say(text)
        for entity_id, after in changes(t, before).items():
            for attribute in {"brightness_pct", "temperature", "volume_pct"} & set(after):
                grown = after[attribute] - before[entity_id].attributes[attribute]
                assert grown == 0 or (grown > 0) is (way in {"too dark", "too cold", "too quiet"})


async def test_where_no_room_is_known_it_is_asked_first(talk):
    t = talk(engine=None, home=home_for("en"))
    before = t.home.home
    asked = await t.say("I'm too hot")
    assert (asked.status.value, t.home.home) == ("asked", before)
    done = await t.say("yes")
    assert done.status.value == "done"
