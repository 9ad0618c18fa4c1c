"""A thought before a decision has an end, whatever the model writes."""

import pytest

from botpsy_core.agent.decision import Decider
from botpsy_core.agent.thought import LEAST_S
from botpsy_core.dialect import ThinkingBudget
from botpsy_core.domain.engine import Limits, ModelInfo, Piece
from botpsy_core.domain.heard import Clause, Mood, Span
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import NO_SUITABLE_TOOL
from botpsy_core.engine import ScriptedEngine

MODEL = ModelInfo(name="m", architecture="qwen2", template="", digest="d", context_tokens=4096)
REFUSAL = f'<tool_call>\n{{"name": "{NO_SUITABLE_TOOL}", "arguments": {{}}}}\n</tool_call>'
CLAUSE = Clause(text="sing", span=Span(start=0, end=4), mood=Mood.COMMAND)
WHOLE = Limits(max_tokens=200, timeout_s=30)


async def decide(*outputs, thinking=None):
    engine = ScriptedEngine(outputs, model=MODEL)
    decider = Decider(engine, thinking=thinking)
    made = await decider.decide(Offer(), CLAUSE, tools=(), transcript=Transcript(), limits=WHOLE)
    return engine.asked, made


async def test_it_does_not_think_unless_asked():
    (asked,), made = await decide(REFUSAL)
    assert made.raw.name == NO_SUITABLE_TOOL
    assert asked.grammar is not None


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("No tool sings.", "No tool sings."),
        ("It might. </think> " + REFUSAL, "It might."),
        ([Piece(text="and on ")] * 200, "and on"),
        ("", ""),
    ],
)
async def test_a_thought_is_bounded_closed_and_followed_by_a_forced_answer(written, kept):
    (thought, answer), made = await decide(written, REFUSAL, thinking=ThinkingBudget(tokens=50, seconds=2))
    assert thought.grammar is None
    assert (thought.limits.max_tokens, thought.limits.timeout_s) == (50, 2)
    assert answer.grammar is not None
    assert answer.prompt.tail.endswith("</think>\n\n")
    assert answer.prompt.prefix == thought.prompt.prefix
    inside = answer.prompt.tail.rpartition("<think>")[2].partition("</think>")[0]
    assert kept in inside
    assert len(inside) < 200
    assert LEAST_S <= answer.limits.timeout_s <= WHOLE.timeout_s
    assert made.raw.name == NO_SUITABLE_TOOL
