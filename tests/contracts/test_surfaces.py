"""Each action, trigger, condition, blueprint and repair has a test through a real Home Assistant that names it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from custom_components.botpsy.issues import KINDS

ROOT = Path(__file__).resolve().parents[2]
INTEGRATION = ROOT / "custom_components" / "botpsy"
COMPONENT = ROOT / "tests" / "component"
TREES = {path.name: ast.parse(path.read_text("utf-8")) for path in COMPONENT.glob("test_*.py")}


def keys_of(name: str) -> list[str]:
    return [key for key in yaml.safe_load((INTEGRATION / name).read_text("utf-8")) if not key.startswith(".")]


def called() -> Iterator[str]:
    """Yield every action of ours that a test calls, by what takes its name or by Home Assistant itself."""
    for node in (each for tree in TREES.values() for each in ast.walk(tree) if isinstance(each, ast.Call)):
        caller = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        match caller, [getattr(each, "value", None) for each in node.args]:
            case (
                ("do", [str(action), *_]) | ("act", [_, str(action), *_]) | ("async_call", ["botpsy", str(action), *_])
            ):
                yield action


def told(file: str) -> set[str]:
    """Return every text that stands in a file, and how each text with holes begins."""
    nodes = list(ast.walk(TREES[file]))
    whole = {each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    begun = [each.values[0] for each in nodes if isinstance(each, ast.JoinedStr)]
    return whole | {each.value for each in begun if isinstance(each, ast.Constant) and isinstance(each.value, str)}


@pytest.mark.parametrize("action", keys_of("services.yaml"))
def test_an_action_is_called(action: str):
    assert action in set(called())


@pytest.mark.parametrize("trigger", keys_of("triggers.yaml"))
def test_a_trigger_fires(trigger: str):
    assert {trigger, f"botpsy.{trigger}"} & told("test_automations.py")


@pytest.mark.parametrize("condition", keys_of("conditions.yaml"))
def test_a_condition_holds_back(condition: str):
    assert f"botpsy.{condition}" in told("test_automations.py")


@pytest.mark.parametrize("blueprint", [path.stem for path in (ROOT / "blueprints").rglob("*.yaml")])
def test_a_blueprint_runs(blueprint: str):
    assert blueprint in told("test_blueprints.py")


@pytest.mark.parametrize("kind", KINDS)
def test_a_repair_issue_is_looked_for(kind: str):
    assert any(f"{kind}_" in told(file) for file in TREES)
