"""What the gate lets through, asks about and refuses."""

from dataclasses import replace

import pytest
from safety_scene import (
    CONTEXT,
    HOME,
    LIGHT_ON,
    NOTIFY,
    OPEN,
    READ,
    SET_TEMPERATURE,
    TARGET,
    TURN_OFF,
    TURN_ON,
    UNLOCK,
    UNLOCK_FRONT,
    from_,
    heard_target,
    judge,
    said,
    tool,
)

from botpsy_core.domain.context import Origin
from botpsy_core.domain.heard import How, Mood, Value, ValueKind
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Direction, Risk, ToolCall
from botpsy_core.domain.verdicts import Allow, Ask, AskKind, Evidence, Readiness, Reason, Refuse
from botpsy_core.safety import Confirmation, Standing, load_policy

KITCHEN = {"target": ["light.kitchen"]}
FRONT = {"target": ["lock.front"]}
PIN = Confirmation(
    call=ToolCall(id="1", name="unlock", args=FRONT), level=AskKind.PIN, conversation_id="c1", user_id="anna"
)


def reason(verdict):
    assert not isinstance(verdict, Allow), verdict
    return verdict.reason


def test_a_plain_command_goes_out():
    assert isinstance(judge(TURN_ON, KITCHEN, LIGHT_ON), Allow)


@pytest.mark.parametrize(
    ("mood", "expected"),
    [
        (Mood.NEGATED, Reason.NEGATED),
        (Mood.QUESTION, Reason.QUESTION),
        (Mood.CONDITIONAL, Reason.NOT_A_COMMAND),
        (Mood.REPORTED, Reason.NOT_A_COMMAND),
        (Mood.ASSENT, Reason.NOT_A_COMMAND),
        (Mood.THANKS, Reason.NOT_A_COMMAND),
    ],
)
def test_what_is_no_command_changes_nothing(mood, expected):
    clause, heard = LIGHT_ON
    assert reason(judge(TURN_ON, KITCHEN, (replace(clause, mood=mood), heard))) is expected


def test_a_question_may_read():
    words = said("is the kitchen light on", mood=Mood.QUESTION, targets=[("kitchen light", "light.kitchen")])
    assert isinstance(judge(READ, KITCHEN, words), Allow)


def test_the_opposite_of_what_was_said_is_refused():
    assert reason(judge(TURN_OFF, {"target": ["light.kitchen"]}, LIGHT_ON)) is Reason.OPPOSITE


def test_a_target_that_nobody_named_is_refused():
    assert reason(judge(TURN_ON, {"target": ["light.hall"]}, LIGHT_ON)) is Reason.UNGROUNDED


@pytest.mark.parametrize(
    ("words", "named", "allowed"),
    [
        ("open the flap", "binary_sensor.leaf_flap", True),
        ("open the flap and the range", "sensor.leaf_range", True),
        ("open the flap of the garage door", "cover.garage", False),
        ("open the leaf flap", "binary_sensor.leaflet_flap", False),
    ],
)
def test_a_device_is_named_by_its_own_signals_and_by_nothing_else(words, named, allowed):
    spec = tool("open_flap", direction=Direction.OPEN, arguments=(), target="vehicle.leaf", cues={"en": (("flap",),)})
    name = "garage door" if "garage" in words else words.split()[-1]
    verdict = judge(spec, {}, said(words, directions=[Direction.OPEN], targets=[(name, named)]))
    assert isinstance(verdict, Allow) is allowed


@pytest.mark.parametrize(
    ("words", "how", "allowed"),
    [("clean the kitchen", How.PLACE, False), ("start the kitchen light", How.NAME, True)],
)
def test_what_is_started_is_a_thing_and_nothing_that_stands_in_a_place(words, how, allowed):
    target = heard_target(words, "kitchen", "light.kitchen", how=how, score=0.8 if how is How.PLACE else 1.0)
    verdict = judge(TURN_ON, KITCHEN, said(words, directions=[Direction.START], targets=[target]))
    assert isinstance(verdict, Allow) is allowed
    if not allowed:
        assert reason(verdict) is Reason.NO_SUITABLE_TOOL


def test_an_act_that_nothing_in_the_words_points_to_is_refused():
    words = said("order a pizza", unexplained=(LIGHT_ON[0].span,))
    assert isinstance(judge(TURN_ON, KITCHEN, words), Refuse)


def test_an_absent_thing_is_named_with_what_exists_near_it():
    words = said("open the garage window", directions=[Direction.OPEN], absent=("garage window",))
    verdict = judge(OPEN, {"target": ["cover.garage"]}, words)
    assert reason(verdict) is Reason.ABSENT_DEVICE
    assert verdict.detail["name"] == "garage window"
    assert "Garage Door" in verdict.detail["nearest"]


