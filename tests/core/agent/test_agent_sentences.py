"""Every outcome, refusal and question has a sentence in every language that ships."""

import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files

import pytest
import yaml

from botpsy_core.agent.moments import say_duration, say_moment
from botpsy_core.agent.naming import say_number
from botpsy_core.agent.phrases import phrases_for, plural_form
from botpsy_core.agent.reply import Speech
from botpsy_core.catalog import load_tools
from botpsy_core.domain.tools import Direction, Outcome, Risk, Role, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.verdicts import Ask, AskKind, Reason, Refuse
from botpsy_core.evaluate.demo_home import DEMO_HOME

LANGUAGES = sorted(
    f.name.removesuffix(".yaml") for f in files("botpsy_core.agent.sentences").iterdir() if f.name.endswith(".yaml")
)
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
TOOLS = load_tools()
TURN_OFF = next(t for t in TOOLS if t.name == "turn_off")
LAMPS = ["light.bedroom", "light.kitchen"]


def speech(language="en"):
    return Speech(phrases=phrases_for(language), home=DEMO_HOME, now=NOW)


def paths(data, at=()):
    for key, value in data.items():
        if isinstance(value, dict) and not set(value) <= {"one", "few", "many", "other"}:
            yield from paths(value, (*at, str(key)))
        else:
            yield (*at, str(key))


def raw(language):
    return yaml.safe_load(files("botpsy_core.agent.sentences").joinpath(f"{language}.yaml").read_text("utf-8"))


def placeholders(value):
    text = " ".join(value.values()) if isinstance(value, dict) else str(value)
    return set(re.findall(r"{(\w+)", text))


def at(data, path):
    for key in path:
        data = data[key]
    return data


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_all_that_english_says_with_the_same_placeholders(language):
    english, own = raw("en"), raw(language)
    missing = [p for p in paths(english) if p not in set(paths(own))]
    assert missing == []
    for path in paths(english):
        extra = placeholders(at(own, path)) - placeholders(at(english, path)) - {"count"}
        assert not extra, (path, extra)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_a_sentence(language, reason):
    detail = {"topic": "money", "left": "2", "count": "3", "most": "1", "name": "sauna", "problem": "the car moves"}
    told = speech(language).refusal(Refuse(reason=reason, detail=detail))
    assert told.strip()
    assert "{" not in told
    assert told[-1] in ".。।!"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_of_every_tool_is_a_sentence(language, outcome):
    for tool in TOOLS:
        result = ToolResult(call_id="1", outcome=outcome, detail="no contact")
        told = speech(language).outcome(call_of(tool), result, tool)
        assert told.strip()
        assert "{" not in told
        assert told == " ".join(told.split())


def call_of(tool: ToolSpec) -> ToolCall:
    made = {
        Role.TARGET: ["light.bedroom"],
        Role.NUMBER: 20,
        Role.TIME: "2026-05-05T15:00:00+00:00",
        Role.DURATION: 600,
        Role.TEXT: "milk",
        Role.OPTION: "heat",
    }
    return ToolCall(id="1", name=tool.name, args={a.name: made[a.role] for a in tool.arguments})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", AskKind)
@pytest.mark.parametrize("reason", [Reason.AMBIGUOUS_TARGET, Reason.MISSING_ARGUMENT, Reason.WRONG_ARGUMENT])
def test_every_question_ends_with_a_question_mark(language, kind, reason):
    cases = [(t, a, o) for t in TOOLS for a in (None, *(a.name for a in t.arguments)) for o in ((), ("A", "B"))]
    for tool, argument, options in cases:
        ask = Ask(
            call=call_of(tool),
            risk=Risk.COMFORT,
            kind=kind,
            reason=reason,
            argument=argument,
            options=options,
            detail={"range": "5 to 35 °C", "value": "90"},
        )
        told = speech(language).question(ask, tool)
        assert told[-1] in "?\uff1f"
        assert "{" not in told


@pytest.mark.parametrize("outcome", [o for o in Outcome if o not in {Outcome.DONE, Outcome.ALREADY_SO}])
@pytest.mark.parametrize("tool", [t for t in TOOLS if not t.read_only], ids=lambda t: t.name)
def test_only_a_success_sounds_like_one(outcome, tool):
    said = speech().outcome(call_of(tool), ToolResult(call_id="1", outcome=outcome), tool)
    assert said != speech().act("done", call_of(tool), tool)


