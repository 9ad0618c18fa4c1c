"""The short keys and the plain templates of Home Assistant's MQTT discovery."""

import re
from collections.abc import Mapping
from typing import Any

_LONG = {
    "avty": "availability",
    "avty_t": "availability_topic",
    "avty_tpl": "availability_template",
    "cmd_t": "command_topic",
    "dev": "device",
    "opt": "optimistic",
    "pl_avail": "payload_available",
    "pl_not_avail": "payload_not_available",
    "pl_lock": "payload_lock",
    "pl_unlk": "payload_unlock",
    "pl_off": "payload_off",
    "pl_on": "payload_on",
    "stat_jam": "state_jammed",
    "stat_locked": "state_locked",
    "stat_off": "state_off",
    "stat_on": "state_on",
    "stat_t": "state_topic",
    "stat_unlocked": "state_unlocked",
    "stat_val_tpl": "value_template",
    "state_value_template": "value_template",
    "t": "topic",
    "val_tpl": "value_template",
}
_PLAIN = re.compile(r"\{\{\s*value_json((?:\.[A-Za-z0-9_-]+|\[['\"][A-Za-z0-9_-]+['\"]\])+)\s*\}\}")
_STEP = re.compile(r"\.([A-Za-z0-9_-]+)|\[['\"]([A-Za-z0-9_-]+)['\"]\]")


def expanded(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an announcement with long keys and with `~` put in."""
    base = config.get("~")
    whole = {_LONG.get(key, key): value for key, value in config.items() if key != "~"}
    if not isinstance(base, str):
        return whole
    return {key: _based(value, base) if key.endswith("topic") else value for key, value in whole.items()}


def path_of(template: object) -> str | None:
    """Return the JSON path that a plain template reads, `$` where there is none, None for one that computes."""
    if template is None:
        return "$"
    if not isinstance(template, str):
        return None
    if template.strip() in ("{{ value }}", "{{value}}"):
        return "$"
    found = _PLAIN.fullmatch(template.strip())
    if found is None:
        return None
    return "$" + "".join(f".{dotted or quoted}" for dotted, quoted in _STEP.findall(found[1]))


def _based(value: Any, base: str) -> Any:
    if not isinstance(value, str):
        return value
    if value.startswith("~"):
        return base + value[1:]
    return value[:-1] + base if value.endswith("~") else value
