"""The panel's files: what they import is there, what they say has words, and what is not ours has its licence."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PANEL = ROOT / "custom_components" / "botpsy"
MODULES = sorted((PANEL / "frontend").glob("*.js"))
CODE = {path.name: path.read_text() for path in MODULES}
ALL = "\n".join(CODE.values())
GROUPS = ("moods", "how", "signals", "reasons", "risk", "level", "status", "groups", "came", "advice", "tabs")
"""Sets whose words come from the core or from a list, so that no line of code names them."""


def leaves(node, path=""):
    for key, value in node.items():
        at = f"{path}.{key}" if path else key
        if isinstance(value, dict) and "other" not in value:
            yield from leaves(value, at)
        else:
            yield at, value


ENGLISH = dict(leaves(json.loads((PANEL / "panel_strings" / "en.json").read_text())))
PLACES = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("name", CODE)
def test_every_module_imports_what_is_there(name):
    paths = re.findall(r'(?:from|import) "(\./[^"]+)"', CODE[name])
    assert [path for path in paths if not (PANEL / "frontend" / path).is_file()] == []


@pytest.mark.parametrize("name", CODE)
def test_nothing_is_fetched_from_elsewhere(name):
    assert re.findall(r"https?://", CODE[name]) == []


def test_every_word_that_the_code_names_is_there():
    named = set(re.findall(r'\bt\("([\w. ]+)"', ALL)) | set(re.findall(r'"((?:walk|now|home|policy)\.\w+)"', ALL))
    assert named
    assert named - set(ENGLISH) == set()


def test_every_word_that_is_there_is_said():
    parts = set(re.findall(r"[\w.]+", ALL))
    made = re.compile(r"now\.from_\w+|policy\.(preset|outcome)_\w+")
    keys = {key for key in ENGLISH if key.partition(".")[0] not in GROUPS and not made.fullmatch(key)}
    assert {key for key in keys if key not in ALL and key.rpartition(".")[2] not in parts} == set()


@pytest.mark.parametrize(
    ("group", "module", "name"),
    [
        ("reasons", "botpsy_core.domain.verdicts", "Reason"),
        ("risk", "botpsy_core.domain.tools", "Risk"),
        ("moods", "botpsy_core.domain.heard", "Mood"),
        ("how", "botpsy_core.domain.heard", "How"),
    ],
)
def test_every_word_of_the_core_that_is_shown_has_words(group, module, name):
    known = {each.value for each in getattr(__import__(module, fromlist=[name]), name)}
    assert {key.partition(".")[2] for key in ENGLISH if key.startswith(f"{group}.")} == known


@pytest.mark.parametrize("file", sorted((PANEL / "panel_strings").glob("*.json")), ids=lambda file: file.stem)
def test_every_language_says_everything_with_the_same_places(file):
    said = dict(leaves(json.loads(file.read_text())))
    assert set(said) == set(ENGLISH)
    for key, value in said.items():
        forms = [value] if isinstance(value, str) else list(value.values())
        english = ENGLISH[key]
        most = set(PLACES.findall(english if isinstance(english, str) else english["other"]))
        assert all(form and set(PLACES.findall(form)) <= most for form in forms), key


def test_what_is_not_ours_stands_apart_with_its_licence():
    vendor = PANEL / "frontend" / "vendor"
    assert {path.name for path in vendor.iterdir()} == {"lit.min.js", "LICENSE.lit"}
    assert "BSD 3-Clause License" in (vendor / "LICENSE.lit").read_text()
    assert "BSD-3-Clause" in (vendor / "lit.min.js").read_text()[:300]
