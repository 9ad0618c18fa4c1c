import copy
from importlib import resources

import pytest
import yaml
from jsonschema import Draft202012Validator

from botpsy_core.bridge import DeviceSettings, Secret, bind, load_profiles, shipped_profiles
from botpsy_core.bridge.profile_file import parse_profile, profile_schema
from botpsy_core.bridge.yaml_file import parse_yaml
from botpsy_core.errors import ConfigurationInvalid

PROFILES = resources.files("tool_schemas").joinpath("profiles")
VALIDATOR = Draft202012Validator(profile_schema())


def data(name="ovms"):
    return copy.deepcopy(parse_yaml(PROFILES.joinpath(f"{name}.yaml").read_text(), name=name).data)


def changed(path, value, name="ovms"):
    """Return a profile in which one place is set, or removed where the value is `...`."""
    whole = data(name)
    node = whole
    for key in path[:-1]:
        node = node[key]
    if value is ...:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return whole


UNLOCK = ("commands", "unlock")
LOCK = ("commands", "lock")
HOMELINK = ("commands", "homelink_1")
CURRENT = ("commands", "set_charge_current")
UNSAFE = {
    "a retained command": ((*LOCK, "publish", "retain"), True),
    "retain left out": ((*LOCK, "publish", "retain"), ...),
    "QoS 1 for security": ((*UNLOCK, "publish", "qos"), 1),
    "QoS 1 for a hazard": ((*HOMELINK, "publish", "qos"), 1),
    "QoS 2": ((*LOCK, "publish", "qos"), 2),
    "no expiry for security": ((*UNLOCK, "publish", "expiry_s"), ...),
    "an hour of expiry": ((*UNLOCK, "publish", "expiry_s"), 3600),
    "security without confirmation": ((*UNLOCK, "confirm"), ...),
    "security with no confirmation level": ((*UNLOCK, "confirm", "level"), "none"),
    "unlocking with a mere yes": ((*UNLOCK, "confirm", "level"), "yes"),
    "a confirmation that lasts": ((*UNLOCK, "confirm", "ttl_s"), 3600),
    "a confirmation that reads nothing back": ((*UNLOCK, "confirm", "readback"), ...),
    "unlocking as comfort": ((*UNLOCK, "risk"), "comfort"),
    "a forbidden risk": ((*LOCK, "risk"), "forbidden"),
    "a read as a command": ((*LOCK, "risk"), "read"),
    "no risk": ((*LOCK, "risk"), ...),
    "security on by default": ((*UNLOCK, "enabled_by_default"), True),
    "security silent about its default": ((*UNLOCK, "enabled_by_default"), ...),
    "a hazard on by default": ((*HOMELINK, "enabled_by_default"), True),
    "a hazard with a mere yes": ((*HOMELINK, "confirm", "level"), "yes"),
    "a hazard without preconditions": ((*HOMELINK, "preconditions"), ...),
    "a hazard with empty preconditions": ((*HOMELINK, "preconditions"), []),
    "a hazard that goes on in doubt": ((*HOMELINK, "preconditions", 0, "on_unknown"), "allow"),
    "security without preconditions": ((*UNLOCK, "preconditions"), ...),
    "a precondition that cannot explain itself": ((*UNLOCK, "preconditions", 0, "say"), ...),
    "a precondition on a day-old state": ((*UNLOCK, "preconditions", 0, "max_age_s"), 86400),
    "security sent again": ((*UNLOCK, "retry"), "if_not_acked"),
    "a start sent again": (("commands", "start_climate", "retry"), "if_not_acked"),
    "retry for ever": ((*LOCK, "retry"), "always"),
    "open arguments": ((*LOCK, "args"), {"type": "object", "properties": {}}),
    "additional arguments": ((*LOCK, "args", "additionalProperties"), True),
    "free text as an argument": ((*CURRENT, "args", "properties", "amperes"), {"type": "string", "description": "x"}),
    "a number without bounds": ((*CURRENT, "args", "properties", "amperes"), {"type": "integer", "description": "x"}),
    "an object as an argument": ((*CURRENT, "args", "properties", "amperes"), {"type": "object", "description": "x"}),
    "no acknowledgement and no verification": ((*HOMELINK, "ack"), {"kind": "none"}),
    "no acknowledgement at all": ((*LOCK, "ack"), ...),
    "a retained acknowledgement": ((*LOCK, "ack", "accept_retained"), True),
    "an answer that cannot fail": ((*LOCK, "ack", "failure"), ...),
    "an answer that cannot succeed": ((*LOCK, "ack", "success"), ...),
    "an answer that nothing ties to us": ((*LOCK, "ack", "correlate"), ...),
    "waiting an hour for an answer": ((*LOCK, "ack", "timeout_s"), 3600),
    "verification by a snapshot": ((*LOCK, "verify", "require_live"), False),
    "an unknown word taken for a value": (("signals", "locked", "parse", "unmapped"), "error"),
    "a map that says nothing about other words": (("signals", "locked", "parse", "unmapped"), ...),
    "a boolean without a map": (("signals", "locked", "parse"), {"kind": "text"}),
    "a number without a range": (("signals", "speed", "max"), ...),
    "foreign text shown as a value": (("signals", "place", "llm"), "value"),
    "a retained state as proof": (("signals", "speed", "retained"), "usable"),
    "a state that is fresh for a week": (("signals", "speed", "max_age_s"), 604800),
    "a wildcard in a signal": (("signals", "speed", "topic"), "{prefix}/#"),
    "a wildcard in a command": ((*LOCK, "publish", "topic"), "{prefix}/+/set"),
    "a newline in a topic": ((*LOCK, "publish", "topic"), "{prefix}/a\nb"),
    "a secret in a topic": ((*LOCK, "publish", "topic"), "{prefix}/{secret:vehicle_pin}"),
    "a secret in an answer topic": ((*LOCK, "ack", "topic"), "{prefix}/{secret:vehicle_pin}"),
    "a newline in a payload": ((*LOCK, "publish", "payload"), {"text": "lock\nunlock 1", "charset": "words"}),
    "a payload without a charset": ((*LOCK, "publish", "payload"), {"text": "lock"}),
    "a template language in a payload": ((*LOCK, "publish", "payload"), {"text": "{{ states }}", "charset": "words"}),
    "an expression in a payload": ((*LOCK, "publish", "payload"), {"text": "{arg:x|upper}", "charset": "words"}),
    "a placeholder inside JSON text": ((*LOCK, "publish", "payload"), {"json": {"a": "x{arg:y}z"}}),
    "a toggle": ((*LOCK, "publish", "payload"), {"text": "Toggle", "charset": "token"}),
    "a secret in a read request": (("refresh", "payload"), {"text": "{secret:vehicle_pin}", "charset": "list"}),
    "an argument in a read request": (("refresh", "payload"), {"json": {"a": {"b": "{arg:x}"}}}),
    "opening without a question": (("commands", "open_boot", "confirm"), ..., "saic"),
    "security without limits": ((*UNLOCK, "limits"), ...),
    "security a hundred times an hour": ((*UNLOCK, "limits", "per_hour"), 100),
    "a hazard twenty times an hour": ((*HOMELINK, "limits", "per_hour"), 20),
    "a command without a direction": ((*LOCK, "polarity"), ...),
    "an invented key": ((*LOCK, "shell"), "reboot"),
    "no availability": (("availability",), []),
    "an unknown version": (("profile_version",), 2),
    "a control character in a description": ((*LOCK, "description"), "Lock\x07"),
    "a chat token in a description": ((*LOCK, "description"), "<|im_start|>system"),
}


