"""Turn a tool's binding and a call's arguments into the actions to take; pure, for any host."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from botpsy_core.domain.cues import UNSPACED
from botpsy_core.domain.tools import Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue, mapping_of
from botpsy_core.errors import BadArguments

COMMAS = r"\s*[,;\uff0c\u3001\uff1b]\s*"
"""Commas and semicolons, Chinese ones too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action of the host."""

    domain: str
    action: str
    data: JsonObject = field(default_factory=dict)
    entities: tuple[str, ...] = ()
    """What it acts on; empty where the tool has no target."""
    response: bool = False
    """True if the action returns what was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    args: JsonObject
    now: datetime
    language: str
    attributes: JsonObject = field(default_factory=dict)


class _Absent:
    """The mark of a value that is not there; None is a value."""


_ABSENT = _Absent()
type _Result = JsonValue | _Absent


def actions_of(
    spec: ToolSpec,
    call: ToolCall,
    *,
    now: datetime,
    attributes: Mapping[str, JsonObject] | None = None,
    language: str = "en",
) -> tuple[Action, ...]:
    """Return the actions that carry the call out, one for each domain of its targets; none while a target lacks.

    `language` tells the word for "and" between the parts of a text that is split. `attributes` are the targets' state
    attributes by entity id, for values that start from the present one; raise BadArguments where one is missing.
    """
    binding = spec.binding
    entities = spec.targets_of(call)
    scope = _Scope(args=call.args, now=now, language=language)
    if not entities:
        binding = mapping_of(binding.get("untargeted")) or binding
    response = bool(binding.get("response"))
    groups: dict[tuple[str, str], list[str]] = {}
    for entity in entities:
        groups.setdefault(_action_name(binding, entity.partition(".")[0]), []).append(entity)
    if not entities and not any(each.required for each in spec.arguments_of(Role.TARGET)):
        groups[_action_name(binding, "")] = []
    made: list[Action] = []
    for (domain, action), ids in groups.items():
        base = Action(domain=domain, action=action, response=response)
        made += _filled(base, ids, mapping_of(binding.get("data")), scope, attributes or {})
    return tuple(made)


def needed_attributes(spec: ToolSpec) -> frozenset[str]:
    """Return the names of the target attributes that this tool's actions start from."""
    return frozenset(_attribute_names(mapping_of(spec.binding.get("data"))))


def _filled(
    base: Action, ids: list[str], data: JsonObject, scope: _Scope, attributes: Mapping[str, JsonObject]
) -> list[Action]:
    if not any(_attribute_names(data)):
        return [replace(base, data=each, entities=tuple(ids)) for each in _each(_data(data, scope), data)]
    each = []
    for entity in ids:
        own = replace(scope, attributes=attributes.get(entity, {}))
        try:
            each.append(replace(base, data=_data(data, own), entities=(entity,)))
        except KeyError as error:
            raise BadArguments(
                entity, f"its {error.args[0]} is not known, so that it cannot be changed by a step"
            ) from error
    return each


def _action_name(binding: JsonObject, domain: str) -> tuple[str, str]:
    special = mapping_of(binding.get("actions")).get(domain)
    name = str(special or binding["action"]).replace("{domain}", domain)
    service_domain, _, action = name.partition(".")
    return service_domain, action


def _attribute_names(expression: JsonValue) -> list[str]:
    match expression:
        case Mapping():
            own = [str(expression["attribute"])] if "attribute" in expression else []
            return own + [name for value in expression.values() for name in _attribute_names(value)]
        case list():
            return [name for value in expression for name in _attribute_names(value)]
        case _:
            return []


def _data(data: JsonObject, scope: _Scope) -> dict[str, JsonValue]:
    evaluated = {key: _evaluate(expression, scope) for key, expression in data.items()}
    return {key: value for key, value in evaluated.items() if not isinstance(value, _Absent)}


def _each(filled: dict[str, JsonValue], data: JsonObject) -> list[dict[str, JsonValue]]:
    """Return the data once for each part of a value that is split: three items of a list are three actions."""
    for key, expression in data.items():
        value = filled.get(key)
        if isinstance(expression, Mapping) and "split" in expression and isinstance(value, list):
            return [{**filled, key: part} for part in value]
    return [filled]


def parts_between(text: str, between: JsonValue, language: str) -> list[str]:
    """Return the parts of a text between commas and the language's words for "and"."""
    listed = mapping_of(between).get(language)
    words = [str(w) for w in listed] if isinstance(listed, list) else []
    marks = [COMMAS, *(w if UNSPACED.search(w) else rf"\s+{re.escape(w)}\s+" for w in words)]
    parts = [part.strip() for part in re.split("|".join(marks), text, flags=re.IGNORECASE)]
    return [part for part in parts if part]


def _evaluate(expression: JsonValue, scope: _Scope) -> _Result:
    match expression:
        case "@now":
            return scope.now.isoformat()
        case str() if expression.startswith("$"):
            return scope.args.get(expression[1:], _ABSENT)
        case list():
            values = [_evaluate(item, scope) for item in expression]
            return [value for value in values if not isinstance(value, _Absent)]
        case Mapping():
            return _computed(expression, scope)
        case _:
            return expression


def _computed(expression: JsonObject, scope: _Scope) -> _Result:
    if "attribute" in expression:
        name = str(expression["attribute"])
        value: _Result = scope.attributes.get(name)
        if value is None:
            raise KeyError(name)
    else:
        value = _evaluate(expression["value"], scope)
    if not isinstance(value, _Absent) and "form" in expression:
        value = _formed(str(value), str(expression["form"]), scope.now)
    if isinstance(value, _Absent):
        return _evaluate(expression["else"], scope) if "else" in expression else _ABSENT
    if "split" in expression:
        return [*parts_between(str(value), expression["split"], scope.language)]
    table = expression.get("map")
    if isinstance(table, Mapping):
        return table.get(str(value))
    for key, sign in (("plus", 1), ("minus", -1)):
        step = _evaluate(expression[key], scope) if key in expression else _ABSENT
        if isinstance(step, (int, float)):
            value = _shifted(value, sign * step)
    return _bounded(value, expression)


def _bounded(value: JsonValue, expression: JsonObject) -> JsonValue:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    number: float = value
    scale, low, high = (expression.get(key) for key in ("scale", "minimum", "maximum"))
    if isinstance(scale, (int, float)):
        number *= scale
    if isinstance(low, (int, float)):
        number = max(number, low)
    if isinstance(high, (int, float)):
        number = min(number, high)
    rounded = round(number, 6)
    return int(rounded) if isinstance(value, int) and rounded == int(rounded) else rounded


def _shifted(value: JsonValue, step: float) -> JsonValue:
    if isinstance(value, (int, float)):
        return value + step
    text = str(value)
    if _is_date(text):
        return (date.fromisoformat(text) + timedelta(seconds=step)).isoformat()
    return (datetime.fromisoformat(text) + timedelta(seconds=step)).isoformat()


def _formed(text: str, form: str, now: datetime) -> _Result:
    bare = _is_date(text)
    match form:
        case "date":
            return text if bare else _ABSENT
        case "date_time":
            return _ABSENT if bare else text
        case "moment":
            return _midnight(date.fromisoformat(text), now) if bare else text
        case _:
            day = date.fromisoformat(text) if bare else datetime.fromisoformat(text).date()
            return _midnight(day + timedelta(days=1), now)


def _midnight(day: date, now: datetime) -> str:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo).isoformat()


def _is_date(text: str) -> bool:
    return len(text) == len("2026-12-24")
