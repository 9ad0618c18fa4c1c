import json
import sys

import pytest

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.prediction import Made, Prediction
from botpsy_core.evaluate.score import score
from botpsy_core.evaluate.suites import load_suite

FUNCTION = {
    "name": "math.area",
    "description": "Compute an area.",
    "parameters": {
        "type": "dict",
        "properties": {
            "size": {"type": "float", "description": "Its size."},
            "corners": {"type": "tuple", "items": {"type": "integer"}},
            "note": {"type": "any", "optional": True},
        },
        "required": ["size"],
    },
}

ADD = {
    "name": "add",
    "description": "This tool belongs to the Math API. Tool description: Add two numbers.",
    "parameters": {"type": "dict", "properties": {"a": {"type": "float"}, "b": {"type": "float"}}, "required": ["a"]},
}
SUM = {
    "name": "sum_values",
    "description": "Sum numbers.",
    "parameters": {"type": "dict", "properties": {"numbers": {"type": "array", "items": {"type": "float"}}}},
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Lay out a package as the suite's own is."""
    data = tmp_path / "bfcl_eval" / "data"
    (data / "possible_answer").mkdir(parents=True)
    (tmp_path / "bfcl_eval" / "__init__.py").write_text("")
    question = {"id": "multiple_1", "question": [[{"role": "user", "content": "area of 3"}]], "function": [FUNCTION]}
    truth = {"id": "multiple_1", "ground_truth": [{"math.area": {"size": [3.0], "note": [""]}}]}
    (data / "BFCL_v4_multiple.json").write_text(json.dumps(question) + "\n")
    (data / "possible_answer" / "BFCL_v4_multiple.json").write_text(json.dumps(truth) + "\n")
    (data / "BFCL_v4_irrelevance.json").write_text(json.dumps({**question, "id": "irrelevance_1"}) + "\n")
    (data / "multi_turn_func_doc").mkdir()
    (data / "multi_turn_func_doc" / "math_api.json").write_text("".join(json.dumps(f) + "\n" for f in (ADD, SUM)))
    talk = {
        "id": "multi_turn_miss_func_1",
        "question": [[{"role": "user", "content": "add 1 and 2"}], [], [{"role": "user", "content": "sum 3, 4"}]],
        "initial_config": {},
        "involved_classes": ["MathAPI"],
        "missed_function": {"1": ["add"]},
    }
    truth = {"id": talk["id"], "ground_truth": [[], ["add(1, b=2.0)"], ["sum_values(numbers=[3, 4])"]]}
    (data / "BFCL_v4_multi_turn_miss_func.json").write_text(json.dumps(talk) + "\n")
    (data / "possible_answer" / "BFCL_v4_multi_turn_miss_func.json").write_text(json.dumps(truth) + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "bfcl_eval", raising=False)


def test_a_suites_own_types_and_names_become_those_of_openai(package):
    (case,) = load_suite("bfcl:multiple")
    function = case.tools[0]["function"]
    assert function["name"] == "math_area"
    assert function["parameters"] == {
        "type": "object",
        "properties": {
            "size": {"type": "number", "format": "float", "description": "Its size."},
            "corners": {"type": "array", "x-bfcl-type": "tuple", "items": {"type": "integer"}},
            "note": {"type": "string"},
        },
        "required": ["size"],
    }


def test_a_suites_truth_is_scored(package):
    (case,) = load_suite("bfcl:multiple")
    right = Prediction(id=case.id, calls=(Made(name="math_area", args={"size": 3}),))
    assert score(case, right).passed
    (other,) = load_suite("bfcl:irrelevance")
    assert not score(other, right).passed
    assert {case.category for case in load_suite("bfcl")} == {"multiple", "irrelevance"}


def test_a_talk_says_when_functions_are_added_and_which_turns_stay_silent(package):
    (case,) = load_suite("bfcl:multi_turn_miss_func")
    assert [tool["function"]["name"] for tool in case.tools] == ["sum_values"]
    turns = case.expected["turns"]
    assert [turn["expect_no_call"] for turn in turns] == [True, False, False]
    (added,) = turns[1]["tools_added"]
    assert (added["function"]["name"], added["function"]["description"]) == ("add", "Add two numbers.")
    assert "more functions" in turns[1]["user"][0]["content"]
    assert turns[1]["gt_calls"] == [{"name": "add", "args": {"a": 1, "b": 2.0}}]
    true = tuple(tuple(Made(name=c["name"], args=c["args"]) for c in turn["gt_calls"]) for turn in turns)
    assert score(case, Prediction(id=case.id, turns=true)).passed
    assert not score(case, Prediction(id=case.id, turns=(true[1], true[1], true[2]))).passed


def test_what_is_not_there_is_a_clear_error(tmp_path, monkeypatch):
    with pytest.raises(ConfigurationInvalid, match="no category 'nonsense'"):
        load_suite("bfcl:nonsense")
    with pytest.raises(ConfigurationInvalid, match="there are no cases"):
        load_suite(str(tmp_path / "nowhere"))
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(sys, "path_importer_cache", {})
    monkeypatch.delitem(sys.modules, "bfcl_eval", raising=False)
    with pytest.raises(ConfigurationInvalid, match="pip install"):
        load_suite("bfcl")
