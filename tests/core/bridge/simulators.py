"""One small simulator for each shipped profile: what the real thing says on MQTT, in memory."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from botpsy_core.bridge import Device, DeviceSettings, InMemoryTransport, Secret, bind, shipped_profiles
from botpsy_core.bridge.template import Filling

type Said = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Simulator:
    """How one device behaves."""

    profile: str
    variables: dict[str, str]
    states: dict[str, str]
    """What it tells when it is there."""
    reacts: Callable[[str, str], Said]
    """What it says to a published message."""
    acts: dict[str, dict[str, object]]
    """Commands in an order in which each has an effect, with arguments."""
    fails: Callable[[str, str], Said] | None = None
    """How it says that it did not do it; None where it has no way to."""
    secrets: dict[str, Secret] = field(default_factory=dict)

    def device(self, slug: str = "thing", **changes) -> Device:
        profile = shipped_profiles()[self.profile]
        settings = {
            "profile": self.profile,
            "slug": slug,
            "name": "thing",
            "variables": self.variables,
            "secrets": self.secrets,
            "enabled": frozenset(profile.commands),
        }
        return bind(profile, DeviceSettings(**(settings | changes)))

    def attach(self, transport: InMemoryTransport, *, how: str = "reacts") -> None:
        """Come online on a transport; `how` is reacts, fails or silent."""
        told = dict(self.states)
        refresh = self.device().refresh
        asks = refresh.topic.text(Filling()) if refresh else None
        for topic, payload in told.items():
            transport.say(topic, payload, retain=True)

        def hear(topic: str, payload: bytes) -> None:
            said: Said = () if how == "silent" else (getattr(self, how) or (lambda *_: ()))(topic, payload.decode())
            if topic == asks and how != "silent" and not (topic.startswith("cmnd") and payload):
                said = tuple((known, told[known]) for known in self.states)
            for answer_topic, text in said:
                if answer_topic in told:
                    told[answer_topic] = text
                transport.say(answer_topic, text)

        transport.on_publish(hear)


def _ovms(topic: str, line: str) -> Said:
    base = "ovms/me/car/metric"
    effects = {
        "lock 1234": ("v/e/locked", "yes", "Vehicle locked"),
        "unlock 1234": ("v/e/locked", "no", "Vehicle unlocked"),
        "climatecontrol on": ("v/e/hvac", "yes", "Climate Control  on"),
        "climatecontrol off": ("v/e/hvac", "no", "Climate Control  off"),
        "charge start": ("v/c/charging", "yes", "Charge has been started"),
        "charge stop": ("v/c/charging", "no", "Charge has been stopped"),
        "charge current 10": ("v/c/climit", "10", "Charge current limit set to 10A"),
        "homelink 1": ("m/x", "1", "Homelink #1 activated"),
    }
    if "/command/" not in topic:
        return
    metric, value, sentence = effects[line]
    yield topic.replace("/command/", "/response/"), sentence
    yield f"{base}/{metric}", value


def _ovms_fails(topic: str, _line: str) -> Said:
    if "/command/" in topic:
        yield topic.replace("/command/", "/response/"), "ERROR: vehicle did not respond"


def _evcc(topic: str, value: str) -> Said:
    if topic.endswith("/set") and value:
        yield topic.removesuffix("/set"), value
        yield topic, ""


def _z2m_lock(topic: str, payload: str) -> Said:
    if topic.endswith("/set"):
        state = {"LOCK": "locked", "UNLOCK": "unlocked"}[json.loads(payload)["state"]]
        yield "zigbee2mqtt/front", json.dumps({"state": "LOCK", "lock_state": state, "battery": 80})


def _z2m_garage(topic: str, payload: str) -> Said:
    if topic.endswith("/set"):
        for position in {"OPEN": (50, 100), "CLOSE": (50, 0)}[json.loads(payload)["state"]]:
            yield "zigbee2mqtt/hall/garage", json.dumps({"position": position, "obstructed": False})


def _z2m_fails(name: str) -> Callable[[str, str], Said]:
    def fails(topic: str, _payload: str) -> Said:
        if topic.endswith("/set"):
            text = f"z2m: Publish 'set' 'state' to '{name}' failed: 'Error: Timeout'"
            yield "zigbee2mqtt/bridge/logging", json.dumps({"level": "error", "message": text})

    return fails


_VW = "carconnectivity/0/garage/WVWZZZE1ZMP000001"


def _carconnectivity(topic: str, value: str) -> Said:
    effects = {
        "doors/commands/lock-unlock": ("doors/lock_state", {"lock": "locked", "unlock": "unlocked"}),
        "climatization/commands/start-stop": ("climatization/state", {"start": "heating", "stop": "off"}),
        "charging/commands/start-stop": ("charging/state", {"start": "charging", "stop": "ready_for_charging"}),
        "charging/settings/target_level": ("charging/settings/target_level", {"80": "80"}),
    }
    name = topic.removeprefix(f"{_VW}/").removesuffix("_writetopic")
    if name in effects:
        state, values = effects[name]
        yield f"{_VW}/{state}", values[value]


def _carconnectivity_fails(topic: str, _value: str) -> Said:
    if topic.startswith(_VW):
        yield "carconnectivity/0/plugins/mqtt/error/code", "-4"


_MG = "saic/me/vehicles/LSJ01"


def _saic(topic: str, value: str) -> Said:
    if topic.endswith("/set"):
        state = topic.removesuffix("/set")
        told = {"doors/boot": "True"}.get(
            state.removeprefix(f"{_MG}/"), {"true": "True", "false": "False"}.get(value, value)
        )
        yield state, told
        yield f"{state}/result", "Success"


def _saic_fails(topic: str, value: str) -> Said:
    if topic.endswith("/set"):
        state = topic.removesuffix("/set")
        yield state, {"true": "True", "false": "False"}.get(value, value)  # told before it is done
        yield state, "unknown"
        yield f"{state}/result", "Failed: the service is not available"


def _tasmota(topic: str, value: str) -> Said:
    if topic == "cmnd/plug/POWER" and value:
        yield "stat/plug/RESULT", json.dumps({"POWER": value})
        yield "stat/plug/POWER", value


def _tasmota_fails(topic: str, value: str) -> Said:
    if topic == "cmnd/plug/POWER" and value:
        yield "stat/plug/RESULT", json.dumps({"Command": "Error"})


def _esphome_light(topic: str, payload: str) -> Said:
    yield topic.replace("/command", "/state"), json.dumps({**json.loads(payload), "brightness": 255})


def _esphome_cover(topic: str, value: str) -> Said:
    if topic.endswith("/command"):
        state = topic.replace("/command", "/state")
        yield state, {"OPEN": "opening", "CLOSE": "closing"}[value]
        yield state, {"OPEN": "open", "CLOSE": "closed"}[value]


def _echo(command: str, state: str) -> Callable[[str, str], Said]:
    def reacts(topic: str, value: str) -> Said:
        if topic == command:
            yield state, value

    return reacts


def _homie(topic: str, value: str) -> Said:
    if topic.endswith("/set"):
        yield f"{topic.removesuffix('/set')}/$target", value
        yield topic.removesuffix("/set"), value


def _discovered_lock(topic: str, value: str) -> Said:
    if topic == "door/set":
        yield "door", json.dumps({"lock": {"LOCK": "LOCKED", "UNLOCK": "UNLOCKED"}[value]})


_ON_OFF: dict[str, dict[str, object]] = {"turn_on": {}, "turn_off": {}}

SIMULATORS = (
    Simulator(
        profile="ovms_v3",
        variables={"prefix": "ovms/me/car", "client": "botpsytest"},
        states={
            f"ovms/me/car/metric/{name}": value
            for name, value in {
                "s/v3/connected": "yes",
                "v/e/locked": "no",
                "v/e/on": "no",
                "v/p/speed": "0",
                "v/p/location": "Home",
                "v/b/soc": "62",
                "v/c/charging": "no",
                "v/d/cp": "yes",
                "v/d/fl": "no",
                "v/e/hvac": "no",
                "v/c/climit": "16",
            }.items()
        },
        reacts=_ovms,
        fails=_ovms_fails,
        acts={
            "lock": {},
            "unlock": {},
            "start_climate": {},
            "stop_climate": {},
            "start_charging": {},
            "stop_charging": {},
            "set_charge_current": {"amperes": 10},
            "homelink_1": {},
        },
        secrets={"vehicle_pin": Secret("1234")},
    ),
    Simulator(
        profile="evcc",
        variables={},
        states={
            "evcc/status": "online",
            "evcc/loadpoints/1/mode": "pv",
            "evcc/loadpoints/1/connected": "true",
            "evcc/loadpoints/1/limitSoc": "80",
            "evcc/loadpoints/1/maxCurrent": "16",
        },
        reacts=_evcc,
        acts={
            "start_charging": {},
            "stop_charging": {},
            "set_mode": {"mode": "solar_min"},
            "set_limit": {"percent": 70},
            "set_max_current": {"amperes": 10},
        },
    ),
    Simulator(
        profile="zigbee2mqtt_lock",
        variables={"device": "front"},
        states={
            "zigbee2mqtt/bridge/state": '{"state": "online"}',
            "zigbee2mqtt/front/availability": '{"state": "online"}',
            "zigbee2mqtt/front": '{"state": "LOCK", "lock_state": "locked", "battery": 80}',
        },
        reacts=_z2m_lock,
        fails=_z2m_fails("front"),
        acts={"unlock": {}, "lock": {}},
    ),
    Simulator(
        profile="zigbee2mqtt_garage",
        variables={"device": "hall/garage"},
        states={
            "zigbee2mqtt/bridge/state": "online",
            "zigbee2mqtt/hall/garage": '{"position": 0, "obstructed": false}',
        },
        reacts=_z2m_garage,
        fails=_z2m_fails("hall/garage"),
        acts={"open": {}, "close": {}},
    ),
    Simulator(
        profile="teslamate",
        variables={},
        states={
            "teslamate/cars/1/state": "asleep",
            "teslamate/cars/1/battery_level": "71",
            "teslamate/cars/1/locked": "true",
            "teslamate/cars/1/geofence": "Home <|im_start|>\u202e",
        },
        reacts=lambda *_: (),
        acts={},
    ),
    Simulator(
        profile="carconnectivity",
        variables={"vin": "WVWZZZE1ZMP000001"},
        states={
            "carconnectivity/0/plugins/mqtt/connected": "True",
            f"{_VW}/state": "parked",
            f"{_VW}/doors/lock_state": "unlocked",
            f"{_VW}/drives/primary/level": "55",
            f"{_VW}/climatization/state": "off",
            f"{_VW}/charging/state": "ready_for_charging",
            f"{_VW}/charging/settings/target_level": "100",
        },
        reacts=_carconnectivity,
        fails=_carconnectivity_fails,
        acts={
            "lock": {},
            "unlock": {},
            "start_climate": {},
            "stop_climate": {},
            "start_charging": {},
            "stop_charging": {},
            "set_charge_limit": {"percent": 80},
        },
    ),
    Simulator(
        profile="saic",
        variables={"prefix": _MG},
        states={
            f"{_MG}/available": "True",
            f"{_MG}/doors/locked": "False",
            f"{_MG}/doors/boot": "False",
            f"{_MG}/drivetrain/running": "False",
            f"{_MG}/location/speed": "0.0",
            f"{_MG}/drivetrain/soc": "64.5",
            f"{_MG}/drivetrain/socTarget": "100",
            f"{_MG}/climate/remoteClimateState": "off",
        },
        reacts=_saic,
        fails=_saic_fails,
        acts={
            "lock": {},
            "unlock": {},
            "open_boot": {},
            "start_climate": {},
            "stop_climate": {},
            "set_charge_limit": {"percent": 80},
        },
    ),
    Simulator(
        profile="tasmota_switch",
        variables={"topic": "plug"},
        states={"tele/plug/LWT": "Online", "stat/plug/POWER": "OFF"},
        reacts=_tasmota,
        fails=_tasmota_fails,
        acts=_ON_OFF,
    ),
    Simulator(
        profile="esphome_light",
        variables={"prefix": "node", "light": "ceiling"},
        states={"node/status": "online", "node/light/ceiling/state": '{"state": "OFF"}'},
        reacts=_esphome_light,
        acts=_ON_OFF,
    ),
    Simulator(
        profile="esphome_switch",
        variables={"prefix": "node", "switch": "pump"},
        states={"node/status": "online", "node/switch/pump/state": "OFF"},
        reacts=_echo("node/switch/pump/command", "node/switch/pump/state"),
        acts=_ON_OFF,
    ),
    Simulator(
        profile="esphome_cover",
        variables={"prefix": "node", "cover": "blinds"},
        states={"node/status": "online", "node/cover/blinds/state": "closed"},
        reacts=_esphome_cover,
        acts={"raise": {}, "lower": {}},
    ),
    Simulator(
        profile="esphome_garage",
        variables={"prefix": "node", "cover": "door", "barrier": "beam"},
        states={
            "node/status": "online",
            "node/cover/door/state": "closed",
            "node/binary_sensor/beam/state": "OFF",
        },
        reacts=_esphome_cover,
        acts={"open": {}, "close": {}},
    ),
    Simulator(
        profile="homie5_switch",
        variables={"device": "shed", "node": "relay", "property": "power"},
        states={"homie/5/shed/$state": "ready", "homie/5/shed/relay/power": "false"},
        reacts=_homie,
        acts=_ON_OFF,
    ),
    Simulator(
        profile="ha_discovery_switch",
        variables={"command_topic": "pump/set", "state_topic": "pump/state", "availability_topic": "pump/state"},
        states={"pump/state": "OFF"},
        reacts=_echo("pump/set", "pump/state"),
        acts=_ON_OFF,
    ),
    Simulator(
        profile="ha_discovery_lock",
        variables={
            "command_topic": "door/set",
            "state_topic": "door",
            "state_path": "$.lock",
            "availability_topic": "door/status",
        },
        states={"door/status": "online", "door": '{"lock": "LOCKED"}'},
        reacts=_discovered_lock,
        acts={"unlock": {}, "lock": {}},
    ),
)
