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
