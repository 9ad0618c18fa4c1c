"""The model reads of the talk what the words point back to, and no more."""

import pytest

from botpsy_core.agent.prompt import history_of
from botpsy_core.domain.heard import Clause, How, Mood, Span, Target
from botpsy_core.domain.messages import AssistantMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Direction

TALK = Transcript(
    messages=(
        UserMessage(text="turn on the hall light"),
        AssistantMessage(text="Turned on Hall Light."),
        UserMessage(text="what about the kitchen?"),
        AssistantMessage(text="Kitchen Light is off."),
    )
)
LAST = Transcript(messages=TALK.messages[2:])
IT = Target(label="Kitchen Light", entities=("light.kitchen",), score=1.0, how=How.REFERENCE)


def clause(*directions, targets=()):
    text = "and that one"
    span = Span(start=0, end=len(text))
    return Clause(text=text, span=span, mood=Mood.COMMAND, directions=directions, targets=targets)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (clause(Direction.ON), Transcript()),
        (clause(Direction.ON, targets=(IT,)), LAST),
        (clause(), LAST),
    ],
)
def test_only_words_that_point_back_make_the_model_read_back(said, read):
    assert history_of(TALK, said) == read


def test_there_is_nothing_to_read_at_the_beginning():
    assert history_of(Transcript(), clause()) == Transcript()
