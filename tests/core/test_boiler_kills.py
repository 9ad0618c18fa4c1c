"""Kills in a row cost their own turns and no later one."""

import pytest

from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.evaluate.kills import kill_in_a_row
from tests.core import tiny_gguf

pytestmark = pytest.mark.model


async def test_five_kills_in_a_row_lose_no_later_turn(tmp_path):
    engine = LocalEngine(EngineSettings(model=tiny_gguf.build(tmp_path / "tiny.gguf"), state_dir=tmp_path / "state"))
    try:
        kills = await kill_in_a_row(engine, 5)
    finally:
        await engine.close()
    assert len(kills.after_s) == 5
    assert kills.noticed <= 5
