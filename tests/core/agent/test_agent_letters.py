"""A message's title and that it is urgent, in eleven languages; never out of the message's own words."""

from pathlib import Path

import pytest
import yaml
from test_agent_plans import House

SENTENCES = yaml.safe_load(Path(__file__).with_name("letters.yaml").read_text("utf-8"))


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda s: s["say"])
async def test_what_is_said_of_a_message_goes_with_it(clock, sentence):
    house = House(clock)
    await house.say(sentence["say"], language=sentence["language"])

    assert [dict(action.data) for action in house.home.sent] == [sentence["want"]]
    assert [action.entities for action in house.home.sent] == [("notify.phone",)]
