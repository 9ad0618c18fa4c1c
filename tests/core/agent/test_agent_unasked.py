"""What was left open, belongs to somebody else, or cannot be read is not done, whatever a model makes of it."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from eager_engine import EagerEngine

from botpsy_core.domain.events import Executed, TurnStatus
from botpsy_core.domain.home import Entity
from botpsy_core.domain.verdicts import Reason
from tests.core.hearing.tables import home_of, table

TABLE = yaml.safe_load(Path(__file__).with_name("unasked.yaml").read_text("utf-8"))


def rows(kind):
    return [
        pytest.param(language, text, id=f"{language} {text}")
        for language, by_kind in TABLE.items()
        for text in by_kind.get(kind, ())
    ]


def writes(t):
    risks = {spec.name: spec for spec in t.home.specs()}
    return [e.call for e in t.events if isinstance(e, Executed) and not risks[e.call.name].read_only]


def at_home(talk, language, engine=None):
    return talk(engine=engine, home=home_of(table(language)["home"]), language=language)


@pytest.mark.parametrize(("language", "text"), rows("hedged"))
async def test_what_is_only_perhaps_wanted_is_asked_about_first(talk, language, text):
    t = at_home(talk, language)
    ended = await t.say(text)
    assert (ended.status, writes(t)) == (TurnStatus.ASKED, [])


async def test_a_yes_to_what_was_perhaps_wanted_does_it(talk):
    t = at_home(talk, "en")
    await t.say("maybe turn on the hall light")
    await t.say("yes")
    assert [call.name for call in writes(t)] == ["turn_on"]


@pytest.mark.parametrize(("language", "text"), rows("plain"))
async def test_what_is_asked_for_politely_or_read_to_the_end_is_done(talk, language, text):
    t = at_home(talk, language)
    await t.say(text)
    assert len(writes(t)) == 1


@pytest.mark.parametrize(("language", "text"), rows("theirs"))
async def test_somebody_elses_things_are_none_of_this_home(talk, language, text):
    t = at_home(talk, language, EagerEngine(1))
    ended = await t.say(text)
    assert (ended.reason, writes(t)) == (Reason.ABSENT_DEVICE, [])


@pytest.mark.parametrize(("language", "text"), rows("figures"))
async def test_a_number_is_read_whole_or_not_at_all(talk, language, text):
    for seed in range(3):
        t = at_home(talk, language, EagerEngine(seed))
        await t.say(text)
        assert writes(t) == []


@pytest.mark.parametrize(("language", "text"), rows("alarms"))
async def test_an_alarm_is_never_switched_on_unasked(talk, language, text):
    home = home_of(table(language)["home"])
    alarm = {"en": "Smoke Alarm", "fr": "Alarme", "es": "Alarma"}.get(language, "Alarm")
    with_alarm = replace(home, entities=(*home.entities, Entity(id="switch.smoke", name=alarm, state="off")))
    for seed in range(3):
        t = talk(engine=EagerEngine(seed), home=with_alarm, language=language)
        await t.say(text)
        assert writes(t) == []


@pytest.mark.parametrize(("language", "text"), rows("reasons"))
async def test_of_a_complaint_and_a_command_the_command_alone_is_done(talk, language, text):
    t = at_home(talk, language)
    ended = await t.say(text)
    assert [(call.name, call.args["target"]) for call in writes(t)] == [("turn_on", ["light.kitchen"])]
    assert ended.status is TurnStatus.DONE


async def test_it_is_cold_tells_nothing_of_the_last_lamp(talk):
    for seed in range(3):
        t = at_home(talk, "en", EagerEngine(seed))
        await t.say("Turn on the counter. And it's cold.")
        assert [call.name for call in writes(t)] == ["turn_on"]