@pytest.mark.parametrize(
    ("readback", "args", "detail", "told"),
    [
        ("Open the flap of car?", {}, {}, "Open the flap of car?"),
        ("Open the flap of car?", {}, {"problem": "it rains"}, "It rains. Open the flap of car?"),
        ("Press it? It opens the door.", {}, {}, "Press it? It opens the door. Shall I "),
        ("Dim it?", {"target": ["light.kitchen"]}, {}, "Dim it? Shall I turn off "),
        ("", {}, {}, "Shall I "),
    ],
)
def test_a_device_asks_in_the_words_of_its_profile(readback, args, detail, told):
    ask = Ask(
        call=ToolCall(id="1", name="turn_off", args=args),
        risk=Risk.COST,
        kind=AskKind.CONFIRM,
        reason=Reason.NEEDS_CONFIRMATION,
        detail=detail,
        readback=readback,
    )
    question = speech().question(ask, TURN_OFF)
    assert question.startswith(told)
    assert question.endswith("?")


def test_what_failed_in_part_is_told_in_parts():
    call = ToolCall(id="1", name="turn_off", args={"target": LAMPS})
    result = ToolResult(call_id="1", outcome=Outcome.DONE, data={"failed": ["light.kitchen"]})
    assert speech().outcome(call, result, TURN_OFF) == "Turned off Bedroom Light. It did not work for Kitchen Light."
    nothing = ToolResult(call_id="1", outcome=Outcome.DONE, data={"failed": LAMPS})
    assert "Turned off" not in speech().outcome(call, nothing, TURN_OFF)


def test_many_things_are_counted():
    lamps = [f"light.{n}" for n in range(9)]
    call = ToolCall(id="1", name="turn_off", args={"target": lamps})
    assert speech().act("done", call, TURN_OFF) == "Turned off 9 things."


def test_one_and_several_are_told_apart():
    one = ToolCall(id="1", name="turn_off", args={"target": LAMPS[:1]})
    two = ToolCall(id="1", name="turn_off", args={"target": LAMPS})
    assert speech().act("so", one, TURN_OFF) == "Bedroom Light is already off."
    assert speech().act("so", two, TURN_OFF) == "Bedroom Light and Kitchen Light are already off."


def test_a_device_with_commands_of_its_own_is_told_by_their_description():
    flap = ToolSpec(
        name="car_open_flap", description="Open the charge flap of Car.", direction=Direction.OPEN, target="vehicle.car"
    )
    call = ToolCall(id="1", name="car_open_flap")
    assert speech().act("do", call, flap) == "open the charge flap of Car"
    assert speech().act("done", call, flap) == "Done: open the charge flap of Car."


def test_locking_concerns_a_device_as_a_whole():
    lock = ToolSpec(
        name="door_lock", description="Lock every bolt.", direction=Direction.LOCK, target="lock.front_door"
    )
    call = ToolCall(id="1", name="door_lock")
    assert speech().act("done", call, lock) == "Locked Front Door."
    assert speech().act("so", call, lock) == "Front Door is already locked."


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("2026-05-04T15:00:00+00:00", "today at 15:00"),
        ("2026-05-05T07:05:00+00:00", "tomorrow at 07:05"),
        ("2026-05-05", "tomorrow"),
        ("2026-05-08T09:00:00+00:00", "on Friday, May 8 at 09:00"),
        ("soon", "soon"),
    ],
)
def test_moments_are_said_as_people_do(value, told):
    assert say_moment(phrases_for("en"), value, NOW) == told


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (timedelta(minutes=20), "20 minutes"),
        (timedelta(hours=1, minutes=30), "1 hour and 30 minutes"),
        (timedelta(seconds=1), "1 second"),
    ],
)
def test_durations_are_said_in_their_largest_parts(length, told):
    assert say_duration(phrases_for("en"), length.total_seconds()) == told


@pytest.mark.parametrize(("value", "unit", "told"), [(20.5, "°C", "20.5 °C"), (40, "%", "40%"), (3.0, "", "3")])
def test_numbers_carry_their_unit(value, unit, told):
    assert say_number(phrases_for("en"), value, unit) == told


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", "other one other"),
        ("ru", "many one few"),
        ("pl", "many one few"),
        ("fr", "one one other"),
        ("zh", "other other other"),
    ],
)
def test_plurals_follow_the_language(language, forms):
    assert " ".join(plural_form(language, n) for n in (0, 1, 2)) == forms


@pytest.mark.parametrize("language", ["xx", "en-GB", "../secrets", ""])
def test_a_language_without_sentences_speaks_english(language):
    assert phrases_for(language).say("turn", "empty") == "I heard nothing."
