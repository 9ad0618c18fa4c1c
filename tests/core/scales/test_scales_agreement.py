"""The own scorer against the reference one, which lies beside the project with the real cases."""

import asyncio
import random
from pathlib import Path

import pytest

from botpsy_core.__main__ import main
from botpsy_core.evaluate.cases import load_cases
from botpsy_core.evaluate.prediction import Made, Prediction, prediction_of
from botpsy_core.evaluate.reference import disagreements, load_reference
from botpsy_core.evaluate.score import score
from botpsy_core.evaluate.trivial import Habit, Trivial

pytestmark = pytest.mark.shared

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "eval"


@pytest.fixture(scope="module")
def reference():
    return load_reference(FOLDER / "score_ref.py")


@pytest.fixture(scope="module")
def cases():
    return load_cases([FOLDER / "dev"])


def true_calls(case):
    """Return calls that would pass, as far as the case tells them."""
    expected = case.expected
    made = {
        "calls": lambda: [
            {"name": c["name"], "args": {k: v[0] for k, v in c["accepted_args"].items() if v and v[0] != ""}}
            for c in expected["calls"]
        ],
        "calls_next": lambda: expected["calls"],
        "ha_action": lambda: expected["accepted"][0]["calls"] if expected["accepted"] else [],
        "ha_question": lambda: [{"name": expected["allowed_tools"][0]}],
        "any_call": lambda: [{"name": next(iter(case.functions))}],
        "injection": lambda: expected["user_remaining_calls"],
    }
    calls = made.get(case.rule.value, list)()
    return [Made(name=c["name"], args=c.get("args", {})) for c in calls]


def habit(name):
    def answer(case, dice):
        return asyncio.run(Trivial(name).predict(case))

    return answer


def true(case, dice):
    text = " ".join(str(word) for word in case.expected.get("expect_response") or ["Done?"])
    turns = None
    if "turns" in case.expected:
        turns = tuple(
            tuple(Made(name=c["name"], args=c["args"]) for c in turn.get("gt_calls", ()))
            for turn in case.expected["turns"]
        )
    return Prediction(id=case.id, calls=tuple(true_calls(case)), text=text, turns=turns)


def attacked(case, dice):
    forbidden = case.expected.get("forbidden_calls") or []
    calls = [Made(name=c["name"], args=c.get("args", {})) for c in forbidden]
    return Prediction(id=case.id, calls=tuple(calls), text="done")


def bent(value, dice):
    """Return a value that is slightly another one, sometimes of another type."""
    match value:
        case bool():
            return dice.choice([not value, str(value), int(value)])
        case int() | float():
            return dice.choice([value, value + 1, float(value), str(value), [value]])
        case str():
            return dice.choice([value, value.upper(), value.replace(" ", "-"), value + "x", [value], 3])
        case list():
            return dice.choice([value, value[::-1], [*value, "x"], [bent(v, dice) for v in value], value[:1]])
        case dict():
            return dice.choice([{k: bent(v, dice) for k, v in value.items()}, dict(list(value.items())[:1]), {}])
        case _:
            return value


def perturbed(case, dice):
    good = true(case, dice)
    calls = [
        Made(
            name=call.name if dice.random() < 0.95 else dice.choice([*case.functions, "unknown_tool"]),
            args={
                k if dice.random() < 0.97 else f"{k}_": bent(v, dice) if dice.random() < 0.4 else v
                for k, v in call.args.items()
                if dice.random() < 0.95
            },
        )
        for call in good.calls
    ]
    if dice.random() < 0.2:
        calls.append(Made(name=dice.choice(list(case.functions))))
    dice.shuffle(calls)
    turns = good.turns and tuple(
        tuple(call for call in turn if dice.random() < 0.95) + ((turn[0],) if turn and dice.random() < 0.1 else ())
        for turn in good.turns
    )
    text = dice.choice(["", good.text, "Which one?", "no"])
    return Prediction(
        id=case.id, calls=tuple(calls), text=text, malformed=dice.random() < 0.05, final_text=text, turns=turns
    )


HABITS = [habit(name) for name in Habit]


@pytest.mark.parametrize("make", [*HABITS, true, attacked, *([perturbed] * 6)])
def test_the_own_scorer_agrees_with_the_reference_on_every_case(cases, reference, make, request):
    dice = random.Random(request.node.name)
    lines = {case.id: prediction_of(make(case, dice).to_json()) for case in cases}
    assert len(lines) > 700
    assert list(disagreements(cases, lines, reference)) == []


def test_what_is_right_passes_and_what_stops_is_told_apart(cases):
    passed = [case.rule.value for case in cases if score(case, true(case, None)).passed]
    assert {"calls", "calls_next", "ha_action", "ha_question", "any_call", "multi_turn"} <= set(passed)
    stopped = sum(score(case, habit(Habit.REFUSE)(case, None)).passed for case in cases)
    assert 300 < stopped < 400


def test_the_command_says_on_how_many_cases_the_scorers_agree(tmp_path, capsys):
    scorer, ask = FOLDER / "score_ref.py", str(FOLDER / "dev" / "ask.jsonl")
    assert main(["eval", ask, "--trivial", "first-tool", "--reference", str(scorer)]) == 0
    assert "the two scorers agree on 75 of 75 cases" in capsys.readouterr().out
    (tmp_path / "wrong.py").write_text("def score(record, line): return dict(outcome='x', passed=True, safe=True)")
    assert main(["eval", ask, "--trivial", "refuse", "--reference", str(tmp_path / "wrong.py")]) == 1
    assert "agree on 0 of 75" in capsys.readouterr().out
