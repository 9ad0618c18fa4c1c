"""Both: an answer or a command that says it speaks of two things, and of no more."""

import pytest

from botpsy_core.domain.events import Executed, TurnStatus
from botpsy_core.domain.home import Area, Entity, Home

LIGHTS = {
    "en": ("turn on the light", "both"),
    "de": ("mach das Licht an", "beide"),
    "fr": ("allume la lumière", "les deux"),
    "es": ("enciende la luz", "las dos"),
    "it": ("accendi la luce", "entrambe"),
    "pt": ("acende a luz", "ambas"),
    "nl": ("doe de lamp aan", "beide"),
    "pl": ("włącz światło", "oba"),
    "ru": ("включи свет", "оба"),  # noqa: RUF001 - Russian letters
    "zh": ("打开灯", "两个都"),
    "hi": ("लाइट चालू करो", "दोनों"),
}


def home_of(*names: str) -> Home:
    lights = (Entity(id=f"light.{n.lower()}", name=n, area_id="hall", state="off") for n in names)
    return Home(entities=tuple(lights), areas=(Area(id="hall", name="Hall"),))


def switched(talk) -> list[str]:
    done = [e.call for e in talk.events if isinstance(e, Executed)]
    return sorted(i for call in done for i in call.args.get("target", ()))


@pytest.mark.parametrize("language", LIGHTS)
async def test_both_of_three_is_asked_again(talk, language):
    t = talk(engine=None, language=language, home=home_of("Alpha", "Beta", "Gamma"))
    asked, answer = LIGHTS[language]
    first = await t.say(asked)

    again = await t.say(answer)

    assert again.status is TurnStatus.ASKED
    assert again.reply == first.reply
    assert switched(t) == []


@pytest.mark.parametrize("language", LIGHTS)
async def test_both_of_two_means_them(talk, language):
    t = talk(engine=None, language=language, home=home_of("Alpha", "Beta"))
    asked, answer = LIGHTS[language]
    await t.say(asked)

    await t.say(answer)

    assert switched(t) == ["light.alpha", "light.beta"]


@pytest.mark.parametrize(("answer", "meant"), [("all of them", ["alpha", "beta", "gamma"]), ("Beta", ["beta"])])
async def test_the_question_stays_open_after_both(talk, answer, meant):
    t = talk(engine=None, home=home_of("Alpha", "Beta", "Gamma"))
    await t.say("turn on the light")
    await t.say("both")

    await t.say(answer)

    assert switched(t) == [f"light.{name}" for name in meant]


async def test_a_command_for_both_takes_no_three(talk):
    t = talk(engine=None, home=home_of("Alpha", "Beta", "Gamma"))

    ended = await t.say("turn on both lights")

    assert ended.status is TurnStatus.ASKED
    assert switched(t) == []


async def test_both_before_two_names_only_adds_them_up(talk):
    t = talk(engine=None, home=home_of("Alpha", "Beta", "Gamma"))

    await t.say("turn on both Alpha and Beta")

    assert switched(t) == ["light.alpha", "light.beta"]
