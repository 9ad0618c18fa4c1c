"""A simulated electric car that behaves as an OVMS v3 module does on MQTT.

States under `<prefix>/metric/...` are retained; a line published to `<prefix>/client/<id>/command/<command id>` is
answered on `<prefix>/client/<id>/response/<command id>`; `<prefix>/client/<id>/request/metric` has them told anew.
The charge flap (`xcar flap open|close`, `<prefix>/metric/xcar/v/flap`) is a vendor's addition that OVMS itself lacks.
"""

import fnmatch
import time
from collections.abc import Callable, Mapping

from demo.device import Connection, arguments

_START: Mapping[str, str] = {
    "v.b.soc": "68",
    "v.b.range.est": "241",
    "v.b.12v.voltage": "12.6",
    "v.c.charging": "no",
    "v.c.state": "stopped",
    "v.c.limit.soc": "80",
    "v.c.climit": "16",
    "v.d.fl": "no",
    "v.d.fr": "no",
    "v.d.trunk": "no",
    "v.d.cp": "no",
    "v.e.locked": "no",
    "v.e.on": "no",
    "v.e.hvac": "no",
    "v.e.cabintemp": "9.5",
    "v.p.speed": "0",
    "v.p.odometer": "18342",
    "v.p.location": "Home",
    "xcar.v.flap": "no",
}


class Car:
    """The car's state and its shell."""

    def __init__(self, prefix: str, pin: str, *, refuse: bool, slow_s: float, silent: bool) -> None:
        self.prefix = prefix
        self.metrics = dict(_START)
        self._pin = pin
        self._refuse = refuse
        self._slow_s = slow_s
        self._silent = silent
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._ticked = 0.0
        self.connection: Connection | None = None

    def greet(self) -> None:
        """Tell everything after connecting."""
        self._tell("s.v3.connected", "yes")
        for name, value in self.metrics.items():
            self._tell(name, value)
        self._ticked = 0.0

    def receive(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001  paho's order
        """Answer a read request at once, a command after its time."""
        if retained:
            return
        text = payload.decode(errors="replace")
        if topic.endswith("/request/metric"):
            for name in [n for n in self.metrics if any(fnmatch.fnmatch(n, p) for p in text.split(","))]:
                self._tell(name, self.metrics[name])
            if "m.time.utc" in text:
                self._tell("m.time.utc", str(int(time.time())))
        elif "/command/" in topic:
            response = topic.replace("/command/", "/response/")
            self._due.append((time.monotonic() + self._slow_s, lambda: self._obey(text, response)))

    def tick(self) -> None:
        """Do what is due; a clock tick every ten seconds."""
        now = time.monotonic()
        due = [act for when, act in self._due if when <= now]
        self._due = [(when, act) for when, act in self._due if when > now]
        for act in due:
            act()
        if now - self._ticked >= 10:
            self._ticked = now
            self._tell("m.time.utc", str(int(time.time())))

    def _obey(self, line: str, response: str) -> None:
        """Run one shell line."""
        said, changes = self._effect(line)
        if self._refuse and changes:
            said, changes = "Error: vehicle did not respond", {}
        if not self._silent and self.connection is not None:
            self.connection.answer(response, said)
        for name, value in changes.items():
            self.metrics[name] = value
            if not self._silent:
                self._tell(name, value)

    def _effect(self, line: str) -> tuple[str, Mapping[str, str]]:
        """Return what the module says, and what changes."""
        answer: tuple[str, Mapping[str, str]] = "Unrecognised command", {}
        match line.split():
            case ["lock" | "unlock", pin] if pin != self._pin:
                answer = "Error: wrong PIN", {}
            case ["lock" | "unlock" as how, _]:
                answer = f"Vehicle {how}ed", {"v.e.locked": "yes" if how == "lock" else "no"}
            case ["climatecontrol", "on" | "off" as how]:
                answer = f"Climate Control {how}", {"v.e.hvac": "yes" if how == "on" else "no"}
            case ["charge", "start"]:
                plugged = self.metrics["v.d.cp"] == "yes"
                changes = {"v.c.charging": "yes", "v.c.state": "charging"}
                answer = ("Charge has been started", changes) if plugged else ("Error: not plugged in", {})
            case ["charge", "stop"]:
                answer = "Charge has been stopped", {"v.c.charging": "no", "v.c.state": "stopped"}
            case ["charge", "current", amperes] if amperes.isdecimal():
                answer = f"Charge current limit set to {amperes}A", {"v.c.climit": amperes}
            case ["xcar", "flap", "open" | "close" as how]:
                answer = f"Charge flap {how}", {"xcar.v.flap": "yes" if how == "open" else "no"}
        return answer

    def _tell(self, name: str, value: str) -> None:
        if self.connection is not None:
            self.connection.tell(f"{self.prefix}/metric/{name.replace('.', '/')}", value)


def main() -> None:
    """Run the car until it is told to end."""
    parser = arguments("a simulated car with an OVMS v3 module")
    parser.add_argument("--prefix", default="ovms/demo/car")
    parser.add_argument("--pin", default="4321", help="the vehicle's own PIN, a word in lock and unlock")
    options = parser.parse_args()
    car = Car(options.prefix, options.pin, refuse=options.refuse, slow_s=options.slow, silent=options.silent)
    car.connection = Connection(
        options,
        will=(f"{car.prefix}/metric/s/v3/connected", "no"),
        topics=(f"{car.prefix}/client/+/command/+", f"{car.prefix}/client/+/request/metric"),
    )
    car.connection.run(car.receive, car.greet, car.tick)


if __name__ == "__main__":
    main()
