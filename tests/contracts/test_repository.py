"""What the repository as a whole promises."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name]


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_requirements_are_exact_hashed_and_free_of_addresses(path):
    text = path.read_text()
    assert "://" not in text
    for requirement in text.replace("\\\n", " ").splitlines():
        assert re.match(r"[a-z0-9._-]+(\[[a-z,]+\])?==\S+ ", requirement), requirement
        assert "--hash=sha256:" in requirement


def test_every_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = {
        canonicalize_name(name)
        for path in REQUIREMENTS
        for name in re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==", path.read_text(), re.MULTILINE)
    }
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    assert {canonicalize_name(Requirement(each).name) for each in wanted} <= pins


def test_links_between_documents_lead_somewhere():
    broken = [
        f"{name}: {link}"
        for name in tracked()
        if name.endswith(".md")
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", (ROOT / name).read_text())
        if "://" not in link and not (ROOT / name).parent.joinpath(link).exists()
    ]
    assert broken == []
