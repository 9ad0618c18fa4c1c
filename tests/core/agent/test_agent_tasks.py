"""Text, data and choices for an owner's task."""

import math

import pytest

from botpsy_core.agent.tasks import Tasks, bounded
from botpsy_core.engine import EngineSettings, LocalEngine, ScriptedEngine
from botpsy_core.errors import UnparsableCall
from tests.core import tiny_gguf

SCHEMA = {"type": "object", "properties": {"rooms": {"type": "integer"}}, "required": ["rooms"]}


async def test_a_text_comes_without_its_thinking():
    engine = ScriptedEngine(["<think>what rhymes</think>Roses are red"])

    assert await Tasks(engine).write("Write a poem") == "Roses are red"


async def test_data_is_bound_by_its_schema():
    engine = ScriptedEngine(['{"rooms": 3}'])

    assert await Tasks(engine).fill("How many rooms?", SCHEMA) == {"rooms": 3}
    grammar = engine.asked[0].grammar
    assert grammar is not None
    assert '"rooms"' in grammar.lark


async def test_data_that_did_not_come_to_an_end_is_no_data():
    with pytest.raises(UnparsableCall):
        await Tasks(ScriptedEngine(['{"rooms": '])).fill("How many rooms?", SCHEMA)


async def test_options_are_weighed_against_each_other():
    engine = ScriptedEngine(scores={"yes": math.log(0.06), "no": math.log(0.02)})

    weighed = await Tasks(engine, instructions="Be careful.").weigh("Is it night?", ["yes", "no"])

    assert weighed is not None
    assert weighed == pytest.approx({"yes": 0.75, "no": 0.25})


async def test_an_engine_without_probabilities_says_so():
    assert await Tasks(ScriptedEngine()).weigh("Is it night?", ["yes", "no"]) is None


def test_every_text_and_list_has_an_end():
    schema = {"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}}

    names = bounded(schema)["properties"]["names"]

    assert names["maxItems"] > 0
    assert names["items"]["maxLength"] > 0


@pytest.mark.model
async def test_a_model_that_knows_nothing_still_writes_what_the_schema_allows(tmp_path):
    engine = LocalEngine(EngineSettings(model=tiny_gguf.build(tmp_path / "tiny.gguf")))
    properties = {
        "rooms": {"type": "integer", "minimum": 0, "maximum": 99},
        "night": {"type": "boolean"},
        "mood": {"enum": ["good", "bad"]},
        "names": {"type": "array", "items": {"type": "string", "maxLength": 6}, "maxItems": 3},
    }
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    try:
        data = await Tasks(engine).fill("Say something", schema)
        weighed = await Tasks(engine).weigh("Is it night?", ["yes", "no"])
    finally:
        await engine.close()

    assert set(data) == set(properties)
    assert data["mood"] in {"good", "bad"}
    assert sum(weighed.values()) == pytest.approx(1)
