"""Calendar, lists, messages and put-off acts in own sentences, judged by what is written; words alone decide."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from test_agent_plans import House

from botpsy_core.domain.events import Ended, TurnStatus

SENTENCES = yaml.safe_load(Path(__file__).with_name("other_half.yaml").read_text("utf-8"))
RIGHT = 0.9


class Written:
    """What a turn left behind."""

    def __init__(self, house: House, before: dict[str, str | None]) -> None:
        home = house.home
        self.events = [_lower(e) for events in home._events.values() for e in events]
        self.items = [str(i["summary"]).lower() for items in home._items.values() for i in items]
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


async def judged(clock, sentence) -> tuple[bool, bool]:
    """Return whether a sentence was right, and whether something was written that is not what was said."""
    clock.seconds = 0.0
    house = House(clock)
    before = states(house)
    ended = await house.say(sentence["say"], language=sentence.get("language", "en"))
    written = Written(house, before)
    right = written.fits(sentence["want"], ended)
    return right, written.anything and not right


def test_there_are_sixty_sentences():
    assert len(SENTENCES) == 60


async def test_most_are_right_by_words_alone_and_nothing_wrong_is_written(clock):
    judgements = [(s["say"], *(await judged(clock, s))) for s in SENTENCES]
    assert [say for say, _, wrong in judgements if wrong] == []
    right = sum(right for _, right, _ in judgements)
    print(f"{right} of {len(SENTENCES)} right")  # noqa: T201
    assert right >= RIGHT * len(SENTENCES)


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
        "text +49 170 5551234 that we leave",
    ],
)
async def test_what_is_for_a_number_or_an_address_goes_to_nobody(clock, text):
    house = House(clock)
    await house.say(text)
    assert house.home.sent == []
