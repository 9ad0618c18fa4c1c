"""Whole turns in a home in memory, from words to states."""

import json
from dataclasses import replace

import pytest

from botpsy_core.catalog import load_tools
from botpsy_core.domain.events import Decided, Ended, Executed, TurnStatus
from botpsy_core.domain.verdicts import Reason
from botpsy_core.errors import EngineBusy, EngineFailed
from botpsy_core.evaluate.simulator import SimulatedHome


def call(name, **args):
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>"


def state(talk, entity_id):
    return talk.home.home.entity(entity_id).state


async def test_a_plain_command_needs_no_model(talk):
    t = talk(engine=None)
    ended = await t.say("turn on the bedroom light")
    assert ended.status is TurnStatus.DONE
    assert ended.reply == "Turned on Bedroom Light."
    assert state(t, "light.bedroom") == "on"


async def test_what_is_so_already_is_said_to_be_so(talk):
    t = talk(engine=None)
    ended = await t.say("turn on the kitchen light")
    assert ended.reply == "Kitchen Light is already on."


async def test_a_question_switches_nothing_and_is_answered_from_the_state(talk):
    t = talk(engine=None)
    ended = await t.say("is the kitchen light on?")
    assert ended.reply == "Yes, Kitchen Light is on."
    assert [type(e) for e in t.events] == [Decided, Executed, Ended]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("order a pizza", Reason.NO_SUITABLE_TOOL),
        ("feed the cat", Reason.NO_SUITABLE_TOOL),
        ("transfer money to my brother", Reason.EXCLUDED_TOPIC),
        ("open the bedroom window", Reason.ABSENT_DEVICE),
        ("switch on the light in the sauna", Reason.ABSENT_DEVICE),
        ("don't turn on the bedroom light", Reason.NEGATED),
        ("if it rains turn on the bedroom light", Reason.NOT_A_COMMAND),
    ],
)
async def test_what_nothing_can_do_is_refused_whatever_the_model_says(talk, text, reason):
    t = talk(*[call("turn_on", target="Bedroom Light")] * 4)
    before = t.home.home
    ended = await t.say(text)
    assert (ended.status, ended.reason) == (TurnStatus.REFUSED, reason)
    assert ended.calls == ()
    assert t.home.home == before


async def test_the_pin_lets_the_stored_call_out_once(talk):
    t = talk(engine=None)
    asked = await t.say("unlock the front door")
    assert asked.status is TurnStatus.ASKED
    assert asked.continue_conversation
    assert asked.reply.endswith("?")
    assert state(t, "lock.front_door") == "locked"
    done = await t.say("/pin 1234")
    assert (done.status, done.reply) == (TurnStatus.DONE, "Unlocked Front Door.")
    assert state(t, "lock.front_door") == "unlocked"
    assert (await t.say("/pin 1234")).reason is Reason.EXPIRED


async def test_yes_is_no_pin_and_no_ends_it(talk):
    t = talk(engine=None)
    await t.say("unlock the front door")
    assert (await t.say("yes")).reason is Reason.NEEDS_PIN
    assert (await t.say("no")).reason is Reason.DENIED
    assert (await t.say("/pin 1234")).reason is Reason.EXPIRED
    assert state(t, "lock.front_door") == "locked"


async def test_without_a_pin_set_a_door_stays_shut(talk):
    t = talk(engine=None, pin=None)
    assert (await t.say("unlock the front door")).reason is Reason.NO_PIN_SET


async def test_another_request_closes_the_question(talk):
    t = talk(engine=None)
    await t.say("close the garage door")
    await t.say("turn on the bedroom light")
    ended = await t.say("yes")
    assert ended.reason is Reason.EXPIRED
    assert state(t, "cover.garage_door") == "closed"


async def test_yes_lets_out_what_was_asked_about(talk):
    t = talk(engine=None, policy={"entities": {"switch.coffee_machine": {"confirm": "confirm"}}})
    asked = await t.say("turn on the coffee machine")
    assert asked.reply == "Shall I turn on Coffee Machine?"
    assert (await t.say("yes please")).reply == "Turned on Coffee Machine."
    assert state(t, "switch.coffee_machine") == "on"


async def test_thanks_confirms_nothing(talk):
    t = talk(engine=None, policy={"entities": {"switch.coffee_machine": {"confirm": "confirm"}}})
    await t.say("turn on the coffee machine")
    await t.say("thanks")
    assert (await t.say("yes")).reason is Reason.EXPIRED
    assert state(t, "switch.coffee_machine") == "off"


async def test_a_question_expires(talk, clock):
    t = talk(engine=None)
    await t.say("unlock the front door")
    clock.seconds += 91
    assert (await t.say("/pin 1234")).reason is Reason.EXPIRED


@pytest.mark.parametrize("failure", [EngineFailed("killed"), EngineBusy("full")])
async def test_a_model_that_dies_costs_one_turn(talk, failure):
    t = talk(failure)
    ended = await t.say("make it cosy in the living room")
    assert ended.status in {TurnStatus.FAILED, TurnStatus.REFUSED}
    assert ended.calls == ()
    assert (await t.say("turn on the bedroom light")).status is TurnStatus.DONE


