"""What was said before is understood in what is said now."""

import pytest

from botpsy_core.domain.heard import How, Mood
from botpsy_core.domain.messages import AssistantMessage, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Direction, Outcome, ToolCall, ToolResult
from tests.core.hearing.tables import best, heard, home_of, shown, table

HOUSE = home_of(table("en")["home"])


def talk(text, *entities, reply="Done."):
    call = ToolCall(id="1", name="any_tool", args={"anything": list(entities), "level": 3})
    result = ResultMessage(call=call, result=ToolResult(call_id="1", outcome=Outcome.DONE))
    return Transcript(
        messages=(UserMessage(text=text), AssistantMessage(calls=(call,)), result, AssistantMessage(text=reply))
    )


KITCHEN = talk("turn on the kitchen light", "light.kitchen")
BLIND = talk("close the left blind", "cover.living_blind")
WARM = talk("set the thermostat to 20 degrees", "climate.living")


@pytest.mark.parametrize(
    ("before", "text", "go", "top"),
    [
        (KITCHEN, "turn it off again", Direction.OFF, ["light.kitchen"]),
        (KITCHEN, "dim it to 30 percent", Direction.DOWN, ["light.kitchen"]),
        (KITCHEN, "and the hall", Direction.ON, ["light.hall"]),
        (KITCHEN, "and the living room", Direction.ON, ["light.floor_lamp", "light.sofa"]),
        (KITCHEN, "the hall too", Direction.ON, ["light.hall"]),
        (KITCHEN, "the other one too", Direction.ON, ["light.counter"]),
        (KITCHEN, "turn on the lights in there", Direction.ON, ["light.counter", "light.kitchen"]),
        (KITCHEN, "off again", Direction.OFF, ["light.kitchen"]),
        (BLIND, "the other one too", Direction.CLOSE, ["cover.living_blind_2"]),
        (BLIND, "open it", Direction.OPEN, ["cover.living_blind"]),
        (WARM, "make it 22", Direction.SET, ["climate.living"]),
        (WARM, "two degrees warmer", Direction.UP, ["climate.living"]),
    ],
)
def test_a_follow_up_means_what_was_acted_on(before, text, go, top):
    (clause,) = heard(text, home=HOUSE, transcript=before)
    assert go in clause.directions
    assert best(clause) == top
    assert clause.mood is Mood.COMMAND


def test_a_correction_changes_the_place_and_keeps_the_rest():
    before = talk("set the kitchen lights to 40 percent", "light.kitchen", "light.counter")
    denial, clause = heard("no, the bedroom", home=HOUSE, transcript=before)
    assert denial.mood is Mood.DENIAL
    assert clause.mood is Mood.COMMAND
    assert best(clause) == ["light.bedroom"]
    assert clause.directions == (Direction.SET,)
    assert [shown(v) for v in clause.values] == ["percent 40"]


def test_a_correction_changes_the_value_and_keeps_the_thing():
    denial, clause = heard("no, 22 degrees", home=HOUSE, transcript=WARM)
    assert denial.mood is Mood.DENIAL
    assert best(clause) == ["climate.living"]
    assert clause.directions == (Direction.SET,)
    assert [shown(v) for v in clause.values] == ["temperature 22°C"]


def test_without_any_talk_a_reference_means_nothing():
    (clause,) = heard("turn it off", home=HOUSE)
    assert clause.targets == ()


def test_a_thing_that_is_gone_is_not_meant():
    (clause,) = heard("turn it off", home=HOUSE, transcript=talk("turn on the old lamp", "light.old"))
    assert clause.targets == ()


def test_the_newest_act_counts():
    both = Transcript(messages=KITCHEN.messages + WARM.messages)
    (clause,) = heard("turn it off", home=HOUSE, transcript=both)
    assert best(clause) == ["climate.living"]


def test_the_satellites_room_is_meant_where_only_a_kind_was_said():
    (clause,) = heard("turn on the light", home=HOUSE, room="hall")
    assert best(clause) == ["light.hall"]
    assert clause.targets[0].how is How.ROOM
    assert len(clause.targets) > 1
    assert [t.score >= 0.9 for t in clause.targets[:2]] == [True, False]


def test_several_things_of_the_satellites_room_are_called_by_it():
    (clause,) = heard("turn on the light", home=HOUSE, room="living")
    several = {t.label: t.entities for t in clause.targets if len(t.entities) > 1}
    assert several == {"lights in Living room": ("light.floor_lamp", "light.sofa")}


def test_a_room_that_was_said_beats_the_satellites():
    (clause,) = heard("turn on the light in the bedroom", home=HOUSE, room="hall")
    assert best(clause) == ["light.bedroom"]


def test_one_of_several_is_never_chosen_silently():
    (clause,) = heard("turn on the lamp", home=HOUSE)
    assert len(clause.targets) > 1
    assert clause.targets[0].score == clause.targets[1].score
    assert all(len(t.entities) == 1 for t in clause.targets)


def test_labels_of_a_clause_differ():
    clauses = heard("is the door open", home=HOUSE)
    labels = [t.label for c in clauses for t in c.targets]
    assert len(labels) == len(set(labels))
