"""How a bound device looks to the rest of the house: tools and entities."""

from collections.abc import Mapping

from botpsy_core.bridge.device import Device
from botpsy_core.bridge.freshness import Inbox, Presence, Reading
from botpsy_core.bridge.profile import Command
from botpsy_core.bridge.signals import Shown, Signal
from botpsy_core.bridge.yaml_file import as_mapping
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Argument, Direction, Role, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue


def spec_of(device: Device, command: Command) -> ToolSpec:
    """Return the tool of one command; every word in it is the profile's or the owner's, none the broker's."""
    required = command.args.get("required", ())
    assert isinstance(required, (list, tuple))
    properties = as_mapping(command.args["properties"])
    return ToolSpec(
        name=f"{device.slug}_{command.name}",
        description=device.said(command.description),
        arguments=tuple(_argument(name, as_mapping(schema), name in required) for name, schema in properties.items()),
        risk=command.risk,
        direction=Direction(command.polarity) if command.polarity != "none" else None,
        target=target_of(device, command),
        cues=command.cues,
        binding={"kind": "bridge", "device": device.slug, "command": command.name},
        examples=tuple(device.said(e) for e in command.examples),
    )


def target_of(device: Device, command: Command) -> str:
    """Return the id of the thing that a command acts on: the device, or a part of it that has a name of its own."""
    return device.entity_id if command.about is None else device.signal_entity_id(device.signals[command.about])


def entities_of(device: Device, inbox: Inbox) -> tuple[Entity, ...]:
    """Return the device and those of its signals that may be spoken of."""
    shown = [s for s in device.signals.values() if s.shown is not Shown.HIDDEN]
    readings = {s.name: inbox.reading(device, s.name) for s in shown}
    presence = inbox.presence(device)
    whole = Entity(
        id=device.entity_id,
        name=device.name,
        aliases=device.aliases,
        device_class=device.profile.device_class,
        area_id=device.area_id,
        state=None if presence is Presence.UNSEEN else presence,
        attributes={
            "parts": {
                s.title: {"state": said_state(s, readings[s.name]), "unit": s.unit}
                for s in shown
                if not s.private and s.shown is Shown.VALUE
            }
        },
    )
    return (whole, *(_signal_entity(device, s, readings[s.name]) for s in shown))


def said_state(signal: Signal, reading: Reading) -> str | None:
    """Return a signal's value in the words of its profile, or None where it is unknown."""
    value = reading.value
    if value is None:
        return None
    word = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return signal.words.get(word, {"true": "on", "false": "off"}.get(word, word) if isinstance(value, bool) else word)


def _signal_entity(device: Device, signal: Signal, reading: Reading) -> Entity:
    age = reading.age_s
    attributes: dict[str, JsonValue] = {"live": reading.live, "age_s": None if age is None else round(age)}
    if signal.shown is Shown.QUOTED_UNTRUSTED:
        attributes["untrusted"] = True
    return Entity(
        id=device.signal_entity_id(signal),
        name=_name(device.name, signal),
        aliases=tuple(_name(alias, signal) for alias in device.aliases),
        device_class=None if signal.words else signal.device_class,
        area_id=device.area_id,
        state=said_state(signal, reading),
        unit=signal.unit,
        attributes=attributes,
    )


def _name(device: str, signal: Signal) -> str:
    """Return what a signal is called; one that is called as its device is told apart from it."""
    return f"{device} state" if signal.title.lower() in device.lower() else f"{device} {signal.title}"


def _argument(name: str, schema: Mapping[str, JsonValue], required: bool) -> Argument:  # noqa: FBT001  private
    description = schema.get("description", "")
    plain: JsonObject = {k: v for k, v in schema.items() if k != "description"}
    role = Role.OPTION if "enum" in schema else Role.TIME if "format" in schema else Role.NUMBER
    return Argument(
        name=name,
        role=role,
        schema=plain,
        required=required,
        description=description if isinstance(description, str) else "",
    )
