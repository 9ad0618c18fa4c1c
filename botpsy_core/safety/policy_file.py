"""Read the policy from its default file and the owner's changes."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from botpsy_core.domain.context import Origin
from botpsy_core.domain.tools import Direction, Risk
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import AskKind
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.safety.policy import ClassRule, EntityRule, OriginRule, Policy, TargetRule, ToolRule, Topic

DEFAULT_FILE = "policy.default.yaml"


def load_policy(changes: JsonObject | None = None) -> Policy:
    """Return the default policy with the owner's changes over it; raise ConfigurationInvalid.

    Mappings are merged key by key, lists are replaced.
    """
    data = merged(_default(), changes or {})
    problem = next(iter(sorted(_validator().iter_errors(data), key=str)), None)
    if problem is not None:
        raise ConfigurationInvalid(f"{DEFAULT_FILE}: {problem.json_path}: {problem.message}")
    return _policy(data)


@cache
def _default() -> dict[str, Any]:
    text = files("tool_schemas").joinpath(DEFAULT_FILE).read_text("utf-8")
    data: dict[str, Any] = yaml.safe_load(text)
    return data


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(files("tool_schemas").joinpath("_policy.schema.json").read_text("utf-8")))


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return both, key by key, the second where both say something."""
    both = dict(base)
    for key, value in changes.items():
        old = both.get(key)
        both[key] = merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return both


def _policy(data: Mapping[str, Any]) -> Policy:
    confirmation, turn = data["confirmation"], data["turn"]
    return Policy(
        classes={Risk(n): ClassRule(**{**c, "confirm": _level(c["confirm"])}) for n, c in data["classes"].items()},
        targets=tuple(_target_rule(t) for t in data["targets"]),
        origins={
            Origin(name): OriginRule(max_risk=Risk(o["max_risk"]), above_asks=o["above"] == "ask")
            for name, o in data["origins"].items()
        },
        topics={name: _topic(t) for name, t in data["topics"].items()},
        lifted={tool: frozenset(topics) for tool, topics in data["lifted"].items()},
        entities={i: _entity_rule(e) for i, e in data["entities"].items()},
        tools={name: ToolRule(**_common(t)) for name, t in data["tools"].items()},
        expires_s=confirmation["expires_s"],
        tries=confirmation["tries"],
        lockout_s=confirmation["lockout_s"],
        spoken_pin=confirmation["spoken_pin"],
        max_risky=turn["max_risky"],
        max_calls=turn["max_calls"],
    )


def _topic(data: Mapping[str, Any]) -> Topic:
    return Topic(words={lang: tuple(words) for lang, words in data["words"].items()}, everywhere=data["everywhere"])


def _level(name: str | None) -> AskKind | None:
    return None if name is None else AskKind(name)


def _target_rule(data: Mapping[str, Any]) -> TargetRule:
    return TargetRule(
        why=data["why"],
        kinds=frozenset(data["kinds"]),
        directions=frozenset(Direction(d) for d in data["directions"]),
        words=frozenset(str(w).casefold() for w in data.get("words", ())),
        risk=Risk(data["risk"]),
        confirm=_level(data.get("confirm")),
        own_confirm="confirm" in data,
    )


def _common(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "enabled": data.get("enabled"),
        "risk": Risk(data["risk"]) if "risk" in data else None,
        "confirm": _level(data.get("confirm")),
        "own_confirm": "confirm" in data,
    }


def _entity_rule(data: Mapping[str, Any]) -> EntityRule:
    hours = data.get("hours")
    return EntityRule(
        **_common(data),
        hours=(hours[0], hours[1]) if hours else None,
        users=frozenset(data.get("users", ())),
        admins_only=data.get("admins_only", False),
    )
