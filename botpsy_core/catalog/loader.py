"""Read the tool files, hold each to the meta schema, and make ToolSpecs of them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from botpsy_core.domain.tools import Argument, Direction, Risk, Role, ToolSpec
from botpsy_core.errors import ConfigurationInvalid

PACKAGE = "tool_schemas"
FOLDERS = ("calendar", "home", "notify", "todo")
PLAN_FOLDER = "plan"
"""Tools about what was put off, for hosts that keep a book of it."""
TIMER_FOLDER = "timer"
"""Tools about timers, for hosts that keep some."""
META = "_meta.schema.json"
TARGET_SCHEMA: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}
DEFAULT_SCHEMAS: Mapping[Role, Mapping[str, Any]] = {
    Role.TARGET: TARGET_SCHEMA,
    Role.TIME: {"type": "string"},
    Role.DURATION: {"type": "integer", "minimum": 1},
    Role.TEXT: {"type": "string", "minLength": 1},
}


class _Loader(yaml.SafeLoader):
    """YAML in which `on` and `off` are words, as in YAML 1.2."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))


@cache
def load_tools() -> tuple[ToolSpec, ...]:
    """Return all shipped tools, sorted by name; raise ConfigurationInvalid for a file that breaks the meta schema."""
    root = files(PACKAGE)
    return load_tools_from(root)


@cache
def load_plan_tools() -> tuple[ToolSpec, ...]:
    """Return the tools that tell and forget what was put off; a host without a book of it does not offer them."""
    return load_tools_from(files(PACKAGE), folders=(PLAN_FOLDER,))


@cache
def load_timer_tools() -> tuple[ToolSpec, ...]:
    """Return the tools about timers; a host that keeps none does not offer them."""
    return load_tools_from(files(PACKAGE), folders=(TIMER_FOLDER,))


def load_tools_from(root: Traversable, *, folders: Sequence[str] = FOLDERS) -> tuple[ToolSpec, ...]:
    """Return the tools in the folders of `root`, which holds the meta schema too."""
    validator = Draft202012Validator(json.loads((root / META).read_text(encoding="utf-8")))
    specs: dict[str, ToolSpec] = {}
    for file in _tool_files(root, folders):
        spec = read_tool(file.read_text(encoding="utf-8"), file=file.name, validator=validator)
        if file.name != f"{spec.name}.yaml":
            raise ConfigurationInvalid(f"{file.name}: the tool is called {spec.name!r}; rename the file or the tool")
        if spec.name in specs:
            raise ConfigurationInvalid(f"{file.name}: there are two tools {spec.name!r}; rename one of them")
        specs[spec.name] = spec
    return tuple(specs[name] for name in sorted(specs))


def read_tool(text: str, *, file: str, validator: Draft202012Validator) -> ToolSpec:
    """Return the tool that the text of one file describes; raise ConfigurationInvalid."""
    try:
        document = yaml.load(text, Loader=_Loader)  # noqa: S506 a SafeLoader with fewer types
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "unknown place"
        raise ConfigurationInvalid(f"{file}: {place}: no valid YAML, {error.problem}; mend the syntax there") from error
    if problem := best_match(validator.iter_errors(document)):
        raise ConfigurationInvalid(f"{file}: {problem.json_path}: {_short(problem)}; see {META} for what is allowed")
    return _spec(document)


def _tool_files(root: Traversable, folders: Sequence[str]) -> Iterator[Traversable]:
    for folder in folders:
        place = root / folder
        if place.is_dir():
            yield from sorted((f for f in place.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name)


def _short(problem: ValidationError) -> str:
    fix = problem.schema.get("x-fix") if isinstance(problem.schema, Mapping) else None
    message = problem.message if len(problem.message) <= 200 else f"breaks {problem.validator!r}"
    return f"{message}; {fix}" if fix else message


def _spec(document: Mapping[str, Any]) -> ToolSpec:
    direction = document.get("direction")
    return ToolSpec(
        name=document["name"],
        description=document["description"],
        arguments=tuple(_argument(a) for a in document.get("arguments", ())),
        risk=Risk(document["risk"]),
        direction=Direction(direction) if direction else None,
        cues={lang: tuple(tuple(g) for g in groups) for lang, groups in document.get("cues", {}).items()},
        binding=document["binding"],
        examples=tuple(document["examples"]),
        untrusted_result=document.get("untrusted_result", False),
        delayable=document.get("delayable", False),
    )


def _argument(document: Mapping[str, Any]) -> Argument:
    role = Role(document["role"])
    return Argument(
        name=document["name"],
        role=role,
        schema={**DEFAULT_SCHEMAS.get(role, {}), **document.get("schema", {})},
        required=document.get("required", False),
        description=document.get("description", ""),
        kinds=frozenset(document.get("kinds", ())),
    )
