"""Questions are kept exactly, answered once, by the right person."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from safety_scene import CONTEXT, UNLOCK_FRONT

from botpsy_core.domain.context import Origin
from botpsy_core.domain.tools import Risk, ToolCall
from botpsy_core.domain.verdicts import Ask, AskKind, Evidence, Reason, Refuse
from botpsy_core.safety import Attempts, Confirmation, Confirmations, PinHash

CALL = ToolCall(id="1", name="unlock", args={"target": ["lock.front"]})
ASK = Ask(call=CALL, risk=Risk.SECURITY, kind=AskKind.PIN, reason=Reason.NEEDS_PIN)
YES_NO = replace(ASK, kind=AskKind.CONFIRM, reason=Reason.NEEDS_CONFIRMATION)


class FrozenClock:
    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return datetime(2026, 5, 4, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self):
        return self.seconds


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def book(clock):
    return Confirmations(clock, pin=PinHash.of("4711"))


def keep(book, ask=ASK, context=CONTEXT):
    clause, heard = UNLOCK_FRONT
    return book.keep(ask, clause=clause, heard=heard, evidence=Evidence(), offered=None, context=context)


def test_the_right_pin_proves_exactly_the_stored_call(book):
    proof = book.answer(keep(book), accept=True, pin="4711", context=CONTEXT)
    assert isinstance(proof, Confirmation)
    assert (proof.call, proof.level) == (CALL, AskKind.PIN)


def test_an_answer_counts_once(book):
    pending = keep(book)
    book.answer(pending, accept=True, pin="4711", context=CONTEXT)
    assert book.answer(pending, accept=True, pin="4711", context=CONTEXT).reason is Reason.EXPIRED


def test_a_question_expires(book, clock):
    pending = keep(book)
    clock.seconds = 91
    assert book.pending(CONTEXT) is None
    assert book.answer(pending, accept=True, pin="4711", context=CONTEXT).reason is Reason.EXPIRED


@pytest.mark.parametrize(("ttl_s", "lasts_s"), [(20.0, 20), (120.0, 90), (None, 90)])
def test_the_shorter_of_the_profiles_and_the_policys_bound_counts(book, clock, ttl_s, lasts_s):
    keep(book, replace(ASK, ttl_s=ttl_s))
    clock.seconds = lasts_s - 1
    assert book.pending(CONTEXT) is not None
    clock.seconds = lasts_s
    assert book.pending(CONTEXT) is None


def test_a_changed_question_is_not_the_question(book):
    pending = keep(book)
    other = replace(pending, ask=replace(ASK, call=replace(CALL, args={"target": ["lock.back"]})))
    assert book.answer(other, accept=True, pin="4711", context=CONTEXT).reason is Reason.EXPIRED


def test_yes_is_not_enough_where_a_pin_is_asked_for(book):
    assert book.answer(keep(book), accept=True, pin=None, context=CONTEXT).reason is Reason.NEEDS_PIN


def test_three_wrong_pins_lock_everybody_out_for_a_while(book, clock):
    pending = keep(book)
    assert book.answer(pending, accept=True, pin="0000", context=CONTEXT).detail == {"left": "2"}
    assert book.answer(pending, accept=True, pin="1111", context=CONTEXT).reason is Reason.WRONG_PIN
    assert book.answer(pending, accept=True, pin="2222", context=CONTEXT).reason is Reason.LOCKED_OUT
    assert book.answer(keep(book), accept=True, pin="4711", context=CONTEXT).reason is Reason.LOCKED_OUT
    clock.seconds = 301
    assert isinstance(book.answer(keep(book), accept=True, pin="4711", context=CONTEXT), Confirmation)


def test_without_a_pin_set_nothing_is_proven(clock):
    book = Confirmations(clock)
    assert book.answer(keep(book), accept=True, pin="0000", context=CONTEXT).reason is Reason.NO_PIN_SET


def test_no_forgets_the_question(book):
    assert book.answer(keep(book), accept=False, pin=None, context=CONTEXT).reason is Reason.DENIED
    assert book.pending(CONTEXT) is None


@pytest.mark.parametrize(
    "elsewhere",
    [
        replace(CONTEXT, conversation_id="c2"),
        replace(CONTEXT, user_id="ben"),
        replace(CONTEXT, device_id="kitchen satellite"),
    ],
    ids=["conversation", "user", "device"],
)
def test_a_yes_elsewhere_finds_no_question(book, elsewhere):
    keep(book, YES_NO)
    assert book.pending(elsewhere) is None


PANEL = replace(CONTEXT, origin=Origin.MQTT, conversation_id="mqtt-anna")


def test_a_panel_may_answer_what_its_user_was_asked_there(book):
    pending = keep(book, YES_NO, context=PANEL)
    assert isinstance(book.answer(pending, accept=True, pin=None, context=PANEL), Confirmation)


@pytest.mark.parametrize(
    "elsewhere",
    [replace(PANEL, user_id="ben"), replace(PANEL, user_id=None), replace(PANEL, is_admin=True, user_id="root")],
)
def test_a_panel_answers_for_nobody_else(book, elsewhere):
    pending = keep(book, YES_NO, context=PANEL)
    answer = book.answer(pending, accept=True, pin=None, context=elsewhere)
    assert answer == Refuse(reason=Reason.NOT_ALLOWED, call=CALL)


def test_a_panel_cannot_answer_what_was_asked_in_a_chat(book):
    answer = book.answer(keep(book, YES_NO), accept=True, pin=None, context=PANEL)
    assert answer == Refuse(reason=Reason.NOT_ALLOWED, call=CALL)


@pytest.mark.parametrize("origin", [Origin.AGENT, Origin.DELAYED, Origin.AUTOMATION])
def test_a_machine_cannot_say_yes(book, origin):
    answer = book.answer(keep(book, YES_NO), accept=True, pin=None, context=replace(CONTEXT, origin=origin))
    assert answer == Refuse(reason=Reason.NOT_ALLOWED, call=CALL)


def test_another_user_cannot_answer(book):
    answer = book.answer(keep(book), accept=True, pin="4711", context=replace(CONTEXT, user_id="ben"))
    assert answer.reason is Reason.NOT_ALLOWED


def test_a_new_question_replaces_the_old_one_of_the_same_talk(book):
    old = keep(book)
    new = keep(book)
    assert book.get(old.id) is None
    assert book.pending(CONTEXT) == new


def test_a_pin_is_never_kept_in_the_clear():
    pin = PinHash.of("4711")
    assert "4711" not in repr(pin)
    assert pin.fits("4711")
    assert not pin.fits("4712")
    with pytest.raises(ValueError, match="at least 4"):
        PinHash.of("123")


def test_a_restart_gives_no_fresh_tries(book, clock):
    for wrong in ("0000", "1111"):
        book.answer(keep(book), accept=True, pin=wrong, context=CONTEXT)
    later = Confirmations(clock, pin=PinHash.of("4711"), attempts=book.attempts)
    assert later.answer(keep(later), accept=True, pin="2222", context=CONTEXT).reason is Reason.LOCKED_OUT
    clock.seconds += 100
    after = Confirmations(clock, pin=PinHash.of("4711"), attempts=later.attempts)
    assert after.locked_out
    clock.seconds += 250
    assert not after.locked_out
    assert after.attempts == Attempts()


def test_a_clock_that_was_set_back_locks_no_longer_than_the_policy(clock):
    far = Attempts(locked_until=clock.now() + timedelta(days=400))
    book = Confirmations(clock, pin=PinHash.of("4711"), attempts=far)
    assert book.locked_out
    clock.seconds += 301
    assert not book.locked_out


def test_where_nobody_known_asked_only_that_place_or_a_known_person_answers(book):
    satellite = replace(CONTEXT, user_id=None, device_id="kitchen satellite")
    ask = replace(ASK, kind=AskKind.CONFIRM)
    pending = keep(book, ask, context=satellite)
    elsewhere = replace(satellite, device_id="bathroom satellite")
    assert book.answer(pending, accept=True, pin=None, context=elsewhere).reason is Reason.NOT_ALLOWED
    assert isinstance(book.answer(pending, accept=True, pin=None, context=CONTEXT), Confirmation)
    pending = keep(book, ask, context=satellite)
    assert isinstance(book.answer(pending, accept=True, pin=None, context=satellite), Confirmation)
