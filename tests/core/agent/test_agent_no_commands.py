"""What sounds like a command and is none changes nothing, whatever the model says."""

import pytest
from eager_engine import EagerEngine

from botpsy_core.domain.events import Executed, TurnStatus
from botpsy_core.domain.tools import Risk
from botpsy_core.domain.verdicts import Reason

NO_COMMANDS = {
    "en": [
        ("the kitchen light is on", Reason.NOT_A_COMMAND),
        ("I already turned off the kitchen light", Reason.NOT_A_COMMAND),
        ("he wants to turn off the kitchen light", Reason.NOT_A_COMMAND),
        ("my kids like to turn off the kitchen light", Reason.NOT_A_COMMAND),
        ("the dog needs you to turn off the kitchen light", Reason.NOT_A_COMMAND),
        ("you should have turned off the kitchen light", Reason.NOT_A_COMMAND),
        ("turn off the kitchen light at sunset", Reason.NOT_A_COMMAND),
        ("turn off the kitchen light every evening", Reason.NOT_A_COMMAND),
        ("stop turning off the kitchen light", Reason.NEGATED),
        ("turn off the kitchen light... no, don't", Reason.NEGATED),
        ("how do I unlock the front door?", Reason.QUESTION),
        ("should I turn off the kitchen light?", Reason.QUESTION),
        ("turn the kitchen light on off", Reason.OPPOSITE),
    ],
    "de": [
        ("die Kitchen Light ist an", Reason.NOT_A_COMMAND),
        ("ich habe die Kitchen Light schon ausgeschaltet", Reason.NOT_A_COMMAND),
        ("er will die Kitchen Light ausschalten", Reason.NOT_A_COMMAND),
        ("mach die Kitchen Light später aus", Reason.NOT_A_COMMAND),
        ("wie kann ich die Front Door aufschließen?", Reason.QUESTION),
    ],
}
ROWS = [(language, text, reason) for language, rows in NO_COMMANDS.items() for text, reason in rows]


def writes(talk):
    risks = {spec.name: spec.risk for spec in talk.home.specs()}
    return [e.call for e in talk.events if isinstance(e, Executed) and risks[e.call.name] is not Risk.READ]


@pytest.mark.parametrize(("language", "text", "reason"), ROWS)
async def test_what_is_no_command_is_not_done(talk, language, text, reason):
    t = talk(engine=EagerEngine(1), language=language)

    ended = await t.say(text)

    assert writes(t) == []
    assert ended.reason is reason


@pytest.mark.parametrize("after", ["make it warmer", "make it louder"])
async def test_it_is_no_thing_of_another_kind(talk, after):
    t = talk(engine=None)
    await t.say("turn on the kitchen light")

    ended = await t.say(after)

    assert writes(t) == []
    assert ended.status in {TurnStatus.ASKED, TurnStatus.REFUSED}


async def test_a_comparative_without_it_means_the_one_thing_of_its_kind(talk):
    t = talk(engine=None)

    await t.say("make it warmer")

    assert [call.args["target"] for call in writes(t)] == [["climate.thermostat"]]


async def test_one_thing_or_another_is_asked(talk):
    t = talk(engine=EagerEngine(1))

    ended = await t.say("turn on the kitchen light or the bedroom light")

    assert writes(t) == []
    assert ended.status is TurnStatus.ASKED
