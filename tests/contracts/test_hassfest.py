"""The lines of Home Assistant's own checker that a custom integration is held to."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
INTEGRATION = ROOT / "custom_components" / "botpsy"
MANIFEST: dict[str, Any] = json.loads((INTEGRATION / "manifest.json").read_text())
TRANSLATIONS: dict[str, Any] = json.loads((INTEGRATION / "translations" / "en.json").read_text())
ICONS: dict[str, Any] = json.loads((INTEGRATION / "icons.json").read_text())
SERVICES: dict[str, Any] = yaml.safe_load((INTEGRATION / "services.yaml").read_text())

MANIFEST_KEYS = {
    *("domain", "name", "after_dependencies", "bluetooth", "codeowners", "config_flow", "dependencies", "dhcp"),
    *("documentation", "homekit", "import_executor", "integration_type", "iot_class", "issue_tracker", "loggers"),
    *("mqtt", "requirements", "single_config_entry", "ssdp", "usb", "version", "zeroconf"),
}
IOT_CLASSES = {"assumed_state", "calculated", "cloud_polling", "cloud_push", "local_polling", "local_push"}
SECTIONS = {
    *("title", "config", "config_subentries", "options", "selector", "entity", "entity_component", "services"),
    *("exceptions", "issues", "system_health", "device_automation", "conditions", "triggers", "common", "device"),
    "config_panel",
}
ALWAYS_THERE = {"conversation"}
"""Components that may be imported without being named."""


def texts(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a translation with its path."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from texts(value, f"{path}.{key}" if path else key)
    else:
        yield path, node


def forms(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every form that describes fields."""
    if isinstance(node, dict):
        if "data_description" in node:
            yield path, node
        for key, value in node.items():
            yield from forms(value, f"{path}.{key}")


def test_manifest_keys_are_known_and_sorted():
    keys = list(MANIFEST)
    assert set(keys) <= MANIFEST_KEYS
    assert keys == ["domain", "name", *sorted(set(keys) - {"domain", "name"})]


def test_manifest_says_what_it_must():
    assert MANIFEST["domain"] == INTEGRATION.name
    assert MANIFEST["documentation"].startswith("https://")
    assert MANIFEST["issue_tracker"].startswith("https://")
    assert MANIFEST["iot_class"] in IOT_CLASSES
    assert MANIFEST["integration_type"] == "service"
    assert all(owner.startswith("@") for owner in MANIFEST["codeowners"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", MANIFEST["version"])
    assert MANIFEST["config_flow"] == (INTEGRATION / "config_flow.py").exists()


def test_requirements_are_exact_and_ours():
    version = re.search(r'__version__ = "(.+)"', (ROOT / "botpsy_core" / "__init__.py").read_text())
    assert version
    assert MANIFEST["requirements"] == [f"botpsy-core=={version[1]}"]
    assert MANIFEST["version"] == version[1]


def test_no_component_is_in_both_lists():
    assert not set(MANIFEST.get("dependencies", [])) & set(MANIFEST.get("after_dependencies", []))


def components_imported() -> set[str]:
    """Return the components that are imported where the program runs, not only for types."""
    found: set[str] = set()
    for path in INTEGRATION.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for_types = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if id(node) in for_types:
                continue
            if isinstance(node, ast.ImportFrom) and node.module == "homeassistant.components":
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("homeassistant.components."):
                found.add(str(node.module).split(".")[2])
            elif isinstance(node, ast.Import):
                found |= {a.name.split(".")[2] for a in node.names if a.name.startswith("homeassistant.components.")}
    return found


def test_every_imported_component_is_named():
    platforms = {path.stem for path in INTEGRATION.glob("*.py")}
    named = {*MANIFEST.get("dependencies", []), *MANIFEST.get("after_dependencies", [])}
    base = {"sensor", "binary_sensor", "switch", "select", "button", "number", "event", "diagnostics", "repairs"}
    base |= {"system_health", "ai_task", "logbook", "homeassistant", "persistent_notification", "http", "websocket_api"}
    assert components_imported() - named - ALWAYS_THERE - platforms - base == set()


def test_translations_have_known_sections():
    assert set(TRANSLATIONS) <= SECTIONS
    assert not (INTEGRATION / "strings.json").exists()


@pytest.mark.parametrize(("path", "text"), list(texts(TRANSLATIONS)))
def test_a_translation_is_plain_text(path, text):
    assert text == text.strip(), path
    assert not re.search(r"<[a-z/]", text), path
    assert "[%key:" not in text, path
    assert "://" not in text, path
    assert not re.search(r"'\{[^}]*\}'", text), path
    assert all(name.isidentifier() for name in re.findall(r"\{([^}]*)\}", text)), path
    for key in path.split("."):
        assert re.fullmatch(r"[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?", key), path


@pytest.mark.parametrize(("path", "form"), list(forms(TRANSLATIONS)))
def test_only_fields_that_exist_are_described(path, form):
    fields = set(form.get("data", {})) | {
        name for section in form.get("sections", {}).values() for name in section.get("data", {})
    }
    assert set(form["data_description"]) <= fields, path


def test_subentries_and_issues_are_whole():
    for kind, subentry in TRANSLATIONS.get("config_subentries", {}).items():
        assert "entry_type" in subentry, kind
        assert "user" in subentry["initiate_flow"], kind
    for name, issue in TRANSLATIONS.get("issues", {}).items():
        assert "title" in issue, name
        assert ("description" in issue) != ("fix_flow" in issue), name
    assert all("message" in each for each in TRANSLATIONS.get("exceptions", {}).values())


def test_every_action_is_described_and_has_an_icon():
    for name, action in SERVICES.items():
        described = TRANSLATIONS["services"][name]
        assert described["name"]
        assert described["description"]
        assert name in ICONS["services"]
        for field, settings in (action or {}).get("fields", {}).items():
            assert set(settings) <= {"example", "default", "required", "advanced", "selector", "filter"}, field
            assert described["fields"][field]["name"], field
            assert described["fields"][field]["description"], field


@pytest.mark.parametrize(("path", "icon"), list(texts(ICONS)))
def test_icons_are_of_the_one_set(path, icon):
    assert icon.startswith("mdi:"), path


def test_a_state_icon_differs_from_the_default():
    for platform in ICONS["entity"].values():
        for entity in platform.values():
            assert entity.get("default") not in set(entity.get("state", {}).values())


def test_the_module_says_how_it_is_configured():
    assert "CONFIG_SCHEMA" in (INTEGRATION / "__init__.py").read_text()