async def test_one_clause_that_fails_does_not_hide_the_other(talk):
    t = talk(engine=None)
    ended = await t.say("turn on the bedroom light and open the bedroom window")
    assert state(t, "light.bedroom") == "on"
    assert ended.status is TurnStatus.REFUSED
    assert "Turned on Bedroom Light." in ended.reply
    assert [c.name for c in ended.calls] == ["turn_on"]


@pytest.mark.parametrize("text", ["", "   ", "\n"])
async def test_silence_gets_a_sentence(talk, text):
    ended = await talk(engine=None).say(text)
    assert (ended.status, ended.reply) == (TurnStatus.REFUSED, "I heard nothing.")


async def test_a_flood_of_words_is_refused_politely(talk):
    t = talk(engine=None)
    ended = await t.say("turn on the bedroom light " * 400)
    assert (ended.status, ended.reason) == (TurnStatus.REFUSED, Reason.TOO_LONG)
    assert "2000" in ended.reply
    assert state(t, "light.bedroom") == "off"


async def test_a_dry_run_decides_and_does_nothing(talk):
    t = talk(engine=None, dry_run=True)
    ended = await t.say("turn on the bedroom light")
    assert ended.reply == "I would turn on Bedroom Light."
    assert state(t, "light.bedroom") == "off"
    asked = await t.say("unlock the front door")
    assert (asked.status, asked.pending) == (TurnStatus.ASKED, None)


async def test_the_trace_says_what_each_room_saw(talk):
    ended = await talk(engine=None).say("turn on the bedroom light")
    (clause,) = ended.trace["clauses"]
    assert clause["directions"] == ["on"]
    assert clause["call"] == {"name": "turn_on", "args": {"target": ["light.bedroom"]}}
    assert clause["verdict"] == {"kind": "allow", "risk": "comfort"}


async def test_digits_alone_are_a_pin_and_are_written_down_nowhere(talk, clock):
    journal = Entries()
    t = talk(engine=None, journal=journal)
    await t.say("unlock the front door")
    assert (await t.say("1 2 3 4")).reason is Reason.NEEDS_PIN
    assert state(t, "lock.front_door") == "locked"
    assert "1234" not in json.dumps(journal.entries).replace(" ", "")


async def test_a_spoken_pin_counts_where_the_owner_allows_it(talk):
    journal = Entries()
    t = talk(engine=None, journal=journal, policy={"confirmation": {"spoken_pin": True}})
    await t.say("unlock the front door")
    assert (await t.say("12 34")).status is TurnStatus.DONE
    assert state(t, "lock.front_door") == "unlocked"
    assert "1234" not in json.dumps(journal.entries).replace(" ", "")


async def test_a_tool_that_breaks_costs_one_act_and_may_have_begun(talk, caplog):
    t = talk(engine=None)
    t.home = Broken(t.home.home, load_tools(), now=t.clock.now)
    ended = await t.say("turn on the bedroom light")
    assert ended.status is TurnStatus.UNCONFIRMED
    assert "the tool turn_on broke" in caplog.text
    assert "RuntimeError" in caplog.text


async def test_a_check_that_breaks_costs_one_act_and_does_nothing(talk, caplog):
    t = talk(engine=None)
    t.home = BrokenCheck(t.home.home, load_tools(), now=t.clock.now)
    before = state(t, "light.bedroom")
    ended = await t.say("turn on the bedroom light")
    assert ended.status is TurnStatus.FAILED
    assert ended.calls == ()
    assert state(t, "light.bedroom") == before
    assert "the check of the tool turn_on broke" in caplog.text
    assert "KeyError" in caplog.text


@pytest.mark.parametrize(("after_s", "shown"), [(29, "unlocked"), (30, "locked")])
async def test_a_profile_says_the_question_and_how_long_its_answer_counts(talk, clock, after_s, shown):
    t = talk(engine=None)
    t.home = ReadBack(t.home.home, load_tools(), now=t.clock.now)
    asked = await t.say("unlock the front door")
    assert asked.reply.startswith("Unlock the big door? I need the PIN to ")
    clock.seconds = after_s
    await t.say("/pin 1234")
    assert state(t, "lock.front_door") == shown


class BrokenCheck(SimulatedHome):
    async def check(self, call, context):
        raise KeyError


class ReadBack(SimulatedHome):
    async def check(self, call, context):
        return replace(await super().check(call, context), readback="Unlock the big door?", confirm_ttl_s=30)


class Broken(SimulatedHome):
    async def execute(self, call, context):
        raise RuntimeError


class Entries:
    def __init__(self):
        self.entries = []

    def record(self, entry):
        self.entries.append(entry)


async def test_of_several_wishes_the_one_that_nothing_can_do_is_named(talk):
    t = talk(*[call("no_suitable_tool")] * 4)
    ended = await t.say("turn on the bedroom light and feed the cat")
    assert ended.reply == "Turned on Bedroom Light. “feed the cat”: I have nothing that can do that, so I left it."
    assert (await t.say("feed the cat")).reply == "I have nothing that can do that, so I left it."
