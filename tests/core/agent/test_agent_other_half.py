"""Calendar, lists, messages and put-off acts in own sentences, judged by what is written; words alone decide."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from eager_engine import EagerEngine
from test_agent_plans import House

from botpsy_core.domain.events import Ended, TurnStatus
from botpsy_core.engine import EngineSettings, LocalEngine

SENTENCES = yaml.safe_load(Path(__file__).with_name("other_half.yaml").read_text("utf-8"))
FRESH = yaml.safe_load(Path(__file__).with_name("other_half_fresh.yaml").read_text("utf-8"))
FOURTH = yaml.safe_load(Path(__file__).with_name("other_half_fourth.yaml").read_text("utf-8"))
RIGHT = 0.9
MODEL = os.environ.get("BOTPSY_MODEL", "")
"""A model file; without one words alone decide."""


class Written:
    """What a turn left behind."""

    def __init__(self, house: House, before: dict[str, str | None]) -> None:
        home = house.home
        self.events = [_lower(e) for events in home._events.values() for e in events]
        self.items = [str(i["summary"]).lower() for items in home.items.values() for i in items]
        self.sent = [str(action.data.get("message")).lower() for action in home.sent]
        self.plans = [act.at.isoformat() for act in house.plans.acts]
        self.changed = before != states(house)

    @property
    def anything(self) -> bool:
        return bool(self.events or self.items or self.sent or self.plans or self.changed)

    def fits(self, want: Sequence[str], ended: Ended) -> bool:
        quiet = not self.anything
        match want:
            case ["event", text, start]:
                fits = len(self.events) == 1 and text in self.events[0] and start.lower() in self.events[0]
            case ["item", text]:
                fits = text in self.items
            case ["sent", text]:
                fits = len(self.sent) == 1 and text in self.sent[0]
            case ["plan", at]:
                fits = len(self.plans) == 1 and self.plans[0].startswith(at)
            case ["read"]:
                fits = quiet and ended.status is TurnStatus.DONE and bool(ended.calls)
            case ["asked"]:
                fits = quiet and ended.status is TurnStatus.ASKED
            case _:
                fits = quiet
        return fits


def states(house: House) -> dict[str, str | None]:
    return {e.id: e.state for e in house.home.home.entities}


def _lower(event) -> str:
    return str(dict(event)).lower()


async def judged(clock, sentence, engine=None) -> tuple[bool, bool]:
    """Return whether a sentence was right, and whether something was written that is not what was said."""
    clock.seconds = 0.0
    house = House(clock, engine)
    before = states(house)
    ended = await house.say(sentence["say"], language=sentence.get("language", "en"))
    written = Written(house, before)
    right = written.fits(sentence["want"], ended)
    return right, written.anything and not right


@pytest.fixture
async def engine():
    """Return the model that was asked for, or None for words alone."""
    if not MODEL:
        yield None
        return
    running = LocalEngine(EngineSettings(model=Path(MODEL)))
    yield running
    await running.close()


def test_there_are_sixty_sentences():
    assert (len(SENTENCES), len(FRESH), len(FOURTH)) == (60, 20, 20)


@pytest.mark.parametrize(
    ("sentences", "least"), [(SENTENCES, RIGHT), (FRESH, 0.5), (FOURTH, 0.5)], ids=["sixty", "fresh", "fourth"]
)
async def test_most_are_right_and_nothing_wrong_is_written(clock, engine, sentences, least):
    judgements = [(s["say"], *(await judged(clock, s, engine))) for s in sentences]
    missed = [say for say, right, _ in judgements if not right]
    print(f"{len(sentences) - len(missed)} of {len(sentences)} right, not: {missed}")  # noqa: T201
    assert [say for say, _, wrong in judgements if wrong] == []
    assert len(missed) <= (1 - least) * len(sentences)


@pytest.mark.parametrize("text", ["tell the phone that boss@example wrote"])
async def test_an_address_in_a_message_is_no_recipient(clock, text):
    house = House(clock)
    await house.say(text)
    assert len(house.home.sent) == 1


@pytest.mark.parametrize(
    "text",
    [
        "send a message to 555 1234 that I am late",
        "send a message to boss@example.org that I am ill",
        "send a message to the number 0171 23456 saying that I am late",
        "text +49 170 5551234 that we leave",
    ],
)
async def test_what_is_for_a_number_or_an_address_goes_to_nobody(clock, text):
    for seed in range(4):
        house = House(clock, EagerEngine(seed))
        await house.say(text)
        assert house.home.sent == []


async def test_a_time_before_a_message_is_no_number_that_it_is_for(clock):
    house = House(clock, EagerEngine())
    await house.say("tomorrow at 10 30 send a message that I am late")
    assert [act.at.isoformat() for act in house.plans.acts] == ["2026-05-05T10:30:00+00:00"]
