import pytest
from language_samples import CHATML, TOOLS, model

from botpsy_core.dialect import Renderer, ThinkingBudget, begin_thought, end_thought, goes_round, opens_thought
from botpsy_core.dialect.families import FAMILIES, HERMES
from botpsy_core.domain.engine import Limits, Prompt
from botpsy_core.domain.messages import Transcript


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_thought_is_bounded_by_its_budget_and_by_the_whole(family):
    small = ThinkingBudget(tokens=50, seconds=2).limits(family, Limits(max_tokens=200, timeout_s=30))
    assert (small.max_tokens, small.timeout_s, small.stop) == (50, 2, (family.think_close,))
    tight = ThinkingBudget(tokens=500, seconds=60).limits(family, Limits(max_tokens=20, timeout_s=1))
    assert (tight.max_tokens, tight.timeout_s) == (20, 1)


def test_a_thought_is_opened_once_and_closed_whatever_it_holds():
    prompt = Renderer(model(CHATML)).render("Home.", TOOLS, Transcript(), "hi", thinking=True)
    opened = begin_thought(HERMES, prompt)
    assert not opens_thought(HERMES, prompt)
    assert opens_thought(HERMES, opened)
    assert begin_thought(HERMES, opened) == opened
    for thought in ("I see", "I see\n</think> and more", ""):
        closed = end_thought(HERMES, prompt, thought)
        assert closed.prefix == prompt.prefix
        assert closed.tail.endswith("\n</think>\n\n")
        assert closed.tail.count("<think>") == closed.tail.count("</think>") == 1
        assert not opens_thought(HERMES, closed)


def test_a_prompt_that_opened_its_thought_itself_is_left_as_it_is():
    prompt = Prompt(prefix="x", tail="assistant\n<think>\n")
    assert end_thought(HERMES, prompt, "a").tail == "assistant\n<think>\na\n</think>\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "ha" * 40,
        "I turn on the light. " * 3,
        "start. " + "The user wants the kitchen light, so I look for it.\n" * 3,
        "\n".join(f"a long enough line here\nstep {i}" for i in range(4)),
        "0" * 30,
    ],
)
def test_going_round_is_noticed(text):
    assert goes_round(text)


@pytest.mark.parametrize("text", ["", "very very good", "100000", "one\ntwo\nthree", "aaa", "ha ha ha", "   " * 20])
def test_honest_repetition_is_let_through(text):
    assert not goes_round(text)
