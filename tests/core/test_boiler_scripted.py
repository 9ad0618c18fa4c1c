"""The test double obeys its script and remembers what it was asked."""

import pytest

from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import EngineBusy, EngineFailed

PROMPT = Prompt(prefix="system ", tail="hello")


async def drain(engine, grammar=None):
    return [item async for item in engine.generate(PROMPT, grammar, Limits())]


async def test_it_says_its_lines_in_order():
    pieces = [Piece(text="o", forced=True), Piece(text="n", probability=0.8, alternatives={"ff": 0.2})]
    engine = ScriptedEngine(["first", pieces])
    assert (await drain(engine))[0] == Piece(text="first")
    second = await drain(engine, Grammar(lark="start: /.*/"))
    assert second[:-1] == pieces
    assert isinstance(second[-1], Finished)
    assert second[-1].reason == "grammar"


async def test_at_its_end_it_fails():
    engine = ScriptedEngine()
    with pytest.raises(EngineFailed, match="script"):
        await drain(engine)


async def test_it_raises_what_the_script_says():
    engine = ScriptedEngine([EngineBusy("full"), "fine"])
    with pytest.raises(EngineBusy):
        await drain(engine)
    assert (await drain(engine))[0].text == "fine"


async def test_it_remembers_what_it_was_asked():
    engine = ScriptedEngine(["x"], scores={"yes": -0.1, "no": -2.0})
    grammar = Grammar(lark="start: /x/")
    await drain(engine, grammar)
    assert await engine.score(PROMPT, ["yes", "no"]) == (-0.1, -2.0)
    assert await engine.score(PROMPT, ["maybe"]) is None
    await engine.prepare("system ")
    assert [asked.grammar for asked in engine.asked] == [grammar, None, None]
    assert all(asked.prompt == PROMPT for asked in engine.asked)
    assert engine.prepared == ["system "]


async def test_without_scores_scoring_cannot_be_told():
    assert await ScriptedEngine(["x"]).score(PROMPT, ["yes"]) is None