def test_an_unknown_room_inside_a_message_is_no_absent_thing():
    text = "notify me that the sauna is ready"
    words = said(text, directions=[Direction.SEND], absent=("sauna",))
    assert isinstance(judge(NOTIFY, {"message": "the sauna is ready"}, words), Allow)


def test_several_things_want_all_or_a_place():
    text = "turn on the light"
    one_of = said(
        text,
        directions=[Direction.ON],
        targets=[heard_target(text, "light", "light.hall", "light.kitchen", how=How.KIND, score=0.9)],
    )
    both = {"target": ["light.hall", "light.kitchen"]}
    verdict = judge(TURN_ON, both, one_of)
    assert reason(verdict) is Reason.AMBIGUOUS_TARGET
    assert verdict.kind is AskKind.CLARIFY
    assert verdict.options == ("Hall Light", "Kitchen Light")
    clause, heard = one_of
    assert isinstance(judge(TURN_ON, both, (replace(clause, everything=True), heard)), Allow)


def test_two_things_that_are_equally_near_are_asked_about_unless_more_words_made_the_model_sure():
    text = "turn on the lamp beside the stove"
    near = [heard_target(text, "lamp", i, how=How.KIND, score=0.8) for i in ("light.hall", "light.kitchen")]
    words = said(text, directions=[Direction.ON], targets=near)
    assert reason(judge(TURN_ON, KITCHEN, words, evidence=Evidence(p_args={"target": 0.5}))) is Reason.AMBIGUOUS_TARGET
    sure = Evidence(p_call=0.9, p_args={"target": 0.95})
    assert reason(judge(TURN_ON, KITCHEN, words, evidence=sure)) is Reason.AMBIGUOUS_TARGET
    clause, heard = words
    more = (replace(clause, unexplained=(heard_target(text, "stove").span,)), heard)
    assert isinstance(judge(TURN_ON, KITCHEN, more, evidence=sure), Allow)


def test_a_missing_argument_is_asked_for_with_its_range():
    words = said("set the thermostat", directions=[Direction.SET], targets=[("thermostat", "climate.main")])
    verdict = judge(SET_TEMPERATURE, {"target": ["climate.main"]}, words)
    assert reason(verdict) is Reason.MISSING_ARGUMENT
    assert (verdict.argument, verdict.detail["range"]) == ("temperature", "5 to 35 °C")


def test_an_invented_number_is_asked_for():
    words = said("set the thermostat", directions=[Direction.SET], targets=[("thermostat", "climate.main")])
    verdict = judge(SET_TEMPERATURE, {"target": ["climate.main"], "temperature": 21}, words)
    assert reason(verdict) is Reason.MISSING_ARGUMENT


def test_a_value_out_of_range_is_asked_again():
    text = "set the thermostat to 90"
    number = Value(kind=ValueKind.NUMBER, value=90, span=heard_target(text, "90").span)
    words = said(text, directions=[Direction.SET], targets=[("thermostat", "climate.main")], values=(number,))
    verdict = judge(SET_TEMPERATURE, {"target": ["climate.main"], "temperature": 90}, words)
    assert reason(verdict) is Reason.WRONG_ARGUMENT
    assert verdict.detail == {"value": "90", "range": "5 to 35 °C"}


def test_a_risky_act_waits_for_the_pin_and_goes_out_after_it():
    verdict = judge(UNLOCK, FRONT, UNLOCK_FRONT)
    assert isinstance(verdict, Ask)
    assert (verdict.kind, verdict.reason) == (AskKind.PIN, Reason.NEEDS_PIN)
    assert isinstance(judge(UNLOCK, FRONT, UNLOCK_FRONT, confirmation=PIN), Allow)


def test_no_pin_means_no():
    assert reason(judge(UNLOCK, FRONT, UNLOCK_FRONT, standing=Standing())) is Reason.NO_PIN_SET


@pytest.mark.parametrize(
    "confirmation",
    [
        replace(PIN, level=AskKind.CONFIRM),
        replace(PIN, conversation_id="another"),
        replace(PIN, call=ToolCall(id="1", name="unlock", args={"target": ["lock.back"]})),
    ],
    ids=["a mere yes", "another conversation", "another call"],
)
def test_a_confirmation_of_something_else_opens_nothing(confirmation):
    assert reason(judge(UNLOCK, FRONT, UNLOCK_FRONT, confirmation=confirmation)) is Reason.NEEDS_PIN


def test_everything_is_checked_again_after_the_pin():
    unmet = Readiness(unmet=("somebody is at the door",))
    assert reason(judge(UNLOCK, FRONT, UNLOCK_FRONT, confirmation=PIN, readiness=unmet)) is Reason.UNSAFE_NOW