@pytest.mark.parametrize("unsafe", UNSAFE.values(), ids=UNSAFE)
def test_the_schema_cannot_express_what_is_unsafe(unsafe):
    assert not VALIDATOR.is_valid(changed(*unsafe))


@pytest.mark.parametrize("name", [e.name.removesuffix(".yaml") for e in PROFILES.iterdir() if e.name.endswith(".yaml")])
def test_the_schema_takes_what_is_shipped(name):
    assert list(VALIDATOR.iter_errors(data(name))) == []


WRONG = {
    "an undeclared variable": ((*LOCK, "publish", "topic"), "{prefx}/a", "'prefx' is not declared"),
    "an undeclared secret": ((*LOCK, "publish", "payload", "text"), "lock {secret:pin}", "'pin' is not declared"),
    "an undeclared argument": ((*LOCK, "publish", "payload", "text"), "lock {arg:x}", "'x' is not declared"),
    "an unknown signal": ((*LOCK, "verify", "signal"), "lockd", "'lockd' is no signal"),
    "a value that never comes": ((*LOCK, "verify", "value"), "yes", "is no value of 'locked'"),
    "an order of words": ((*LOCK, "preconditions", 0, "op"), "lt", "lt needs a number"),
    "an answer without an id": ((*LOCK, "ack", "topic"), "{prefix}/answer", "cannot be told by its topic"),
    "a pattern that never ends": ((*LOCK, "ack", "success"), "(a+)+$", "can take for ever"),
    "a pattern that is none": ((*LOCK, "ack", "success"), "(", "no regular expression"),
    "a clock that is none": (("clock", "signal"), "soc", "no signal of type timestamp"),
    "a range upside down": (("signals", "speed", "min"), 400, "min is not below max"),
    "an argument that may be left out": ((*CURRENT, "args", "required"), [], "may be left out"),
    "a toggle inside JSON": (
        (*LOCK, "publish", "payload"),
        {"json": {"state": "TOGGLE"}},
        "a toggle does the opposite",
    ),
    "a stray brace": ((*LOCK, "verify", "negative"), {"topic": "a", "regex": "a{2}"}, "holds a brace"),
}


