"""Answers, corrections and changes of mind, over several turns."""

from pathlib import Path

import pytest
import yaml

DIALOGUES = yaml.safe_load(Path(__file__).with_name("dialogues.yaml").read_text())


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda d: d["name"])
async def test_a_talk_goes_as_people_expect(talk, dialogue):
    t = talk(engine=None)
    for said, told in dialogue["talk"]:
        assert told in (await t.say(said)).reply, said
