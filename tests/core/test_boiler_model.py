"""The same answers, to the last bit, whatever was kept; with a real model in a real child process."""

import pytest

from botpsy_core.assembly import Settings, find_model
from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.engine import EngineSettings, LocalEngine

pytestmark = pytest.mark.model

PREFIX = "<|im_start|>system\n" + "You control the lights, covers and locks of a home. " * 12 + "<|im_end|>\n"
ROOMS = ("hall", "kitchen", "bathroom", "living room", "garden")
CALL = Grammar(
    lark='start: "{\\"name\\": \\"turn_" ("on" | "off" | "up" | "down") "\\", \\"target\\": \\"" ROOM "\\"}"\n'
    f"ROOM: {' | '.join(f'"{room}"' for room in ROOMS)}\n"
)
WORDS = (
    "make the hall brighter",
    "make the hall darker and leave the rest as it is",
    "it is too loud in the living room",
    "nobody is in the garden any more, so there is no need for light there",
    "make the hall brighter",
)


@pytest.fixture
def build():
    def engine(**options):
        return LocalEngine(EngineSettings(model=find_model(Settings()), context_tokens=2048, **options))

    return engine


def tail(words, history=""):
    return f"{history}<|im_start|>user\n{words}<|im_end|>\n<|im_start|>assistant\n"


async def answers(engine, prompts):
    """Return what each prompt made the model write, with every probability, and what it cost."""
    told, costs = [], []
    try:
        for prompt in prompts:
            items = [item async for item in engine.generate(prompt, CALL, Limits(max_tokens=60, timeout_s=120))]
            told.append([item for item in items if isinstance(item, Piece)])
            costs.append(items[-1])
            assert isinstance(items[-1], Finished)
    finally:
        await engine.close()
    return told, costs


async def test_kept_and_unkept_prompts_give_the_same_probabilities(build, tmp_path):
    history = "".join(f"<|im_start|>user\nis the {room} lit?<|im_end|>\n" for room in ROOMS)
    prompts = [Prompt(prefix=PREFIX, tail=tail(words, history)) for words in WORDS]
    fresh, _ = await answers(build(reuse=False), prompts)
    kept, costs = await answers(build(state_dir=tmp_path), prompts)
    assert kept == fresh
    assert sum(c.prompt_tokens_evaluated for c in costs[1:]) < sum(c.prompt_tokens for c in costs[1:]) / 4
    again, costs = await answers(build(state_dir=tmp_path), prompts[:1])
    assert again == fresh[:1]
    assert costs[0].prompt_tokens_evaluated < costs[0].prompt_tokens / 2


async def test_forced_runs_change_the_cost_and_not_the_text(build):
    prompts = [Prompt(prefix=PREFIX, tail=tail(words)) for words in WORDS]
    plain, slow = await answers(build(forced_runs=False), prompts)
    runs, fast = await answers(build(), prompts)

    def texts(told):
        return ["".join(piece.text for piece in pieces) for pieces in told]

    assert texts(runs) == texts(plain)
    assert sum(c.decode_steps for c in fast) * 2 < sum(c.decode_steps for c in slow)