@pytest.mark.parametrize(("path", "value", "message"), WRONG.values(), ids=WRONG)
def test_what_a_schema_cannot_say_is_held_by_rules(path, value, message):
    with pytest.raises(ConfigurationInvalid, match=message):
        parse_profile(yaml.safe_dump(changed(path, value), allow_unicode=True))


def test_an_error_names_file_line_place_and_fix():
    text = PROFILES.joinpath("zigbee2mqtt_lock.yaml").read_text()
    lines = text.splitlines()
    line = next(i for i, found in enumerate(lines) if "state: LOCK}" in found)
    lines[line] = lines[line].replace("retain: false", "retain: true")
    with pytest.raises(ConfigurationInvalid) as caught:
        parse_profile("\n".join(lines), name="mine.yaml")
    assert str(caught.value).startswith(f"mine.yaml, line {line + 1}: commands.lock.publish.retain: ")
    assert "write `retain: false`" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1", "line 1"),
        ("- a", "the file is no mapping"),
        ("", "the file is no mapping"),
        ("id: a\nid: b", "line 2: 'id' stands twice"),
        ("a: &x {b: 1}\nc: *x", "aliases"),
        ("1: a", "put it in quotes"),
        ("a: !!python/object:os.system x", "mend the YAML"),
        ("a: " + "[" * 60 + "]" * 60, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_profile_is_a_clear_error(text, message):
    with pytest.raises(ConfigurationInvalid, match=message):
        parse_profile(text)


def test_words_such_as_on_and_yes_stay_words():
    assert parse_yaml("a: on\nb: yes\nc: off\nd: true", name="x").data == {"a": "on", "b": "yes", "c": "off", "d": True}


def test_a_users_profile_is_loaded_and_may_not_take_a_shipped_id(tmp_path):
    text = PROFILES.joinpath("esphome_switch.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(text.replace("id: esphome_switch", "id: my_switch"))
    assert "my_switch" in load_profiles(tmp_path)
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(ConfigurationInvalid, match=r"mine.yaml.*'esphome_switch' is taken by esphome_switch.yaml"):
        load_profiles(tmp_path)


OVMS = {"prefix": "ovms/me/car", "client": "botpsy01"}
BAD_SETTINGS = {
    "no value": ({"variables": {}}, "has no value"),
    "a stranger": ({"variables": {**OVMS, "x": "y"}}, "is no variable"),
    "a wildcard": ({"variables": {**OVMS, "prefix": "ovms/#"}}, "wildcard"),
    "a plus": ({"variables": {**OVMS, "prefix": "ovms/+/car"}}, "wildcard"),
    "a newline": ({"variables": {**OVMS, "prefix": "ovms\ncar"}}, "control character"),
    "a NUL": ({"variables": {**OVMS, "prefix": "ovms\0car"}}, "control character"),
    "64 kB": ({"variables": {**OVMS, "prefix": "a" * 65536}}, "bytes"),
    "a placeholder": ({"variables": {**OVMS, "prefix": "a/{secret:vehicle_pin}"}}, "braces"),
    "an empty level": ({"variables": {**OVMS, "prefix": "a//b"}}, "empty level"),
    "a slash in a level": ({"variables": {**OVMS, "client": "a/b/c"}}, "does not look like"),
    "the broker's own topics": ({"variables": {**OVMS, "prefix": "$SYS"}}, "belongs to the broker"),
    "a secret that is two words": ({"secrets": {"vehicle_pin": Secret("1 2")}}, "not one plain word"),
    "a secret with a newline": ({"secrets": {"vehicle_pin": Secret("1\nreboot")}}, "not one plain word"),
    "a secret that is none": ({"secrets": {"pin": Secret("1")}}, "is no secret"),
    "a bad short name": ({"slug": "My Car"}, "short name"),
    "a name with markup": ({"name": "<|im_start|>"}, "holds one of"),
    "an unknown command": ({"enabled": frozenset({"fly"})}, "are no commands"),
}


@pytest.mark.parametrize(("change", "message"), BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_a_devices_settings_are_checked_before_anything_is_subscribed(change, message):
    settings = {"profile": "ovms_v3", "slug": "car", "name": "car", "variables": OVMS} | change
    with pytest.raises(ConfigurationInvalid, match=message) as caught:
        bind(shipped_profiles()["ovms_v3"], DeviceSettings(**settings))
    assert "reboot" not in str(caught.value)


def test_a_deny_list_wins_over_a_pattern_and_an_exact_topic_wins_over_the_deny_list():
    text = PROFILES.joinpath("evcc.yaml").read_text().replace('"{root}/site/+/set"', '"{root}/loadpoints/#"')
    device = bind(parse_profile(text), DeviceSettings(profile="evcc", slug="box", name="box"))
    exact = device.commands["set_mode"].topic
    from botpsy_core.bridge.template import Filling, Template

    assert device.may_publish(exact, exact.topic(Filling()))
    pattern = Template.parse("evcc/loadpoints/{arg:n}/mode/set")
    assert not device.may_publish(pattern, pattern.topic(Filling(args={"n": "1"})))


EXTENDING = """\
profile_version: 1
extends: esphome_switch
id: my_switch
title: Mine
signals:
  power: {title: power, topic: "{prefix}/sensor/power/state", parse: {kind: text}, type: number, unit: W, min: 0,
    max: 4000, max_age_s: 60, retained: display_only, llm: value}
"""


def test_a_users_profile_may_build_on_a_shipped_one():
    profile = parse_profile(EXTENDING)
    assert (profile.id, sorted(profile.signals), sorted(profile.commands)) == (
        "my_switch",
        ["power", "state"],
        ["turn_off", "turn_on"],
    )


def test_what_is_unsafe_stays_unsafe_on_top_of_a_shipped_one():
    with pytest.raises(ConfigurationInvalid, match=r"commands\.turn_on"):
        parse_profile(EXTENDING + "commands: {turn_on: {description: x}}\n")
    with pytest.raises(ConfigurationInvalid, match="line 2: extends: no such shipped profile; use one of"):
        parse_profile(EXTENDING.replace("esphome_switch", "esphome_switsch"))
