"""What is said to the demo home, and what must have happened; what nothing fits is refused with an eager model."""

from pathlib import Path

import pytest
import yaml
from eager_engine import EagerEngine

ROWS = yaml.safe_load(Path(__file__).with_name("utterances.yaml").read_text())
REFUSED = [r for r in ROWS if r["expect"] == "refused"]
SERVED = [r for r in ROWS if r["expect"] != "refused"]


def things(talk):
    return {e.id: e for e in talk.home.home.entities}


@pytest.mark.parametrize("row", SERVED, ids=lambda r: r["say"])
async def test_what_was_asked_is_done_and_nothing_else(talk, row):
    t = talk(engine=None)
    before = things(t)
    ended = await t.say(row["say"])
    after = things(t)
    assert ended.status.value == row["expect"], ended.reply
    assert {i for i in after if after[i] != before[i]} == set(row["changed"])
    for entity_id, wanted in row["changed"].items():
        if isinstance(wanted, dict):
            assert wanted.items() <= after[entity_id].attributes.items()
        else:
            assert after[entity_id].state == wanted
    assert row.get("reply", "").lower() in ended.reply.lower()


@pytest.mark.parametrize("row", REFUSED, ids=lambda r: r["say"])
async def test_what_nothing_fits_changes_nothing(talk, row):
    for seed in range(3):
        t = talk(engine=EagerEngine(seed))
        before = things(t)
        await t.say(row["say"])
        assert things(t) == before
        assert t.home.sent == []
