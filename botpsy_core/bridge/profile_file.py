"""From profile files to Profile values; what is wrong is told with file, line and fix."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from botpsy_core.bridge.payload import Charset, EmptyPayload, JsonPayload, Payload, TextPayload
from botpsy_core.bridge.profile import (
    Ack,
    AckKind,
    Availability,
    Command,
    Compare,
    Condition,
    ConfirmLevel,
    Correlate,
    Encode,
    Encoding,
    Negative,
    OnUnknown,
    Parse,
    ParseKind,
    Profile,
    Refresh,
    Retained,
    Shown,
    Signal,
    SignalType,
    Var,
    VarKind,
    Verify,
)
from botpsy_core.bridge.profile_rules import check_rules
from botpsy_core.bridge.template import Template
from botpsy_core.bridge.yaml_file import Place, YamlFile, parse_yaml, read_yaml
from botpsy_core.domain.tools import Risk
from botpsy_core.errors import ConfigurationInvalid

_FIXES: Mapping[str, str] = {
    "retain": "write `retain: false`: a retained command runs again at every reconnect",
    "accept_retained": "write `accept_retained: false`: a retained answer is yesterday's",
    "require_live": "write `require_live: true`: a snapshot proves nothing",
    "qos": "write `qos: 0`: a security or hazard command must not be delivered later",
    "retry": "write `retry: never`: this command goes out once",
    "enabled_by_default": "write `enabled_by_default: false`: the owner switches security and hazard commands on",
    "level": "write `level: pin` (or `yes` where the schema allows it)",
    "unmapped": "write `unmapped: unknown`: an unknown word must not become a value",
    "risk": "raise `risk`, or use another payload",
}
_KEYWORD_FIXES: Mapping[str, str] = {
    "additionalProperties": "remove it, or check its spelling",
    "required": "add it",
    "enum": "use one of the words listed",
    "const": "write the value named",
    "pattern": "remove wildcards, control characters and braces that are no placeholder",
    "type": "change the value's type; words such as yes and on need quotes only as numbers do",
    "anyOf": "a command without an answer needs `verify`",
    "propertyNames": "use lower-case letters, digits and `_`",
    "maximum": "use a smaller value",
    "minimum": "use a larger value",
    "minItems": "add at least one",
    "contains": "give at least one precondition `on_unknown: refuse`",
}


@cache
def profile_schema() -> Mapping[str, Any]:
    """Return the JSON Schema of profile files."""
    text = resources.files("tool_schemas").joinpath("profiles/_profile.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    Draft202012Validator.check_schema(schema)
    return schema


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(profile_schema())


def load_profiles(folder: Path | None = None) -> Mapping[str, Profile]:
    """Return the shipped profiles, and those of a folder, by id; raise ConfigurationInvalid at the first fault.

    A user's profile may not take a shipped one's id.
    """
    profiles = dict(shipped_profiles())
    for path in sorted(folder.glob("*.y*ml")) if folder and folder.is_dir() else ():
        profile = load_profile(path)
        if profile.id in profiles:
            raise ConfigurationInvalid(
                f"{path.name}, line 1: the id {profile.id!r} is taken by {profiles[profile.id].source}; choose another"
            )
        profiles[profile.id] = profile
    return profiles


@cache
def shipped_profiles() -> Mapping[str, Profile]:
    """Return the profiles that come with the core, by id."""
    found = {}
    for entry in sorted(resources.files("tool_schemas").joinpath("profiles").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".yaml"):
            profile = _profile(parse_yaml(entry.read_text(encoding="utf-8"), name=entry.name))
            found[profile.id] = profile
    return found


def load_profile(path: Path) -> Profile:
    """Return one profile file's content; raise ConfigurationInvalid."""
    return _profile(read_yaml(path))


def parse_profile(text: str, *, name: str = "profile.yaml") -> Profile:
    """Return a profile from its text; raise ConfigurationInvalid."""
    return _profile(parse_yaml(text, name=name))