@pytest.mark.parametrize(
    ("spec", "entity", "direction", "expected"),
    [
        (TURN_ON, "switch.oven", Direction.ON, Reason.NEEDS_CONFIRMATION),
        (TURN_OFF, "switch.smoke", Direction.OFF, Reason.NOT_ENABLED),
        (OPEN, "cover.garage", Direction.OPEN, Reason.NEEDS_PIN),
        (tool("close_cover", direction=Direction.CLOSE), "cover.garage", Direction.CLOSE, Reason.NEEDS_CONFIRMATION),
        (TURN_OFF, "lock.front", Direction.OFF, Reason.NEEDS_PIN),
    ],
)
def test_the_target_raises_the_class_of_a_harmless_tool(spec, entity, direction, expected):
    name = HOME.entity(entity).name
    words = said(f"do it with the {name}", directions=[direction], targets=[(name, entity)])
    assert reason(judge(spec, {"target": [entity]}, words)) is expected


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (Origin.AUTOMATION, Reason.NEEDS_PIN),
        (Origin.MQTT, Reason.NOT_ALLOWED),
        (Origin.DELAYED, Reason.NOT_ALLOWED),
        (Origin.AGENT, Reason.NOT_ALLOWED),
    ],
)
def test_where_nobody_is_present_a_risky_act_does_not_happen(origin, expected):
    assert reason(judge(UNLOCK, FRONT, UNLOCK_FRONT, context=from_(origin))) is expected


def test_another_agent_needs_no_words_for_a_lamp():
    assert isinstance(judge(TURN_ON, KITCHEN, said(""), context=from_(Origin.AGENT), offered=None), Allow)


def test_a_tool_that_was_not_offered_is_refused():
    assert reason(judge(TURN_ON, KITCHEN, LIGHT_ON, offered=None)) is Reason.NO_SUITABLE_TOOL


@pytest.mark.parametrize(
    ("readiness", "expected"),
    [
        (Readiness(available=False), Reason.UNAVAILABLE),
        (Readiness(exposed=False), Reason.NOT_EXPOSED),
        (Readiness(allowed=False), Reason.NOT_ALLOWED),
        (Readiness(enabled=False), Reason.NOT_ENABLED),
        (Readiness(unmet=("the car moves",)), Reason.UNSAFE_NOW),
        (Readiness(stale=("the speed is unknown",)), Reason.STALE_STATE),
        (Readiness(confirm=AskKind.CONFIRM), Reason.NEEDS_CONFIRMATION),
        (Readiness(risk=Risk.SECURITY), Reason.NEEDS_PIN),
        (Readiness(risk=Risk.FORBIDDEN), Reason.NOT_ENABLED),
    ],
)
def test_the_world_has_a_say(readiness, expected):
    assert reason(judge(TURN_ON, KITCHEN, LIGHT_ON, readiness=readiness)) is expected


def test_only_the_entities_and_tools_of_the_turn_are_touched():
    assert (
        reason(judge(TURN_ON, KITCHEN, LIGHT_ON, context=replace(CONTEXT, entities=frozenset()))) is Reason.NOT_EXPOSED
    )
    assert reason(judge(TURN_ON, KITCHEN, LIGHT_ON, context=replace(CONTEXT, tools=frozenset()))) is Reason.NOT_ENABLED


def test_a_question_that_settles_carries_the_words_and_the_bound_of_the_profile():
    profile = Readiness(confirm=AskKind.CONFIRM, readback="Light up?", confirm_ttl_s=20)
    asked = judge(TURN_ON, KITCHEN, LIGHT_ON, readiness=profile)
    assert (asked.readback, asked.ttl_s) == ("Light up?", 20)
    asked = judge(UNLOCK, FRONT, UNLOCK_FRONT, readiness=profile)
    assert (asked.kind, asked.readback, asked.ttl_s) == (AskKind.PIN, "Light up?", 20)


def test_money_is_off_unless_lifted_and_then_confirmed():
    text = "notify the bank to transfer money"
    words = said(text, directions=[Direction.SEND])
    args = {"message": "notify"}
    assert reason(judge(NOTIFY, args, words)) is Reason.EXCLUDED_TOPIC
    lifted = load_policy({"lifted": {"notify": ["money"]}})
    assert reason(judge(NOTIFY, args, words, policy=lifted)) is Reason.NEEDS_CONFIRMATION


def test_a_topic_inside_a_quoted_text_is_the_users_business():
    words = said("notify me that the bank called", directions=[Direction.SEND])
    assert isinstance(judge(NOTIFY, {"message": "the bank called"}, words), Allow)


def test_after_foreign_text_tool_and_target_stand_in_the_users_own_words():
    tainted = Evidence(p_call=0.9, tainted=True)
    assert isinstance(judge(TURN_ON, KITCHEN, LIGHT_ON, evidence=tainted), Allow)
    clause, heard = LIGHT_ON
    vague = (replace(clause, directions=()), heard)
    assert reason(judge(TURN_ON, KITCHEN, vague, evidence=tainted)) is Reason.TAINTED


