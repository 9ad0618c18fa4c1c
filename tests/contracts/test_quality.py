"""The quality scale's ledger, held where a program can hold it."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from botpsy_core.bridge import shipped_profiles
from botpsy_core.domain.verdicts import Reason
from custom_components.botpsy.errors import TABLE
from custom_components.botpsy.issues import FIXABLE, KINDS

ROOT = Path(__file__).resolve().parents[2]
INTEGRATION = ROOT / "custom_components" / "botpsy"
USER = ROOT / "docs" / "user"
LEDGER: dict[str, Any] = yaml.safe_load((INTEGRATION / "quality_scale.yaml").read_text())["rules"]
TRANSLATIONS: dict[str, Any] = json.loads((INTEGRATION / "translations" / "en.json").read_text())
ICONS: dict[str, Any] = json.loads((INTEGRATION / "icons.json").read_text())
PLATFORMS = ("ai_task", "conversation", "select", "sensor", "switch")

# fmt: off
RULES = frozenset({
    "action-setup", "appropriate-polling", "brands", "common-modules", "config-flow", "config-flow-test-coverage",
    "dependency-transparency", "docs-actions", "docs-conditions", "docs-high-level-description",
    "docs-installation-instructions", "docs-removal-instructions", "docs-triggers", "entity-event-setup",
    "entity-unique-id", "has-entity-name", "runtime-data", "test-before-configure", "test-before-setup",
    "unique-config-entry", "action-exceptions", "config-entry-unloading", "docs-configuration-parameters",
    "docs-installation-parameters", "entity-unavailable", "integration-owner", "log-when-unavailable",
    "parallel-updates", "reauthentication-flow", "test-coverage", "devices", "diagnostics", "discovery",
    "discovery-update-info", "docs-data-update", "docs-examples", "docs-known-limitations", "docs-supported-devices",
    "docs-supported-functions", "docs-troubleshooting", "docs-use-cases", "dynamic-devices", "entity-category",
    "entity-device-class", "entity-disabled-by-default", "entity-translations", "exception-translations",
    "icon-translations", "reconfiguration-flow", "repair-issues", "stale-devices", "async-dependency",
    "inject-websession", "strict-typing",
})
# fmt: on


def source(name: str) -> str:
    return (INTEGRATION / name).read_text()


def page(name: str) -> str:
    return (USER / f"{name}.md").read_text()


def keys_of(name: str) -> set[str]:
    return {key for key in yaml.safe_load(source(name)) if not key.startswith(".")}


def test_the_ledger_names_every_rule_once():
    assert len(RULES) == 54
    assert set(LEDGER) == RULES


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_is_done_or_exempt_with_a_reason(rule):
    told = LEDGER[rule]

    assert told == "done" or (told["status"] == "exempt" and len(told["comment"]) > 20)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_platform_says_how_many_updates_run_at_once(platform):
    assert re.search(r"^PARALLEL_UPDATES = 0$", source(f"{platform}.py"), re.MULTILINE)


def translation_keys(name: str) -> Iterator[tuple[str, str]]:
    """Yield each keyword and its text in calls that name a translation."""
    for node in ast.walk(ast.parse(source(name))):
        if isinstance(node, ast.keyword) and node.arg == "translation_key" and isinstance(node.value, ast.Constant):
            yield node.arg, str(node.value.value)


@pytest.mark.parametrize("file", sorted(path.name for path in INTEGRATION.glob("*.py")))
def test_what_is_raised_can_be_translated(file):
    known = TRANSLATIONS["exceptions"] | {key: "" for part in TRANSLATIONS["entity"].values() for key in part}
    used = {key for _, key in translation_keys(file)}
    used |= set(re.findall(r'invalid\("(\w+)"', source(file)))

    assert used <= set(known)


def test_every_error_of_the_core_can_be_translated():
    assert {key for _, key in TABLE} <= set(TRANSLATIONS["exceptions"])


def test_every_issue_is_described_and_mended_where_it_can_be():
    issues = TRANSLATIONS["issues"]

    assert set(issues) == set(KINDS)
    assert {kind for kind in KINDS if "fix_flow" in issues[kind]} == FIXABLE
    assert all(f"{kind.upper()}: " in source("repairs.py") for kind in FIXABLE)


def test_every_entity_is_named_and_has_an_icon():
    for platform, entities in TRANSLATIONS["entity"].items():
        assert all(each["name"] for each in entities.values())
        assert set(entities) == set(ICONS["entity"][platform])


@pytest.mark.parametrize(
    ("file", "section", "icon"), [("triggers", "triggers", "trigger"), ("conditions",) * 2 + ("condition",)]
)
def test_triggers_and_conditions_are_described_and_have_icons(file, section, icon):
    names = keys_of(f"{file}.yaml")

    assert set(TRANSLATIONS[section]) == names
    assert {key: list(value) for key, value in ICONS[section].items()} == {name: [icon] for name in names}
    for name, told in yaml.safe_load(source(f"{file}.yaml")).items():
        if not name.startswith("."):
            assert set(told.get("fields", {})) == set(TRANSLATIONS[section][name].get("fields", {}))


def test_every_reason_can_be_shown_chosen_and_read_about():
    reasons = {reason.value for reason in Reason}
    choices = yaml.safe_load(source("triggers.yaml"))["refused"]["fields"]["reason"]["selector"]["select"]["options"]

    assert set(choices) == reasons
    assert set(TRANSLATIONS["selector"]["reason"]["options"]) == reasons
    assert set(TRANSLATIONS["entity"]["sensor"]["last_refusal"]["state"]) == reasons
    assert all(f"`{reason}`" in page("automations") for reason in reasons)


def test_the_docs_tell_of_every_action_and_its_fields():
    for action, told in yaml.safe_load(source("services.yaml")).items():
        assert f"botpsy.{action}" in page("actions")
        if action == "run":
            assert all(f"`{field}`" in page("actions") for field in told["fields"])


def test_the_docs_tell_of_every_trigger_condition_and_blueprint():
    for name in keys_of("triggers.yaml") | keys_of("conditions.yaml"):
        assert f"`botpsy.{name}`" in page("automations")
    for blueprint in (ROOT / "blueprints" / "automation" / "botpsy").iterdir():
        assert f"`{blueprint.stem}`" in page("automations")


def test_the_docs_tell_of_every_entity():
    for platform in ("select", "sensor", "switch"):
        for entity in TRANSLATIONS["entity"][platform].values():
            assert f"**{entity['name']}**" in page("automations")


@pytest.mark.parametrize(
    ("section", "document"), [("config", "install"), ("options", "configure"), ("config_subentries", "configure")]
)
def test_the_docs_tell_of_every_field(section, document):
    told = page(document)
    if section == "config_subentries":
        steps = [TRANSLATIONS[section]["conversation"]["step"]["user"]]
    else:
        steps = list(TRANSLATIONS[section]["step"].values())

    labels = {label.split()[0] for step in steps for label in step.get("data", {}).values()}

    assert {label for label in labels if label.casefold() not in told.casefold()} == set()


@pytest.mark.parametrize("name", sorted(path.stem for path in USER.glob("*.md")))
def test_links_between_pages_lead_somewhere(name):
    for link in re.findall(r"\]\(([^)#]+)", page(name)):
        if "://" not in link:
            assert (USER / link).exists(), link


def test_every_page_is_in_the_index():
    index = page("README")

    assert all(f"({path.name})" in index for path in USER.glob("*.md") if path.stem != "README")


DOCUMENTED = {
    "docs-actions": ("actions", ["## `botpsy.run`", "## AI tasks"]),
    "docs-conditions": ("automations", ["## Conditions"]),
    "docs-configuration-parameters": ("configure", ["| field | what it does |", "## The PIN", "## How careful it is"]),
    "docs-data-update": ("automations", ["nothing is polled"]),
    "docs-examples": ("automations", ["## Blueprints", "triggers:"]),
    "docs-high-level-description": ("README", ["BotPsy is a conversation agent for Home Assistant"]),
    "docs-installation-instructions": ("install", ["## What is needed", "## Step by step"]),
    "docs-installation-parameters": ("install", ["| choice | field | what it is |"]),
    "docs-known-limitations": ("limits", ["By design:", "Otherwise:"]),
    "docs-removal-instructions": ("install", ["## Remove it", "**Settings → Devices & services → BotPsy → Delete.**"]),
    "docs-supported-devices": ("models", ["| what | how it is supported |"]),
    "docs-supported-functions": ("automations", ["## Entities", "## The logbook"]),
    "docs-triggers": ("automations", ["## Triggers"]),
    "docs-troubleshooting": ("troubleshooting", ["| symptom | remedy |"]),
    "docs-use-cases": ("use", ["## Use cases"]),
}
"""Where each rule about the documentation is kept, and what must stand there."""


def test_every_rule_about_the_documentation_has_its_page():
    assert set(DOCUMENTED) == {rule for rule in RULES if rule.startswith("docs-")}


@pytest.mark.parametrize("rule", sorted(DOCUMENTED))
def test_a_rule_about_the_documentation_is_kept(rule):
    name, wanted = DOCUMENTED[rule]

    assert [each for each in wanted if each not in page(name)] == []


def test_every_kind_of_device_is_supported_by_name():
    told = page("mqtt")

    assert [each for each in shipped_profiles() if f"`{each}`" not in told] == []


def test_every_repair_issue_has_a_remedy_in_the_docs():
    titles = [each["title"].replace("{title}", "…") for each in TRANSLATIONS["issues"].values()]

    assert [title for title in titles if f"| {title} |" not in page("troubleshooting")] == []
