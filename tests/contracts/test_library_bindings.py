"""The tools' bindings against the Home Assistant that the tests pin: its actions, their fields and ranges."""

from pathlib import Path

import homeassistant.components
import pytest
import yaml

from botpsy_core.catalog import load_tools

COMPONENTS = Path(homeassistant.components.__file__).parent
BEYOND_THE_ACTION = {"priority", "rrule"}
"""What only the entity's own method or its app's own action takes; the toolbox calls that instead where it is given."""


def services(domain):
    text = (COMPONENTS / domain / "services.yaml").read_text("utf-8")
    return yaml.safe_load(text)


def fields(service):
    found = {}
    for name, field in ((service or {}).get("fields") or {}).items():
        found |= field["fields"] if field and "fields" in field else {name: field}
    return found


def bound():
    for tool in load_tools():
        binding = tool.binding
        if binding["kind"] != "action":
            continue
        special = binding.get("actions", {})
        kinds = {k.partition(".")[0] for a in tool.arguments for k in a.kinds}
        domains = kinds - set(special) if "{domain}" in binding["action"] else {""}
        names = {binding["action"].replace("{domain}", d) for d in domains} | set(special.values())
        yield from ((tool, name, binding.get("data", {})) for name in sorted(names))
        if other := binding.get("untargeted"):
            yield tool, other["action"], other.get("data", {})


@pytest.mark.parametrize(("tool", "action", "data"), [pytest.param(*b, id=f"{b[0].name}-{b[1]}") for b in bound()])
def test_an_action_exists_and_takes_these_fields(tool, action, data):
    domain, _, name = action.partition(".")
    known = services(domain)
    assert name in known
    assert set(data) - BEYOND_THE_ACTION <= set(fields(known[name]))


@pytest.mark.parametrize("tool", [t for t in load_tools() if t.binding["kind"] == "action"], ids=lambda t: t.name)
def test_a_number_lies_in_the_range_of_its_field(tool):
    domain, _, name = tool.binding["action"].partition(".")
    if "{domain}" in domain:
        domain = min(k for a in tool.arguments for k in a.kinds)
        name = name.replace("{domain}", domain)
    known = fields(services(domain)[name])
    for key, expression in tool.binding.get("data", {}).items():
        if key in BEYOND_THE_ACTION:
            continue
        selector = ((known[key] or {}).get("selector") or {}).get("number")
        if not selector or not isinstance(expression, str) or not expression.startswith("$"):
            continue
        schema = tool.argument(expression[1:]).schema
        assert selector["min"] <= schema["minimum"]
        assert schema["maximum"] <= selector["max"]
