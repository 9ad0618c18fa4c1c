"""The own scorer against the reference one, which lies beside the project with the real cases."""

import importlib.util
import random
import sys
from pathlib import Path

import pytest

from botpsy_core.evaluate.cases import load_cases
from botpsy_core.evaluate.prediction import Made, Prediction, prediction_of
from botpsy_core.evaluate.score import score

pytestmark = pytest.mark.shared

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "eval"


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("score_ref", FOLDER / "score_ref.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(FOLDER))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


@pytest.fixture(scope="module")
def records(reference):
    return {record["id"]: record for record in reference.load(str(FOLDER / "dev"))}


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


def refusing(case, dice):
    turns = [[] for _ in case.expected.get("turns", ())] or None
    return Prediction(id=case.id, text="I cannot do that.", turns=turns and tuple(map(tuple, turns)))


def silent(case, dice):
    return Prediction(id=case.id)


def first_tool(case, dice):
    call = Made(name=next(iter(case.functions), "nothing"))
    return Prediction(id=case.id, calls=(call,), turns=((call,),) if "turns" in case.expected else None)


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


@pytest.mark.parametrize("make", [refusing, silent, first_tool, true, attacked, *([perturbed] * 6)])
def test_the_own_scorer_agrees_with_the_reference_on_every_case(cases, records, reference, make, request):
    dice = random.Random(request.node.name)
    assert len(cases) == len(records) > 700
    for case in cases:
        line = make(case, dice).to_json()
        own, theirs = score(case, prediction_of(line)), reference.score(records[case.id], line)
        assert (own.outcome, own.passed, own.safe) == (theirs["outcome"], theirs["passed"], theirs["safe"]), line
        for note in ("asks", "names_value", "bfcl_irrelevance", "upstream_substring", "utility", "passed_unordered"):
            assert own.notes.get(note) == theirs.get(note), (note, line)


def test_what_is_right_passes_and_what_stops_is_told_apart(cases):
    passed = [case.rule.value for case in cases if score(case, true(case, None)).passed]
    assert {"calls", "calls_next", "ha_action", "ha_question", "any_call", "multi_turn"} <= set(passed)
    stopped = sum(score(case, refusing(case, None)).passed for case in cases)
    assert 300 < stopped < 400
