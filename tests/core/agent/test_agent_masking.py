"""A PIN that somebody says beside a command stands in no journal, no trace and no event."""

import json

import pytest

from botpsy_core.agent.masking import hidden, in_digits, may_hold_a_pin
from botpsy_core.agent.phrases import phrases_for
from botpsy_core.domain.events import Decided, TurnStatus
from botpsy_core.domain.verdicts import Reason


class Entries:
    def __init__(self):
        self.entries = []

    def record(self, entry):
        self.entries.append(entry)


def call(name, **args):
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>"


def bare(value):
    return json.dumps(value, default=str).replace(" ", "").replace("-", "")


@pytest.mark.parametrize(
    "text",
    [
        "unlock the front door, the pin is 4711",
        "unlock the front door the code is 4 7 1 1",
        "unlock the front door with passcode 47-11",
    ],
)
async def test_a_pin_beside_a_command_is_masked_in_journal_trace_and_events(talk, text):
    journal = Entries()
    t = talk(call("unlock", target="Front Door"), journal=journal, pin="4711")
    ended = await t.say(text)
    assert ended.secret
    told = [event.clause for event in t.events if isinstance(event, Decided)]
    assert told
    for written in (journal.entries, ended.trace, told, ended.reply):
        assert "4711" not in bare(written)
    assert "•" in journal.entries[0]["text"]
    assert journal.entries[0]["text"].startswith("unlock the front door")
    assert json.dumps(ended.trace, ensure_ascii=False).count("lock.front_door")


async def test_the_answer_that_follows_quotes_no_pin_of_the_question(talk):
    journal = Entries()
    t = talk(engine=None, journal=journal, pin="4711")
    assert (await t.say("unlock the front door, the pin is 4711")).reason is Reason.NEEDS_PIN
    assert (await t.say("/pin 4711")).status is TurnStatus.DONE
    assert len(journal.entries) == 2
    assert "4711" not in bare(journal.entries)


async def test_a_pin_said_with_other_words_while_it_is_asked_for_is_masked(talk):
    journal = Entries()
    t = talk(engine=None, journal=journal, pin="4711")
    assert (await t.say("unlock the front door")).reason is Reason.NEEDS_PIN
    await t.say("it is 4711 of course")
    assert "4711" not in bare(journal.entries)


async def test_a_number_that_is_no_pin_stays_readable(talk):
    journal = Entries()
    t = talk(engine=None, journal=journal)
    await t.say("set the bedroom light to 40 percent")
    assert "40 percent" in journal.entries[0]["text"]


@pytest.mark.parametrize(
    ("language", "text", "holds"),
    [
        ("en", "my passcode is 123456", True),
        ("en", "spin the fan at 1200", False),
        ("en", "pin the note", False),
        ("de", "Die Geheimzahl lautet 1234", True),
        ("de", "the pin is 1234", True),
        ("fr", "le code est 1234", True),
        ("pl", "otwórz drzwi PIN-em 1234", True),
        ("ru", "открой дверь, пин-код 1234", True),
        ("hi", "दरवाज़ा खोलो, पिन १२३४ है", True),
        ("zh", "开门密码1234", True),
        ("en", "turn the heating to 21", False),
    ],
)
def test_digits_beside_a_word_for_a_code_may_be_a_pin(language, text, holds):
    words = phrases_for(language).words("code_words")
    assert may_hold_a_pin(text, code_words=words, asked=False, pin_set=True) is holds


@pytest.mark.parametrize(
    ("language", "text", "holds"),
    [
        ("en", "my postal code is 1234", False),
        ("en", "find the weather for zip code 90210", False),
        ("en", "the postal code is 1234 and the alarm code is 4711", True),
        ("de", "der Fehlercode ist 1234", False),
        ("de", "der Code ist 1234", True),
        ("fr", "mon code postal est 75001", False),
        ("es", "el código postal es 28001", False),
        ("it", "il codice postale è 00184", False),
        ("pt", "o código postal é 1000", False),
        ("nl", "mijn postcode is 1011", False),
        ("pl", "kod pocztowy to 0001", False),
        ("ru", "код города 4712", False),
        ("ru", "код 4712", True),
        ("zh", "邮政编码是1000", False),
        ("zh", "密码是1000", True),
        ("hi", "डाक कोड 1100 है", False),
    ],
)
@pytest.mark.parametrize("asked", [False, True])
def test_another_code_is_no_pin_unless_one_is_asked_for(language, text, holds, asked):
    words = {kind: phrases_for(language).words(kind) for kind in ("code_words", "other_codes")}
    assert may_hold_a_pin(text, **words, asked=asked, pin_set=True, language=language) is (holds or asked)


@pytest.mark.parametrize(("pin_set", "holds"), [(True, True), (False, False)])
def test_a_number_alone_may_be_a_pin_where_one_is_set(pin_set, holds):
    assert may_hold_a_pin(" 4711. ", code_words=(), asked=False, pin_set=pin_set) is holds


def test_ids_and_measures_stay_and_heard_amounts_go():
    trace = {
        "entities": ["lock.door_4711"],
        "score": 0.5,
        "args": {"level": 47},
        "values": [{"kind": "number", "value": 4711}],
        "text": "4711",
    }
    assert hidden(trace) == {
        "entities": ["lock.door_4711"],
        "score": 0.5,
        "args": {"level": "•"},
        "values": [{"kind": "number", "value": "•"}],
        "text": "•",
    }


@pytest.mark.parametrize(
    ("language", "text", "digits"),
    [
        ("en", "unlock the door, the code is four seven one one", "unlock the door, the code is 4711"),
        ("en", "the pin is forty seven eleven please", "the pin is 40711 please"),
        ("de", "die PIN ist vier sieben eins eins", "die PIN ist 4711"),
        ("zh", "密码是四七一一", "密码是4711"),
        ("en", "turn on one light and two fans", "turn on one light and two fans"),
        ("en", "", ""),
    ],
)
def test_number_words_are_digits_where_they_are_as_many_as_a_pin_has(language, text, digits):
    assert in_digits(text, language) == digits


async def test_a_pin_in_words_is_masked_like_one_in_digits(talk):
    journal = Entries()
    t = talk(engine=None, journal=journal, pin="4711")
    ended = await t.say("unlock the front door, the pin is four seven one one")
    assert ended.secret
    written = json.dumps([journal.entries, ended.trace], default=str)
    assert "seven" not in written
    assert "4711" not in written