def _profile(file: YamlFile) -> Profile:
    """Check a file by schema, build it, check what a schema cannot."""
    error = best_match(_validator().iter_errors(file.data))
    if error is not None:
        raise _fault(file, error)
    data: dict[str, Any] = dict(file.data)
    builder = _Builder(file)
    profile = Profile(
        id=data["id"],
        title=data["title"],
        domain=data["domain"],
        device_class=data.get("device_class"),
        source=file.name,
        vars={name: builder.var(name, var) for name, var in data["vars"].items()},
        secrets=tuple(data.get("secrets", ())),
        availability=tuple(builder.availability(a, ("availability", i)) for i, a in enumerate(data["availability"])),
        clock=data["clock"]["signal"] if "clock" in data else None,
        refresh=builder.refresh(data["refresh"]) if "refresh" in data else None,
        signals={name: builder.signal(name, signal) for name, signal in data["signals"].items()},
        commands={name: builder.command(name, command) for name, command in data["commands"].items()},
        deny_topics=tuple(builder.template(t, ("deny_topics", i)) for i, t in enumerate(data.get("deny_topics", ()))),
    )
    try:
        check_rules(profile, file)
    except ValueError as error:
        raise ConfigurationInvalid(f"{file.name}: {error}") from error
    return profile


def _fault(file: YamlFile, error: ValidationError) -> ConfigurationInvalid:
    """Say a schema error so that an owner can mend it."""
    place: Place = tuple(error.absolute_path)
    word = next((p for p in reversed(place) if isinstance(p, str)), "")
    problem = error.message if len(error.message) <= 160 else f"{error.message[:157]}..."
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        allowed = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
        stranger = next((k for k in error.instance if k not in allowed), None)
        place = (*place, stranger) if stranger is not None else place
    fix = _FIXES.get(word) if error.validator in ("const", "enum", "type") else None
    return file.fault(place, problem, fix or _KEYWORD_FIXES.get(str(error.validator), "see the profile's schema"))


