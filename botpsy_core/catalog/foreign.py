"""Read other people's tools (OpenAI functions, MCP, Home Assistant's LLM tools) as ToolSpecs.

What an argument is follows from its schema; nothing is known by name. A name that says nothing gives way to what the
description calls the argument.
"""

import re
from collections.abc import Mapping, Sequence

from botpsy_core.catalog.adopt import adopted, kinds_of, way_of_yes, ways_of
from botpsy_core.catalog.called import argument_names, tool_title
from botpsy_core.catalog.options import told_default, with_options
from botpsy_core.catalog.pointing import Point, points_of, values_of
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import RESERVED_NAMES, TOLD_DEFAULT, Argument, Risk, Role, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue, mapping_of, texts_of
from botpsy_core.errors import ConfigurationInvalid

FOREIGN = "foreign"
"""The binding kind of these tools."""
LONGEST = 300
"""Characters of a description that the model gets to read."""
SHAPED = re.compile(r"\bformat|such as ['\"(]|e\.g\.|['\"][^'\"]+['\"]|\bcode\b|\bISO\b|YYYY|HH:MM", re.IGNORECASE)
"""A description that asks for a certain shape, which the words of an utterance need not have."""
FORMS: Mapping[str, str] = {"date": "%Y-%m-%d", "time": "%H:%M:%S", "date-time": "%Y-%m-%dT%H:%M:%S"}
"""JSON Schema's formats of times, as strftime writes them."""
SHAPE = re.compile(r"\b(?:YYYY|MM|DD|HH)(?:(?:[-/:. ]|T)(?:YYYY|MM|DD|HH|mm|SS|ss))+\b")
"""A shape that a description spells out: `YYYY-MM-DD`, `HH:MM`."""
PARTS = (("YYYY", "%Y"), ("HH:MM", "%H:%M"), ("HH:mm", "%H:%M"), ("DD", "%d"), ("MM", "%m"), ("SS", "%S"), ("ss", "%S"))
TARGET_SCHEMA: JsonObject = {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}


def foreign_tool(definition: JsonObject, *, read_only: bool = False, destructive: bool = True) -> ToolSpec:
    """Return the spec of a foreign tool; unsafe unless declared safe; raise ConfigurationInvalid.

    `definition` is an OpenAI tool, its `function`, or an MCP tool (`inputSchema`, `annotations`). Arguments that point
    at things of the home become one target; `foreign_args` turns a call's targets, and what arguments are called here,
    back into them.
    """
    function = mapping_of(definition.get("function")) or definition
    name = function.get("name")
    if not isinstance(name, str) or not name or name in RESERVED_NAMES:
        raise ConfigurationInvalid(f"a foreign tool is called {name!r}; give it a name that is not reserved")
    parameters = mapping_of(function.get("parameters")) or mapping_of(function.get("inputSchema"))
    given = {key: mapping_of(value) for key, value in mapping_of(parameters.get("properties")).items()}
    called = argument_names(given)
    properties = {called[key]: schema for key, schema in given.items()}
    description = " ".join(str(function.get("description") or "").split())
    title = tool_title(name, description)
    words = " ".join(_name_words(title or name))
    text = f"{words}. {description}"
    points = points_of(properties)
    kinds = _kinds(text, properties, points)
    home = len(points) >= 2 or (tuple(points) == (Point.NAME,) and len(kinds) == 1)
    slots = frozenset(points.values()) if home else frozenset()
    needed = frozenset(called.get(key, key) for key in texts_of(parameters.get("required")))
    arguments = [_target(kinds)] if home else []
    arguments += [_argument(k, v, required=k in needed) for k, v in properties.items() if k not in slots]
    hints = mapping_of(function.get("annotations"))
    reads = read_only or hints.get("readOnlyHint") is True
    mild = not destructive or hints.get("destructiveHint") is False
    spec = ToolSpec(
        name=name,
        title=title,
        description=(description or name.replace("_", " "))[:LONGEST],
        arguments=tuple(arguments),
        risk=Risk.READ if reads else Risk.COST if mild else Risk.HAZARD,
        direction=None if reads else next(iter(ways_of(words)), None),
        binding={
            "kind": FOREIGN,
            "slots": {point.value: key for point, key in points.items()} if home else {},
            "keys": {name: key for key, name in called.items() if name != key},
        },
        untrusted_result=True,
    )
    return adopted(spec, text) if home else spec


