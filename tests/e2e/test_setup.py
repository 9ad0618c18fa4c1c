"""What the set-up says when it cannot go on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command, **environment):
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        ("missing.gguf", None, "No such file"),
        ("text.gguf", b"hello, this is no model", "no GGUF file"),
        ("cut.gguf", b"GGUF\x03\x00\x00\x00", "cut"),
    ],
)
def test_a_named_model_that_is_none_is_one_clear_line(tmp_path, path, content, said):
    if content is not None:
        (tmp_path / path).write_bytes(content)
    told = run(sys.executable, "scripts/model.py", BOTPSY_MODEL=str(tmp_path / path))
    assert told.returncode == 1
    assert told.stdout == ""
    assert told.stderr.startswith("botpsy: no model: ")
    assert told.stderr.count("\n") == 1
    assert said in told.stderr


def test_the_set_up_has_four_parts_and_says_so():
    told = run("scripts/setup", "everything")
    assert told.returncode == 1
    assert told.stderr == "botpsy: scripts/setup knows environment, engine, broker and model, not 'everything'\n"


def test_what_is_there_is_left_alone():
    stamp = ROOT / ".venv" / "botpsy-environment"
    if not stamp.exists():
        pytest.fail("the tests run in the environment that scripts/setup made")
    before = stamp.stat().st_mtime_ns
    assert run("scripts/setup", "environment", "broker").returncode == 0
    assert stamp.stat().st_mtime_ns == before