class _Builder:
    """Turns checked JSON into values; a template or a regex may still be wrong."""

    def __init__(self, file: YamlFile) -> None:
        self._file = file

    def template(self, text: str, place: Place) -> Template:
        try:
            return Template.parse(text)
        except ValueError as error:
            raise self._file.fault(place, str(error), "mend the placeholder") from error

    def regex(self, text: str | None, place: Place) -> re.Pattern[str] | None:
        if text is None:
            return None
        if re.search(r"\([^()]*[+*}][^()]*\)[+*{]", text) or re.search(r"\\[1-9]|\(\?[=!<P(]", text):
            raise self._file.fault(
                place,
                f"the pattern {text!r} can take for ever",
                "write it without repeats inside repeats, back references and look-arounds",
            )
        try:
            return re.compile(text)
        except re.error as error:
            raise self._file.fault(place, f"no regular expression: {error}", "mend it") from error

    def var(self, name: str, data: Mapping[str, Any]) -> Var:
        return Var(
            kind=VarKind(data["kind"]),
            title=data["title"],
            default=data.get("default"),
            example=data.get("example", ""),
            generate="generate" in data,
            pattern=self.regex(data.get("pattern"), ("vars", name, "pattern")),
            discover=data.get("discover"),
        )

    def availability(self, data: Mapping[str, Any], place: Place) -> Availability:
        return Availability(
            topic=self.template(data["topic"], place),
            online=frozenset(data.get("online", ())),
            anything="any" in data,
            offline=frozenset(data.get("offline", ())),
            path=data.get("path"),
            device=data.get("role", "device") == "device",
        )

    def refresh(self, data: Mapping[str, Any]) -> Refresh:
        place: Place = ("refresh",)
        return Refresh(
            topic=self.template(data["topic"], place),
            payload=self.payload(data["payload"], place),
            wakes_device=data["wakes_device"],
        )

    def payload(self, data: Mapping[str, Any], place: Place) -> Payload:
        if "text" in data:
            return TextPayload(template=self.template(data["text"], (*place, "text")), charset=Charset(data["charset"]))
        return JsonPayload(tree=data["json"]) if "json" in data else EmptyPayload()

    def signal(self, name: str, data: Mapping[str, Any]) -> Signal:
        place: Place = ("signals", name)
        parse: Mapping[str, Any] = data["parse"]
        return Signal(
            name=name,
            title=data["title"],
            topic=self.template(data["topic"], (*place, "topic")),
            parse=Parse(
                kind=ParseKind(parse["kind"]),
                path=parse.get("path"),
                index=parse.get("index", 0),
                regex=self.regex(parse.get("regex"), (*place, "parse", "regex")),
                map=parse.get("map"),
                scale=float(parse.get("scale", 1)),
                offset=float(parse.get("offset", 0)),
            ),
            type=SignalType(data["type"]),
            max_age_s=data["max_age_s"],
            retained=Retained(data["retained"]),
            shown=Shown(data["llm"]),
            unit=data.get("unit"),
            device_class=data.get("device_class"),
            vss=data.get("vss"),
            values=tuple(data.get("values", ())),
            words=data.get("words", {}),
            minimum=data.get("min"),
            maximum=data.get("max"),
            private=data.get("pii", False),
        )

    def condition(self, data: Mapping[str, Any]) -> Condition:
        return Condition(
            signal=data["signal"],
            compare=Compare(data["op"]),
            value=data.get("value"),
            tolerance=float(data.get("tolerance", 0)),
            max_age_s=data.get("max_age_s"),
            on_unknown=OnUnknown(data.get("on_unknown", "refuse")),
            say=data.get("say", ""),
            say_unknown=data.get("say_unknown", ""),
        )

    def ack(self, data: Mapping[str, Any], place: Place) -> Ack:
        return Ack(
            kind=AckKind(data["kind"]),
            topic=self.template(data["topic"], (*place, "topic")) if "topic" in data else None,
            correlate=Correlate(data.get("correlate", "single_flight")),
            path=data.get("path"),
            timeout_s=float(data.get("timeout_s", 10)),
            success=self.regex(data.get("success"), (*place, "success")),
            failure=self.regex(data.get("failure"), (*place, "failure")),
        )

    def verify(self, data: Mapping[str, Any] | None, place: Place) -> Verify | None:
        if data is None:
            return None
        negative = data.get("negative")
        if negative:
            self.regex(negative["regex"], (*place, "negative", "regex"))
        return Verify(
            condition=self.condition(data),
            within_s=float(data["within_s"]),
            optimistic=data.get("optimistic", False),
            negative=Negative(topic=self.template(negative["topic"], (*place, "negative")), regex=negative["regex"])
            if negative
            else None,
        )

    def encode(self, data: Mapping[str, Any]) -> Encode:
        return Encode(map=data.get("map"), format=Encoding(data["format"]) if "format" in data else None)

    def command(self, name: str, data: Mapping[str, Any]) -> Command:
        place: Place = ("commands", name)
        publish: Mapping[str, Any] = data["publish"]
        confirm: Mapping[str, Any] = data.get("confirm", {"level": "none"})
        return Command(
            name=name,
            description=data["description"],
            polarity=data["polarity"],
            risk=Risk(data["risk"]),
            topic=self.template(publish["topic"], (*place, "publish", "topic")),
            payload=self.payload(publish["payload"], (*place, "publish", "payload")),
            qos=publish["qos"],
            expiry_s=publish.get("expiry_s"),
            ack=self.ack(data["ack"], (*place, "ack")),
            verify=self.verify(data.get("verify"), (*place, "verify")),
            args=data["args"],
            encode={arg: self.encode(encode) for arg, encode in data.get("encode", {}).items()},
            preconditions=tuple(self.condition(c) for c in data.get("preconditions", ())),
            noop_if=self.condition(data["noop_if"]) if "noop_if" in data else None,
            confirm=ConfirmLevel(confirm["level"]),
            readback=confirm.get("readback", ""),
            idempotent=data["idempotent"],
            resend=data["retry"] == "if_not_acked",
            min_interval_s=float(data["limits"]["min_interval_s"]),
            per_hour=data["limits"]["per_hour"],
            enabled_by_default=data.get("enabled_by_default", True),
            cues=_cues(data.get("cues", {})),
            examples=tuple(data.get("examples", ())),
        )


def _cues(data: Mapping[str, Iterable[Iterable[str]]]) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Freeze groups of words."""
    return {language: tuple(tuple(group) for group in groups) for language, groups in data.items()}
