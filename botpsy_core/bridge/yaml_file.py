"""YAML with line numbers, without surprises: `yes`, `no`, `on`, `off` stay words, a key stands once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.errors import ConfigurationInvalid

MAX_BYTES = 256 * 1024

type Place = tuple[str | int, ...]


class _Loader(yaml.SafeLoader):
    """SafeLoader with the booleans and dates of JSON, and without aliases, which can grow without bound."""

    def line_mark(self) -> yaml.Mark:
        """Return where the reader stands."""
        mark: yaml.Mark = self.get_mark()
        return mark

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse an alias, else compose as ever."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases (`*name`) are not allowed", problem_mark=self.line_mark())
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, regexp)
        for tag, regexp in resolvers
        if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _first, _word in (("t", "true"), ("f", "false")):
    _Loader.yaml_implicit_resolvers.setdefault(_first, []).append(("tag:yaml.org,2002:bool", re.compile(f"^{_word}$")))


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlFile:
    """A mapping and where each part of it stands."""

    name: str
    data: JsonObject
    lines: Mapping[Place, int]

    def line(self, place: Place) -> int:
        """Return the line of that place, or of the nearest thing around it."""
        for length in range(len(place), -1, -1):
            if (line := self.lines.get(place[:length])) is not None:
                return line
        return 1

    def fault(self, place: Place, problem: str, fix: str) -> ConfigurationInvalid:
        """Return the error that names file, line and fix."""
        where = ".".join(str(p) for p in place) or "the file"
        return ConfigurationInvalid(f"{self.name}, line {self.line(place)}: {where}: {problem}; {fix}")


def read_yaml(path: Path) -> YamlFile:
    """Read one file; raise ConfigurationInvalid."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigurationInvalid(f"{path.name}: larger than {MAX_BYTES} bytes; split it")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationInvalid(
            f"{path}: cannot be read: {error}; check that the file exists and is UTF-8"
        ) from error
    return parse_yaml(text, name=path.name)


def parse_yaml(text: str, *, name: str) -> YamlFile:
    """Read a text; raise ConfigurationInvalid."""
    lines: dict[Place, int] = {}
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if not isinstance(node, yaml.MappingNode):
                raise ConfigurationInvalid(f"{name}, line 1: the file is no mapping; write `key: value` lines")
            _walk(node, (), lines, name)
            data = loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigurationInvalid(
            f"{name}, line {line}: {error.problem or error.context}; mend the YAML there"
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationInvalid(f"{name}: no YAML: {str(error)[:200]}; mend the file") from error
    return YamlFile(name=name, data=data, lines=lines)


def _walk(node: yaml.Node, place: Place, lines: dict[Place, int], name: str) -> None:
    """Note the line of every key and item; refuse doubled keys, anchors with cycles and odd tags."""
    lines.setdefault(place, node.start_mark.line + 1)
    if len(place) > 24:
        raise ConfigurationInvalid(f"{name}, line {node.start_mark.line + 1}: nested too deeply; a profile never is")
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            word = str(key.value)
            if key.tag != "tag:yaml.org,2002:str":
                raise ConfigurationInvalid(
                    f"{name}, line {key.start_mark.line + 1}: the key {word!r} is no text; put it in quotes"
                )
            if word in seen:
                raise ConfigurationInvalid(
                    f"{name}, line {key.start_mark.line + 1}: {word!r} stands twice; keep one of them"
                )
            seen.add(word)
            lines[(*place, word)] = key.start_mark.line + 1
            _walk(value, (*place, word), lines, name)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(value, (*place, index), lines, name)


def as_mapping(value: JsonValue) -> JsonObject:
    """Return a value that a schema has shown to be an object."""
    assert isinstance(value, Mapping)
    return value
