"""Which model runs: named, known by name, on disk; and which engine comes of the settings."""

from pathlib import Path

import pytest

from botpsy_core.assembly import MODEL_VARIABLE, Settings, build_engine, find_model
from botpsy_core.engine import FallbackEngine, LocalEngine, models, standins
from botpsy_core.engine.remote import RemoteEngine
from botpsy_core.errors import ConfigurationInvalid


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(standins, "FOLDER", tmp_path)
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    return tmp_path


def put(folder, *names):
    for name in names:
        (folder / name).write_bytes(b"")


STAND_IN = "Qwen2.5-Coder-0.5B-Instruct-Q4_K_M.gguf"
OURS = "BotPsy-0.8B-Q4_K_M.gguf"


@pytest.mark.parametrize(
    ("key", "there", "found"),
    [
        ("botpsy-0.8b", [OURS], OURS),
        ("botpsy-0.8b", ["BotPsy-0.8B-Q8_0.gguf", OURS], OURS),
        ("botpsy-0.8b", ["botpsy-0.8b-bf16.gguf"], "botpsy-0.8b-bf16.gguf"),
        ("botpsy-0.8b", ["BotPsy-0.8B-mmproj.gguf", "BotPsy-0.8Bx-Q4_0.gguf", STAND_IN], None),
        ("qwen3.5-0.8b", ["Qwen3.5-0.8B-UD-Q4_K_XL.gguf"], "Qwen3.5-0.8B-UD-Q4_K_XL.gguf"),
        ("minicpm5-1b", ["MiniCPM5-1B-F16.gguf"], "MiniCPM5-1B-F16.gguf"),
        ("qwen2.5-coder-0.5b", [STAND_IN], STAND_IN),
        ("qwen2.5-coder-0.5b", [OURS], None),
    ],
)
def test_a_known_models_file_is_found_by_its_name(folder, key, there, found):
    put(folder, *there)
    assert models.on_disk(models.find(key)) == (None if found is None else folder / found)


def test_the_first_of_the_catalogue_that_is_on_disk_runs(folder):
    with pytest.raises(ConfigurationInvalid, match="--get"):
        find_model(Settings())
    put(folder, STAND_IN)
    assert find_model(Settings()) == folder / STAND_IN
    put(folder, OURS)
    assert find_model(Settings()) == folder / OURS


def test_a_file_or_a_name_of_the_catalogue_overrides_what_is_on_disk(folder, monkeypatch):
    put(folder, STAND_IN, OURS)
    assert find_model(Settings(model=Path("/there/model.gguf"))) == Path("/there/model.gguf")
    assert find_model(Settings(model=Path("qwen2.5-coder-0.5b"))) == folder / STAND_IN
    monkeypatch.setenv(MODEL_VARIABLE, "qwen2.5-coder-0.5b")
    assert find_model(Settings()) == folder / STAND_IN
    with pytest.raises(ConfigurationInvalid, match=r"botpsy models --get qwen3\.5-2b"):
        find_model(Settings(model=Path("qwen3.5-2b")))


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (Settings(), LocalEngine),
        (Settings(server="http://box:8080"), RemoteEngine),
        (Settings(server="http://box:8080", model=Path("qwen2.5-coder-0.5b")), FallbackEngine),
    ],
)
def test_a_server_is_asked_first_and_a_named_model_answers_while_it_is_gone(folder, settings, kind):
    put(folder, STAND_IN)
    assert isinstance(build_engine(settings), kind)
