import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from botpsy_core.catalog import check_value, load_tools
from botpsy_core.catalog.loader import load_tools_from, read_tool
from botpsy_core.domain.tools import RESERVED_NAMES, Direction, Risk, Role
from botpsy_core.errors import BadArguments, ConfigurationInvalid

META = Draft202012Validator(json.loads((files("tool_schemas") / "_meta.schema.json").read_text("utf-8")))
TOOLS = load_tools()
LANGUAGES = {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "hi"}
UNLOCK = """
name: unlock
description: Unlock a door lock.
risk: security
direction: unlock
arguments:
  - {name: target, role: target, kinds: [lock], required: true}
binding: {kind: action, action: lock.unlock}
examples: [Unlock the front door, Unlock the side door]
"""


def read(text):
    return read_tool(text, file="tool.yaml", validator=META)


def test_tools_come_sorted_by_name_and_none_is_reserved():
    names = [t.name for t in TOOLS]
    assert names == sorted(set(names))
    assert not RESERVED_NAMES & set(names)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_a_tool_is_complete(tool):
    Draft202012Validator.check_schema({"type": "object", "properties": {a.name: a.schema for a in tool.arguments}})
    assert tool.binding
    assert set(tool.cues) in (set(), LANGUAGES)
    assert len({len(groups) for groups in tool.cues.values()}) <= 1
    for argument in tool.arguments:
        spoken = argument.schema.get("x-after") or argument.schema.get("x-words")
        assert spoken is None or set(spoken) == LANGUAGES
    used = json.dumps(tool.binding)
    for argument in tool.arguments:
        assert argument.role is Role.TARGET or f'"${argument.name}"' in used or tool.read_only


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_a_numbers_bounds_are_taken_and_what_lies_beyond_is_not(tool):
    for argument in tool.arguments_of(Role.NUMBER):
        for key, beyond in (("minimum", -1), ("maximum", 1)):
            check_value(argument, argument.schema[key])
            with pytest.raises(BadArguments, match=argument.name):
                check_value(argument, argument.schema[key] + beyond)


def test_on_and_off_are_words_in_a_tool_file():
    tools = {t.name: t for t in TOOLS}
    assert (tools["turn_on"].direction, tools["turn_off"].direction) == (Direction.ON, Direction.OFF)


def test_a_valid_file_is_read():
    spec = read(UNLOCK)
    assert (spec.risk, spec.direction, spec.arguments[0].kinds) == (Risk.SECURITY, Direction.UNLOCK, {"lock"})


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("direction: unlock\n", "", "direction"),
        ("required: true", "required: false", "arguments"),
        ("risk: security", "risk: forbidden", "risk"),
        ("risk: security\n", "", "risk"),
        ("name: unlock", "name: no_suitable_tool", "name"),
        ("name: unlock", "name: Unlock it", "name"),
        (", kinds: [lock]", "", "kinds"),
        ("binding: {kind: action, action: lock.unlock}", "binding: {kind: shell, command: rm}", "binding"),
        ("action: lock.unlock", "action: lock", "binding"),
        ("examples:", "delayable: true\nexamples:", "delayable"),
        ("risk: security", "risk: read", "only reads"),
        ("risk: security\ndirection: unlock", "risk: comfort", "give the tool a direction, or cues"),
        ("description: Unlock a door lock.", "description: Unlock.", "description"),
        ("[Unlock the front door, Unlock the side door]", "[Unlock the front door]", "examples"),
        ("examples:", "sudo: true\nexamples:", "sudo"),
        ("name: unlock", "name: [unlock", "line 3"),
    ],
)
def test_an_unsafe_or_broken_file_is_refused_with_its_place(old, new, place):
    assert old in UNLOCK
    with pytest.raises(ConfigurationInvalid, match=place) as caught:
        read(UNLOCK.replace(old, new))
    assert str(caught.value).startswith("tool.yaml: ")


def test_a_read_only_tool_cannot_be_bound_to_an_action_that_returns_nothing():
    reading = UNLOCK.replace("risk: security\ndirection: unlock", "risk: read")
    with pytest.raises(ConfigurationInvalid, match="response"):
        read(reading)


def test_file_name_and_tool_name_agree_and_no_name_comes_twice(tmp_path):
    (tmp_path / "_meta.schema.json").write_text(json.dumps(META.schema))
    for folder in ("home", "notify"):
        (tmp_path / folder).mkdir()
    (tmp_path / "home" / "open_up.yaml").write_text(UNLOCK)
    with pytest.raises(ConfigurationInvalid, match=r"open_up\.yaml"):
        load_tools_from(tmp_path)
    (tmp_path / "home" / "open_up.yaml").rename(tmp_path / "home" / "unlock.yaml")
    assert [t.name for t in load_tools_from(tmp_path)] == ["unlock"]
    (tmp_path / "notify" / "unlock.yaml").write_text(UNLOCK)
    with pytest.raises(ConfigurationInvalid, match="two tools"):
        load_tools_from(tmp_path)
