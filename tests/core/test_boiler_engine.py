"""A local engine with a real worker and tiny random models."""

import asyncio
import os
import signal
from contextlib import aclosing
from pathlib import Path

import pytest

from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.engine import EngineSettings, EngineState, LocalEngine
from botpsy_core.errors import EngineBusy, EngineFailed, ModelFileInvalid
from tests.core import tiny_gguf

pytestmark = pytest.mark.model

PROMPT = Prompt(
    prefix="<|im_start|>system\nYou turn lights on and off, and you never do anything else.<|im_end|>\n",
    tail="<|im_start|>user\nturn the light on<|im_end|>\n<|im_start|>assistant\n",
)
CALL = Grammar(lark='start: <tool_call> "\\n" /turn_(on|off) (hall|kitchen)/ "\\n" </tool_call>')
SHORT = Limits()
LONG = Limits(max_tokens=3000, timeout_s=60)


@pytest.fixture(scope="module", params=["qwen2", "qwen35"])
def model(request, tmp_path_factory):
    return tiny_gguf.build(tmp_path_factory.mktemp("models") / f"{request.param}.gguf", architecture=request.param)


@pytest.fixture
async def engine(model):
    engine = LocalEngine(EngineSettings(model=model))
    yield engine
    await engine.close()


async def drain(engine, prompt=PROMPT, grammar=CALL, limits=SHORT):
    items = [item async for item in engine.generate(prompt, grammar, limits)]
    return "".join(i.text for i in items if isinstance(i, Piece)), items


async def test_a_grammar_bounds_the_text_and_most_of_it_is_not_sampled(engine):
    text, items = await drain(engine)
    assert text.strip().startswith("<tool_call>\nturn_o")
    assert text.endswith("\n</tool_call>")
    last = items[-1]
    assert isinstance(last, Finished)
    assert last.reason == "grammar"
    assert last.decode_steps < last.generated_tokens / 2
    assert all(0 < p.probability <= 1 for p in items[:-1])
    assert any(p.alternatives for p in items[:-1])


async def test_the_prefix_is_read_once(engine):
    _, first = await drain(engine)
    other = Prompt(prefix=PROMPT.prefix, tail="<|im_start|>user\nsomething else entirely<|im_end|>\n")
    _, second = await drain(engine, other)
    tail = second[-1].prompt_tokens - len(PROMPT.prefix)
    assert first[-1].prompt_tokens_evaluated == first[-1].prompt_tokens
    assert 0 < second[-1].prompt_tokens_evaluated <= tail + len(PROMPT.prefix) // 2


async def test_text_without_a_grammar_ends_at_a_stop_text_or_at_its_length(engine):
    text, items = await drain(engine, grammar=None, limits=Limits(max_tokens=6))
    assert items[-1].reason in {"length", "eos"}
    assert items[-1].generated_tokens <= 6
    stop = text[1]
    shorter, items = await drain(engine, grammar=None, limits=Limits(max_tokens=6, stop=(stop,)))
    assert items[-1].reason == "stop"
    assert shorter == text[: text.index(stop)]


async def test_a_killed_worker_costs_one_turn(engine):
    await engine.info()
    async with aclosing(engine.generate(PROMPT, None, LONG)) as pieces:
        await anext(pieces)
        os.kill(engine.pid, signal.SIGKILL)
        with pytest.raises(EngineFailed, match="killed"):
            async for _ in pieces:
                pass
    text, _ = await drain(engine)
    assert text.endswith("</tool_call>")


async def test_a_generation_that_nobody_reads_any_more_is_cancelled(engine):
    await drain(engine)
    async with aclosing(engine.generate(PROMPT, None, LONG)) as pieces:
        await anext(pieces)
    loop = asyncio.get_running_loop()
    started = loop.time()
    text, _ = await drain(engine)
    assert text.endswith("</tool_call>")
    assert loop.time() - started < 1.0


async def test_requests_are_served_in_order_and_too_many_are_turned_away(model):
    engine = LocalEngine(EngineSettings(model=model, queue_size=2))
    try:
        await engine.info()
        tasks = [asyncio.create_task(drain(engine)) for _ in range(4)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        await engine.close()
    assert sum(isinstance(r, EngineBusy) for r in results) == 1
    texts = {r[0] for r in results if not isinstance(r, EngineBusy)}
    assert len(texts) == 1


async def test_the_state_tells_what_happens(model):
    seen = []
    engine = LocalEngine(EngineSettings(model=model), on_state=lambda state, _: seen.append(state))
    await engine.info()
    await engine.close()
    assert seen == [EngineState.STARTING, EngineState.READY, EngineState.STOPPED]


async def test_info_comes_from_the_file(engine, model):
    info = await engine.info()
    assert info.name == "tiny"
    assert info.architecture == model.stem
    assert "im_start" in info.template
    assert info.eos == "<|im_end|>"
    assert len(info.digest) == 64


async def test_a_missing_file_is_told_as_such(tmp_path):
    engine = LocalEngine(EngineSettings(model=tmp_path / "none.gguf"))
    with pytest.raises(ModelFileInvalid, match="cannot read"):
        await engine.info()
    assert engine.state is EngineState.FAILED
    await engine.close()


async def test_a_grammar_that_is_none_fails_the_turn_and_not_the_engine(engine):
    with pytest.raises(EngineFailed, match="grammar"):
        await drain(engine, grammar=Grammar(lark="start: nowhere"))
    text, _ = await drain(engine)
    assert text


async def test_scores_are_log_probabilities(engine):
    scores = await engine.score(PROMPT, ["on", "off", "turn on", "turn off the light"])
    assert len(scores) == 4
    assert all(score < 0 for score in scores)
    assert await engine.score(PROMPT, []) == ()


async def test_it_tells_what_it_uses(engine):
    _, items = await drain(engine)
    assert 0 < items[-1].compute_seconds <= items[-1].seconds
    stats = await engine.stats()
    assert stats.threads >= 1
    assert stats.state_bytes > 0
    assert stats.snapshot_bytes > 0
    assert stats.overhead_bytes < 200 << 20


async def test_a_prefix_can_be_read_ahead_and_gives_way(engine):
    prefix = "You turn lights on and off. " * 40
    reading = asyncio.create_task(engine.prepare(prefix))
    await drain(engine)
    await reading
    _, items = await drain(engine, Prompt(prefix=prefix, tail="turn the light on\n"))
    assert items[-1].prompt_tokens_evaluated < 30


def group_niceness(pid):
    """Return the niceness of the process's session, or None where the kernel does not group by session."""
    try:
        return int(Path(f"/proc/{pid}/autogroup").read_text(encoding="ascii").split()[-1])
    except OSError:
        return None


async def test_it_gives_way_to_others(engine):
    await engine.info()
    expected = min(os.getpriority(os.PRIO_PROCESS, 0) + engine.settings.nice, 19)
    assert os.getpriority(os.PRIO_PROCESS, engine.pid) == expected
    assert group_niceness(engine.pid) in {None, expected}
