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


PRIVATE = re.compile(
    r"/work/(?:main|wt|shared|submit)|/tmp/w/|"  # one builder's machine
    r"\b(?:deb|security|archive|ports|snapshot)\.(?:debian|ubuntu)\.(?:org|com)|"  # a mirror, which apt knows
    r"\b(?:pypi|test\.pypi)\.org|pythonhosted\.org|registry\.npmjs"  # a registry, which its client knows
)


def test_no_file_names_a_machine_a_mirror_or_a_registry():
    own = Path(__file__).relative_to(ROOT).as_posix()
    found = [
        f"{name}: {hit[0]}"
        for name in tracked()
        if name != own and (ROOT / name).suffix not in {".png", ".svg", ".ico"}
        for hit in PRIVATE.finditer((ROOT / name).read_text(errors="replace"))
    ]
    assert found == []


@pytest.mark.parametrize("name", ["setup", "demo", "test", "check", "pin", "wheel", "python314"])
def test_a_script_can_be_run_and_stops_at_the_first_error(name):
    path = ROOT / "scripts" / name
    assert path.stat().st_mode & 0o111
    assert "set -euo pipefail" in path.read_text()


def test_the_readme_shows_the_two_commands():
    shown = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert shown[:2] == ["scripts/demo", "scripts/test"]
