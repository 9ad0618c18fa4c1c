"""Who may import whom, where import-linter's contracts end."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("botpsy_core", "custom_components")


def imported(path: Path) -> set[str]:
    """Return the top-level names of everything that a file imports absolutely, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def files_of(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def importers(name: str, *folders: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in files_of(*folders) if name in imported(path)]


@pytest.mark.parametrize(
    ("library", "owner"),
    [("llama_cpp", "botpsy_core/engine/llama.py"), ("paho", "botpsy_core/bridge/paho_transport.py")],
)
def test_a_heavy_library_has_one_door(library, owner):
    assert importers(library, *PRODUCT) == [owner]


@pytest.mark.parametrize("library", ["homeassistant", "voluptuous", "probatio", "custom_components", "demo", "tests"])
def test_the_core_stands_alone(library):
    assert importers(library, "botpsy_core", "tool_schemas") == []


def test_the_demo_knows_the_product_by_its_interfaces_only():
    assert importers("botpsy_core", "demo") == []
    assert importers("custom_components", "demo") == []


def test_every_package_of_the_product_is_found():
    assert {path.name for path in files_of(*PRODUCT)} >= {"llama.py", "paho_transport.py", "config_flow.py"}