def test_one_risky_act_a_turn_and_no_flood():
    assert reason(judge(UNLOCK, FRONT, UNLOCK_FRONT, standing=Standing(pin_set=True, risky=1))) is Reason.RATE_LIMITED
    busy = Standing(last_minute={Risk.COMFORT: 60})
    assert reason(judge(TURN_ON, KITCHEN, LIGHT_ON, standing=busy)) is Reason.RATE_LIMITED


@pytest.mark.parametrize("kind", [ValueKind.TIME, ValueKind.DURATION, ValueKind.TIME_RANGE])
def test_what_is_wanted_at_another_time_is_not_done_now(kind):
    text = "turn on the kitchen light at eight"
    value = Value(kind=kind, value="2026-05-04T20:00:00+00:00", span=heard_target(text, "at eight").span)
    words = said(text, directions=[Direction.ON], targets=[("kitchen light", "light.kitchen")], values=(value,))
    assert reason(judge(TURN_ON, KITCHEN, words)) is Reason.NO_SUITABLE_TOOL


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"target": ["light.kitchen", "lock.hidden"]}, Reason.NOT_EXPOSED),
        ({"target": ["light.kitchen"], "force": True}, Reason.WRONG_ARGUMENT),
        ({"target": ["lock.front"]}, Reason.WRONG_ARGUMENT),
    ],
    ids=["a thing that is not exposed", "an argument that does not exist", "a thing that the tool is not for"],
)
def test_a_call_without_words_is_no_way_around(args, expected):
    lamps = tool("lamps_on", arguments=(replace(TARGET, kinds=frozenset({"light"})),))
    assert reason(judge(lamps, args, said(""), context=from_(Origin.AGENT), offered=None)) is expected


def test_risky_acts_take_one_thing():
    text = "unlock all locks"
    words = said(
        text,
        directions=[Direction.UNLOCK],
        targets=[heard_target(text, "all locks", "lock.front", "cover.garage", how=How.ALL)],
        everything=True,
    )
    assert reason(judge(UNLOCK, {"target": ["cover.garage", "lock.front"]}, words)) is Reason.TOO_MANY_TARGETS


def test_a_near_miss_of_a_name_is_asked_about():
    text = "turn on the kitten lit"
    near = heard_target(text, "kitten lit", "light.kitchen", how=How.FUZZY, score=0.5)
    verdict = judge(TURN_ON, KITCHEN, said(text, directions=[Direction.ON], targets=[near]))
    assert (verdict.kind, verdict.options) == (AskKind.CONFIRM, ("kitten lit",))


def test_the_owner_may_forbid_loosen_and_bound_single_things():
    locked = load_policy({"entities": {"light.kitchen": {"enabled": False}}})
    assert reason(judge(TURN_ON, KITCHEN, LIGHT_ON, policy=locked)) is Reason.NOT_ENABLED
    night = load_policy({"entities": {"light.kitchen": {"hours": ["22:00", "06:00"]}}})
    assert reason(judge(TURN_ON, KITCHEN, LIGHT_ON, policy=night)) is Reason.NOT_ALLOWED
    theirs = load_policy({"entities": {"light.kitchen": {"users": ["ben"]}}})
    assert reason(judge(TURN_ON, KITCHEN, LIGHT_ON, policy=theirs)) is Reason.NOT_ALLOWED
    trusted = load_policy({"entities": {"cover.garage": {"risk": "comfort", "confirm": None}}})
    words = said("open the garage door", directions=[Direction.OPEN], targets=[("garage door", "cover.garage")])
    assert isinstance(judge(OPEN, {"target": ["cover.garage"]}, words, policy=trusted), Allow)


def test_things_of_several_kinds_begin_at_once_only_after_a_yes():
    ids = ["light.kitchen", "light.hall", "climate.main", "switch.radio"]
    radio = Entity(id="switch.radio", name="Radio", area_id="hall")
    home = replace(HOME, entities=(*HOME.entities, radio))
    words = said(
        "everything",
        directions=[Direction.ON],
        targets=[heard_target("everything", "everything", *ids, how=How.ALL)],
        everything=True,
    )
    off = said(
        "everything",
        directions=[Direction.OFF],
        targets=[heard_target("everything", "everything", *ids, how=How.ALL)],
        everything=True,
    )
    assert reason(judge(TURN_ON, {"target": ids}, words, home=home)) is Reason.NEEDS_CONFIRMATION
    assert isinstance(judge(TURN_OFF, {"target": ids}, off, home=home), Allow)
    assert isinstance(judge(TURN_ON, {"target": ids[:2]}, words, home=home), Allow)
