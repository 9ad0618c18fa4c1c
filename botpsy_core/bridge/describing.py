"""Devices that describe themselves: an announcement becomes a proposal, and nothing more until the owner accepts it.

A proposal names a shipped profile and values for its variables. What the device calls itself is untrusted text: it may
be shown to the owner, quoted, and never reaches a tool's name or description. The owner's own name does.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from botpsy_core.bridge.device import DeviceSettings, bind
from botpsy_core.bridge.discovery_words import expanded, path_of
from botpsy_core.bridge.parse import decoded
from botpsy_core.bridge.profile_file import shipped_profiles
from botpsy_core.bridge.transport import Message
from botpsy_core.bridge.untrusted import quoted
from botpsy_core.errors import ConfigurationInvalid

_MOST = 64
"""Proposals out of one announcement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Something that the owner may add as a device."""

    profile: str
    variables: Mapping[str, str]
    announced_name: str
    """Untrusted, stripped and capped; for the owner's eyes only."""
    topic: str
    """Where it was announced."""


def proposals(
    message: Message, *, discovery_prefix: str = "homeassistant", homie_root: str = "homie/5"
) -> tuple[Proposal, ...]:
    """Return what an announcement offers; anything odd offers nothing. Never raises."""
    topic = message.topic
    try:
        if topic.startswith(f"{discovery_prefix}/") and topic.endswith("/config"):
            found = _discovered(message, discovery_prefix)
        elif topic.startswith(f"{homie_root}/") and topic.endswith("/$description"):
            found = _homie(message, homie_root)
        elif topic.endswith("/bridge/devices"):
            found = _zigbee2mqtt(message)
        else:
            found = []
    except ValueError, KeyError, TypeError, AttributeError, RecursionError:
        return ()
    return tuple(p for p in found[:_MOST] if _usable(p))


def announcement_filters(
    *, discovery_prefix: str = "homeassistant", homie_root: str = "homie/5", zigbee_base: str = "zigbee2mqtt"
) -> tuple[str, ...]:
    """Return what to subscribe to while the owner looks for devices."""
    return (
        f"{discovery_prefix}/+/+/config",
        f"{discovery_prefix}/+/+/+/config",
        f"{homie_root}/+/$description",
        f"{zigbee_base}/bridge/devices",
    )


def _usable(proposal: Proposal) -> bool:
    """Hold a proposal against its profile, so that an accepted one always works."""
    profile = shipped_profiles()[proposal.profile]
    settings = DeviceSettings(profile=profile.id, slug="proposal", name="proposal", variables=proposal.variables)
    try:
        bind(profile, settings)
    except ConfigurationInvalid:
        return False
    return True


def _json(message: Message) -> Any:
    text = decoded(message.payload)
    return json.loads(text) if text is not None else None


def _discovered(message: Message, prefix: str) -> list[Proposal]:
    """Read Home Assistant's discovery, of one component or of a device with several."""
    config = _json(message)
    kind = message.topic.removeprefix(f"{prefix}/").split("/")[0]
    if kind == "device":
        parts = config.get("components", config.get("cmps"))
        whole = {k: v for k, v in config.items() if k not in ("components", "cmps")}
        return [
            proposal
            for part in list(parts.values())[:_MOST]
            for proposal in _component(str(part.get("platform", part.get("p"))), {**whole, **part}, message.topic)
        ]
    return _component(kind, config, message.topic)


def _component(kind: str, config: Mapping[str, Any], topic: str) -> list[Proposal]:
    """Offer a switch, a plain light or a lock that tells its state."""
    config = expanded(config)
    path = path_of(config.get("value_template"))
    if (
        kind not in ("switch", "light", "lock")
        or path is None
        or config.get("optimistic")
        or config.get("schema", "basic") != "basic"
    ):
        return []
    common = {
        "command_topic": config["command_topic"],
        "state_topic": config["state_topic"],
        "state_path": path,
        **_availability(config),
    }
    words = (
        ("payload_lock", "payload_unlock", "state_locked", "state_unlocked", "state_jammed")
        if kind == "lock"
        else ("payload_on", "payload_off", "state_on", "state_off")
    )
    own = {word: config[word] for word in words if word in config}
    if kind != "lock":  # a state that has no words of its own has those of the command
        own |= {f"state_{w}": config.get(f"state_{w}", config.get(f"payload_{w}", w.upper())) for w in ("on", "off")}
    named = config.get("name") or (config.get("device") or {}).get("name") or ""
    profile = "ha_discovery_lock" if kind == "lock" else "ha_discovery_switch"
    variables = {key: _word(value) for key, value in (common | own).items()}
    return [Proposal(profile=profile, variables=variables, announced_name=quoted(str(named)), topic=topic)]


def _word(value: object) -> str:
    """Return a word as Home Assistant would read it; raise ValueError for what could be read in two ways."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ValueError(f"{value!r} is no word")


def _availability(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return one availability topic; without any, the state itself has to show that the device is there."""
    listed = config.get("availability")
    first = expanded(listed[0]) if isinstance(listed, Sequence) and not isinstance(listed, str) and listed else config
    topic = first.get("topic", first.get("availability_topic"))
    if topic is None:
        return {"availability_topic": config["state_topic"]}
    if first.get("value_template") or first.get("availability_template"):
        raise ValueError("an availability template cannot be read")
    return {
        "availability_topic": topic,
        "available": first.get("payload_available", "online"),
        "unavailable": first.get("payload_not_available", "offline"),
    }


def _homie(message: Message, root: str) -> list[Proposal]:
    """Offer each settable boolean of a Homie 5 device."""
    device = message.topic.removeprefix(f"{root}/").split("/")[0]
    description = _json(message)
    return [
        Proposal(
            profile="homie5_switch",
            variables={"root": root, "device": device, "node": node_id, "property": property_id},
            announced_name=quoted(f"{description.get('name', device)} {found.get('name', property_id)}"),
            topic=message.topic,
        )
        for node_id, node in description["nodes"].items()
        for property_id, found in node["properties"].items()
        if found.get("datatype") == "boolean" and found.get("settable") is True and found.get("retained", True)
    ]


def _zigbee2mqtt(message: Message) -> list[Proposal]:
    """Offer each lock, and each cover that tells its position."""
    base = message.topic.removesuffix("/bridge/devices")
    found = []
    for device in _json(message):
        kinds = {
            e.get("type") for e in ((device.get("definition") or {}).get("exposes") or ()) if isinstance(e, Mapping)
        }
        profile = "zigbee2mqtt_lock" if "lock" in kinds else "zigbee2mqtt_garage" if "cover" in kinds else None
        name = device.get("friendly_name")
        if profile is not None and isinstance(name, str):
            variables = {"base": base, "device": name}
            found.append(
                Proposal(profile=profile, variables=variables, announced_name=quoted(name), topic=message.topic)
            )
    return found
