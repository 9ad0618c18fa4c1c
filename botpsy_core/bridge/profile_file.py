"""From profile files to Profile values; what is wrong is told with file, line and fix."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from botpsy_core.bridge.profile import Profile
from botpsy_core.bridge.profile_builder import ProfileBuilder
from botpsy_core.bridge.profile_rules import check_rules
from botpsy_core.bridge.yaml_file import Place, YamlFile, parse_yaml, read_yaml
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

    A user's profile may build on a shipped one (`extends`) and may not take a shipped one's id.
    """
    profiles = dict(shipped_profiles())
    for path in sorted(folder.glob("*.y*ml")) if folder and folder.is_dir() else ():
        profile = load_profile(path)
        if profile.id in profiles:
            taken = f"the id {profile.id!r} is taken by {profiles[profile.id].source}"
            raise ConfigurationInvalid(f"{path.name}, line 1: {taken}; choose another")
        profiles[profile.id] = profile
    return profiles


@cache
def shipped_profiles() -> Mapping[str, Profile]:
    """Return the profiles that come with the core, by id."""
    return {profile.id: profile for profile in map(_profile, _shipped_files().values())}


def load_profile(path: Path) -> Profile:
    """Return one profile file's content; raise ConfigurationInvalid."""
    return _profile(_extended(read_yaml(path)))


def parse_profile(text: str, *, name: str = "profile.yaml") -> Profile:
    """Return a profile from its text; raise ConfigurationInvalid."""
    return _profile(_extended(parse_yaml(text, name=name)))


@cache
def _shipped_files() -> Mapping[str, YamlFile]:
    """Return the shipped files by the ids that they give."""
    folder = resources.files("tool_schemas").joinpath("profiles")
    entries = sorted((e for e in folder.iterdir() if e.name.endswith(".yaml")), key=lambda e: e.name)
    files = [parse_yaml(entry.read_text(encoding="utf-8"), name=entry.name) for entry in entries]
    return {str(file.data.get("id")): file for file in files}


def _extended(file: YamlFile) -> YamlFile:
    """Put a file over the shipped one that it extends: what it says wins, its signals and commands join the others."""
    if "extends" not in file.data:
        return file
    base = _shipped_files().get(str(file.data["extends"]))
    if base is None:
        raise file.fault(("extends",), "no such shipped profile", f"use one of {sorted(_shipped_files())}")
    data = {**base.data, **{key: value for key, value in file.data.items() if key != "extends"}}
    for part in ("vars", "signals", "commands"):
        mine, theirs = file.data.get(part, {}), base.data.get(part, {})
        if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
            data[part] = {**theirs, **mine}
    return YamlFile(name=file.name, data=data, lines=file.lines)


def _profile(file: YamlFile) -> Profile:
    """Check a file by schema, build it, check what a schema cannot."""
    error = best_match(_validator().iter_errors(file.data))
    if error is not None:
        raise _fault(file, error)
    data: dict[str, Any] = dict(file.data)
    builder = ProfileBuilder(file)
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