def _kinds(text: str, properties: Mapping[str, JsonObject], points: Mapping[Point, str]) -> frozenset[str]:
    domains, classes = (
        sorted(values_of(properties[points[point]])) if point in points else []
        for point in (Point.DOMAIN, Point.DEVICE_CLASS)
    )
    return kinds_of(text, domains, classes)


def only_schema(tool: ToolSpec) -> bool:
    """Return True for a tool that we did not write and that has nothing to do with the home."""
    return tool.binding.get("kind") == FOREIGN and not tool.arguments_of(Role.TARGET)


def foreign_args(spec: ToolSpec, args: JsonObject, home: Home) -> tuple[JsonObject, ...]:
    """Return the arguments of each call that the foreign tool wants, by its own names: one for each thing meant."""
    keys = mapping_of(spec.binding.get("keys"))
    return tuple({str(keys.get(key, key)): value for key, value in call.items()} for call in _calls(spec, args, home))


def _calls(spec: ToolSpec, args: JsonObject, home: Home) -> tuple[JsonObject, ...]:
    slots = mapping_of(spec.binding.get("slots"))
    if not slots:
        return (dict(args),)
    rest = {key: value for key, value in args.items() if key != "target"}
    calls: list[JsonObject] = []
    for entity_id in texts_of(args.get("target")):
        entity = home.entity(entity_id)
        if entity is None:
            continue
        twins = sum(e.name == entity.name for e in home.entities) > 1
        area = home.area(entity.area_id) if twins or "name" not in slots else None
        point: dict[str, JsonValue] = {"name": entity.name, "domain": [entity.domain]}
        if area is not None:
            point["area"] = area.name
        calls.append({**{str(slots[key]): value for key, value in point.items() if key in slots}, **rest})
    return tuple(calls) or (rest,)


def _target(kinds: frozenset[str]) -> Argument:
    schema = {**TARGET_SCHEMA, "x-implied": True} if kinds else TARGET_SCHEMA
    return Argument(name="target", role=Role.TARGET, schema=schema, required=True, kinds=kinds)


def _argument(name: str, given: JsonObject, *, required: bool) -> Argument:
    schema = _plain(given)
    description = " ".join(str(schema.get("description") or "").split())
    schema = with_options(schema, description)
    form = _time_form(schema, description)
    kept = {key: value for key, value in schema.items() if key != "description"}
    default = None if "default" in kept else told_default(schema, description)
    kept |= {} if default is None else {TOLD_DEFAULT: default}
    return Argument(
        name=name,
        role=Role.TIME if form else _role(schema, description),
        schema={**kept, "x-form": form} if form else kept,
        required=required,
        description=description[:LONGEST],
        way=way_of_yes(name, description) if schema.get("type") == "boolean" else None,
    )


def _time_form(schema: JsonObject, description: str) -> str:
    """Return how a text argument wants a time written, for strftime; empty where it wants none."""
    if schema.get("type") != "string" or "enum" in schema:
        return ""
    if spelled := SHAPE.search(description):
        form = spelled[0]
        for part, code in PARTS:
            form = form.replace(part, code)
        return form
    return FORMS.get(str(schema.get("format")), "")


def _plain(schema: JsonObject) -> JsonObject:
    """Return the branch of a choice of schemas that has named options, where there is one."""
    branches = schema.get("anyOf")
    listed = branches if isinstance(branches, Sequence) and not isinstance(branches, str) else ()
    return next((mapping_of(b) for b in listed if "enum" in mapping_of(b)), schema)


def _role(schema: JsonObject, description: str) -> Role:
    kind = schema.get("type")
    if kind == "string" and "enum" in schema:
        return Role.OPTION
    if kind in {"number", "integer"} and "enum" not in schema:
        return Role.NUMBER
    if kind == "string" and not SHAPED.search(description):
        return Role.TEXT
    return Role.FREE


def _name_words(name: str) -> list[str]:
    return [w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
