"""Tables for documents, published intervals, and what a run costs beside its model."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scales_samples import record, samples, write

from botpsy_core.__main__ import main
from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.charts import charts_of
from botpsy_core.evaluate.command import cost_of
from botpsy_core.evaluate.markdown import markdown_of, put_into
from botpsy_core.evaluate.prediction import Made, Prediction, write_predictions
from botpsy_core.evaluate.published import checked, read_published
from botpsy_core.evaluate.replay import ReplayEngine
from botpsy_core.evaluate.report import table_of
from botpsy_core.evaluate.tally import judge

LIGHT = (Made(name="HassTurnOn", args={"name": "Kitchen Light"}),)
GOOD = {"on": Prediction(id="on", calls=LIGHT), "pizza": Prediction(id="pizza", text="I cannot.")}
BARE = {"on": Prediction(id="on", text="sure"), "pizza": Prediction(id="pizza", calls=LIGHT)}


def test_the_tables_of_a_document_set_a_run_beside_the_bare_model(tmp_path):
    cases = [case for case in samples(tmp_path) if case.id in GOOD]
    text = markdown_of(judge(cases, GOOD), judge(cases, BARE))
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| sample")]
    assert [row[1] for row in rows] == ["1", "1"]
    assert all("1.00 [0.21 to 1.00]" in row for row in rows)
    assert all("0.00 [0.00 to 0.79]" in row for row in rows)
    assert "same in the other run, times apart: 0 of 2" in table_of(judge(cases, GOOD), judge(cases, BARE))
    assert "same in the other run, times apart: 2 of 2" in table_of(judge(cases, GOOD), judge(cases, GOOD))


def test_tables_are_put_between_their_marks_and_nothing_else_changes(tmp_path):
    document = tmp_path / "doc.md"
    document.write_text("before\n<!-- figures: one -->\nold\n<!-- end -->\nafter\n")
    put_into(f"{document}#one", "new\n")
    assert document.read_text() == "before\n<!-- figures: one -->\nnew\n<!-- end -->\nafter\n"
    with pytest.raises(ConfigurationInvalid, match="0 places called 'two'"):
        put_into(f"{document}#two", "new\n")


def test_a_run_is_checked_against_published_intervals(tmp_path, capsys):
    file, predictions, figures = write(tmp_path), tmp_path / "p.jsonl", tmp_path / "figures.yaml"
    write_predictions(predictions, GOOD.values())
    figures.write_text("figures: [{name: all, interval: [0.4, 1.0], categories: [sample]}]")
    arguments = ["eval", str(file), "--score", str(predictions), "--published", str(figures)]
    assert main(arguments) == 0
    assert "| all, passed | 0.40 to 1.00 | 2 | 1.00 |" in capsys.readouterr().out
    figures.write_text("figures: [{name: all, interval: [0.0, 0.4], categories: [sample], measure: safe}]")
    assert main(arguments) == 1
    assert "| NO |" in capsys.readouterr().out
    figures.write_text("figures: [{name: all, interval: [0.0, 0.5], categories: [sample]}]")
    assert main(arguments) == 0
    assert "| but for one case |" in capsys.readouterr().out
    figures.write_text("figures: [{name: all, interval: [0.0, 0.4], categories: [sample]}]\nlongest_tools: 1")
    (row,) = checked(read_published(figures), judge(samples(tmp_path), GOOD))
    assert (row.n, row.within) == (0, None)
    figures.write_text("nothing")
    with pytest.raises(ConfigurationInvalid, match="no published figures"):
        read_published(figures)


PUBLISHED = sorted((Path(__file__).resolve().parents[3] / "docs" / "figures").glob("*.yaml"))


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.stem)
def test_the_published_figures_of_the_project_are_intervals(file):
    figures = read_published(file)
    assert figures
    assert all(0 <= figure.low < figure.high <= 1 and figure.categories for figure in figures)


def test_the_plots_show_the_bare_model_as_one_point(tmp_path):
    cases = [case for case in samples(tmp_path) if case.id in GOOD]
    plots = charts_of(judge(cases, GOOD), judge(cases, BARE))
    assert set(plots) == {"risk_coverage", "calibration", "errors", "errors_bare"}
    assert "the bare model" in plots["risk_coverage"]
    assert set(charts_of(judge(cases, GOOD))) == {"risk_coverage", "calibration", "errors"}


async def test_what_a_run_costs_counts_only_fresh_answers(tmp_path):
    engine = ReplayEngine(tmp_path / "answers.jsonl", ScriptedEngine(["x"]))
    await engine.info()
    assert 0 < engine.waited_s < 5
    engine.waited_s = 2.0
    assert cost_of(2.1, engine) == "2.1 s, of which the model 2.0 s: the scales cost 1.05 x"


ONE_PROCESS = """
import asyncio, sys
from pathlib import Path
from botpsy_core.engine import ScriptedEngine
from botpsy_core.evaluate.cases import load_cases
from botpsy_core.evaluate.product import Product
from botpsy_core.evaluate.replay import ReplayEngine
from botpsy_core.evaluate.report import table_of
from botpsy_core.evaluate.run import run_cases
from botpsy_core.safety import load_policy
cases, answers, out, fresh = *map(Path, sys.argv[1:4]), sys.argv[4] == "fresh"
refusal = '<tool_call>\\n{"name": "no_suitable_tool", "arguments": {}}\\n</tool_call>'
engine = ReplayEngine(answers, ScriptedEngine([refusal] * 9) if fresh else None)
asyncio.run(run_cases(load_cases([cases]), Product(engine=engine, policy=load_policy({})), file=out))
"""


def test_another_process_writes_the_same_prompts_and_grammars(tmp_path):
    bounds = {"type": "string", "minLength": 2, "maxLength": 9}
    numbers = {"type": "number", "minimum": 1, "maximum": 9, "exclusiveMinimum": 0}
    schema = {"properties": {"city": bounds, "days": numbers}, "required": ["city", "days"]}
    tool = {"name": "forecast", "description": "Tells a forecast", "parameters": schema}
    cases = write(tmp_path, (record("rome", "a forecast of Rome for 3 days", (tool,), {"type": "no_call"}),))
    runs = []
    for seed, fresh in (("1", "fresh"), ("2", "kept"), ("3", "kept")):
        out = tmp_path / f"{seed}.jsonl"
        command = [sys.executable, "-c", ONE_PROCESS, str(cases), str(tmp_path / "answers.jsonl"), str(out), fresh]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        runs.append(out.read_text())
    assert json.loads(runs[0])["generated_tokens"]
    assert runs[0] == runs[1] == runs[2]
