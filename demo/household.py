"""The demo home's devices on the broker: they announce themselves, obey, and report what they are.

    python -m demo.household --broker HOST:PORT

Each keeps one JSON object on `home/<id>/state` and takes changes to it on `home/<id>/set`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from demo.device import Connection, arguments

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One thing of the home."""

    kind: str
    """Home Assistant's domain."""
    id: str
    name: str
    area: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    """How it is at first; empty for a thing that reports nothing."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What its announcement says beside name, place and topics."""

    @property
    def entity_id(self) -> str:
        """Return the id that it gets in Home Assistant."""
        return f"{self.kind}.{self.id}"

    @property
    def topic(self) -> str:
        """Return the topic below which it lives."""
        return f"home/{self.id}"


def light(name: str, area: str) -> Device:
    """Return a dimmable light that is off."""
    return Device(
        kind="light",
        id=name.lower().replace(" ", "_"),
        name=name,
        area=area,
        state={"state": "OFF", "brightness": 255},
        settings={"schema": "json", "brightness": True, "supported_color_modes": ["brightness"]},
    )


def sensor(name: str, area: str, device_class: str, unit: str, value: float) -> Device:
    """Return a sensor that always shows the same."""
    return Device(
        kind="sensor",
        id=name.lower().replace(" ", "_"),
        name=name,
        area=area,
        state={"value": value},
        settings={
            "device_class": device_class,
            "unit_of_measurement": unit,
            "state_class": "measurement",
            "value_template": "{{ value_json.value }}",
        },
    )


SWITCHED = {"state_topic": "~/state", "command_topic": "~/set", "value_template": "{{ value_json.state }}"}

DEVICES = (
    light("Kitchen Light", "Kitchen"),
    light("Ceiling Lamp", "Living Room"),
    light("Floor Lamp", "Living Room"),
    light("Bedside Lamp", "Bedroom"),
    Device(kind="switch", id="coffee_machine", name="Coffee Machine", area="Kitchen", state={"state": "OFF"}),
    Device(
        kind="cover",
        id="garage_door",
        name="Garage Door",
        state={"state": "closed"},
        settings={"device_class": "garage", "payload_open": "open", "payload_close": "closed", "payload_stop": None},
    ),
    Device(
        kind="lock",
        id="front_door",
        name="Front Door",
        state={"state": "LOCKED"},
        settings={"payload_lock": "LOCKED", "payload_unlock": "UNLOCKED"},
    ),
    Device(
        kind="climate",
        id="thermostat",
        name="Thermostat",
        area="Living Room",
        state={"mode": "heat", "temperature": 20.5, "current": 21.3},
        settings={
            "modes": ["off", "heat"],
            "mode_state_topic": "~/state",
            "mode_state_template": "{{ value_json.mode }}",
            "mode_command_topic": "~/set",
            "mode_command_template": '{"mode": "{{ value }}"}',
            "temperature_state_topic": "~/state",
            "temperature_state_template": "{{ value_json.temperature }}",
            "temperature_command_topic": "~/set",
            "temperature_command_template": '{"temperature": {{ value }}}',
            "current_temperature_topic": "~/state",
            "current_temperature_template": "{{ value_json.current }}",
            "min_temp": 7,
            "max_temp": 30,
            "temp_step": 0.5,
        },
    ),
    sensor("Outdoor Temperature", "", "temperature", "°C", 4.5),
    sensor("Bedroom Humidity", "Bedroom", "humidity", "%", 47),
    Device(kind="notify", id="phone", name="Phone"),
)


def announcement(device: Device) -> Json:
    """Return what tells Home Assistant of a device."""
    told: Json = {
        "~": device.topic,
        "name": None,
        "unique_id": f"demo_{device.id}",
        "default_entity_id": device.entity_id,
        "device": {"identifiers": [f"demo_{device.id}"], "name": device.name},
    }
    if device.area:
        told["device"]["suggested_area"] = device.area
    match device.kind:
        case "light":
            told |= {"state_topic": "~/state", "command_topic": "~/set"}
        case "switch":
            told |= SWITCHED | {"payload_on": "ON", "payload_off": "OFF"}
        case "cover" | "lock":
            told |= SWITCHED
        case "sensor":
            told |= {"state_topic": "~/state"}
        case "notify":
            told |= {"command_topic": "~/set"}
    return told | dict(device.settings)


def changed(state: Json, payload: bytes) -> Json:
    """Return a device's state after a command: a JSON object of changes, or the bare new state."""
    try:
        change = json.loads(payload)
    except ValueError:
        change = payload.decode()
    return state | (change if isinstance(change, dict) else {"state": change})


def first_messages() -> Iterator[tuple[str, Json]]:
    """Yield every device's announcement and state, as topic and payload."""
    for device in DEVICES:
        if device.state:
            yield f"{device.topic}/state", dict(device.state)
        yield f"homeassistant/{device.kind}/demo_{device.id}/config", announcement(device)


class Household:
    """Every device's state."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self._states = {device.topic: dict(device.state) for device in DEVICES if device.state}

    def greet(self) -> None:
        """Announce everything after connecting."""
        if self.connection is not None:
            for topic, payload in first_messages():
                self.connection.tell(topic, json.dumps(payload))

    def receive(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001  paho's order
        """Obey, and report."""
        thing = topic.removesuffix("/set")
        if thing in self._states and not retained and self.connection is not None:
            self._states[thing] = changed(self._states[thing], payload)
            self.connection.tell(f"{thing}/state", json.dumps(self._states[thing]))


def main() -> None:
    """Run the devices until they are told to end."""
    household = Household()
    will = ("home/connected", "no")
    household.connection = Connection(
        arguments("the demo home's devices").parse_args(), will=will, topics=("home/+/set",)
    )
    household.connection.run(household.receive, household.greet, lambda: None)


if __name__ == "__main__":
    main()
