"""A simulated charge point that behaves as evcc does on MQTT.

States under `evcc/loadpoints/1/...` are retained; a value published to `<state>/set` takes effect, an unchanged one
is not told again, and the set topic is emptied, retained, once the value was handled, well or badly.
"""

import time
from collections.abc import Callable

from demo.device import Connection, arguments

_MODES = ("off", "now", "minpv", "pv")


class Wallbox:
    """One charge point and its site."""

    def __init__(self, root: str, *, refuse: bool, slow_s: float, silent: bool) -> None:
        self.root = root
        self.states = {
            "title": "Carport",
            "mode": "off",
            "connected": "true",
            "charging": "false",
            "chargePower": "0",
            "chargedEnergy": "0",
            "chargeDuration": "0",
            "vehicleSoc": "68",
            "limitSoc": "80",
            "maxCurrent": "16",
        }
        self._refuse = refuse
        self._slow_s = slow_s
        self._silent = silent
        self._due: list[tuple[float, Callable[[], None]]] = []
        self._ticked = 0.0
        self.connection: Connection | None = None

    def greet(self) -> None:
        """Tell everything after connecting."""
        self._publish("status", "online")
        for name, value in self.states.items():
            self._publish(f"loadpoints/1/{name}", value)

    def receive(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001  paho's order
        """Handle a set request after its time; evcc's own emptying of the topic comes back and means nothing."""
        if not payload or retained:
            return
        name, text = topic.split("/")[-2], payload.decode(errors="replace")
        self._due.append((time.monotonic() + self._slow_s, lambda: self._set(name, text, topic)))

    def tick(self) -> None:
        """Do what is due, and tick once a second."""
        now = time.monotonic()
        due = [act for when, act in self._due if when <= now]
        self._due = [(when, act) for when, act in self._due if when > now]
        for act in due:
            act()
        if now - self._ticked >= 1:
            self._ticked = now
            self._publish("updated", str(int(time.time())))
            self._publish("loadpoints/1/connected", self.states["connected"])

    def _set(self, name: str, text: str, topic: str) -> None:
        if not self._refuse and self._valid(name, text) and self.states[name] != text:
            self.states[name] = text
            self._told(name)
            if name == "mode":
                fast = text == "now" and self.states["connected"] == "true"
                self.states |= {"charging": str(fast).lower(), "chargePower": "11000" if fast else "0"}
                self._told("charging")
                self._told("chargePower")
        if not self._silent and self.connection is not None:
            self.connection.tell(topic, "")

    def _valid(self, name: str, text: str) -> bool:
        match name:
            case "mode":
                return text in _MODES
            case "limitSoc":
                return text.isdecimal() and int(text) <= 100
            case "maxCurrent":
                return text.isdecimal() and 6 <= int(text) <= 32
            case _:
                return False

    def _told(self, name: str) -> None:
        if not self._silent:
            self._publish(f"loadpoints/1/{name}", self.states[name])

    def _publish(self, name: str, value: str) -> None:
        if self.connection is not None:
            self.connection.tell(f"{self.root}/{name}", value)


def main() -> None:
    """Run the wallbox until it is told to end."""
    parser = arguments("a simulated charge point as evcc shows it")
    parser.add_argument("--root", default="evcc")
    options = parser.parse_args()
    box = Wallbox(options.root, refuse=options.refuse, slow_s=options.slow, silent=options.silent)
    box.connection = Connection(
        options, will=(f"{box.root}/status", "offline"), topics=(f"{box.root}/loadpoints/+/+/set",)
    )
    box.connection.run(box.receive, box.greet, box.tick)


if __name__ == "__main__":
    main()
