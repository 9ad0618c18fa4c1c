import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from botpsy_core.bridge import DeviceSettings, InMemoryTransport, ProfileToolbox, Secret, bind, shipped_profiles
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import ToolCall, ToolResult

PREFIX = "ovms/me/car"


class ShiftedClock:
    """Runs as the machine's clock does; `shift` moves it on."""

    def __init__(self) -> None:
        self._shift = 0.0
        self._start = datetime(2026, 11, 30, 12, tzinfo=UTC)
        self._zero = time.monotonic()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self.monotonic() - self._zero)

    def monotonic(self) -> float:
        return time.monotonic() + self._shift

    def shift(self, seconds: float) -> None:
        self._shift += seconds


class FrozenClock(ShiftedClock):
    """Stands still until it is shifted."""

    def monotonic(self) -> float:
        return self._zero + self._shift


@dataclass
class Car:
    """An OVMS module in memory: it answers read requests and the fixed command lines."""

    transport: InMemoryTransport
    metrics: dict[str, str] = field(
        default_factory=lambda: {
            "v/e/locked": "yes",
            "v/e/on": "no",
            "v/p/speed": "0",
            "v/b/soc": "62",
            "v/c/charging": "no",
            "v/d/cp": "no",
            "v/d/fl": "no",
            "v/e/hvac": "no",
            "v/c/climit": "16",
        }
    )
    silent: bool = False
    """Hears everything, does it, answers nothing and tells no state."""
    deaf: bool = False
    """Does nothing at all."""
    refuses: bool = False
    frozen: bool = False
    """Answers, and its state does not follow."""
    done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.transport.on_publish(self.hear)

    def tell(self, *names: str) -> None:
        for name in names or tuple(self.metrics):
            self.transport.say(f"{PREFIX}/metric/{name}", self.metrics[name], retain=True)

    def come_online(self) -> None:
        self.transport.say(f"{PREFIX}/metric/s/v3/connected", "yes", retain=True)
        self.tell()

    def hear(self, topic: str, payload: bytes) -> None:
        if self.deaf:
            return
        if topic.endswith("/request/metric"):
            if not self.silent:
                self.tell()
        elif "/command/" in topic:
            self.obey(topic.replace("/command/", "/response/"), payload.decode())

    def obey(self, response: str, line: str) -> None:
        effects = {
            "lock 1234": ("v/e/locked", "yes", "Vehicle locked"),
            "unlock 1234": ("v/e/locked", "no", "Vehicle unlocked"),
            "climatecontrol on": ("v/e/hvac", "yes", "Climate Control  on"),
            "climatecontrol off": ("v/e/hvac", "no", "Climate Control  off"),
            "charge current 10": ("v/c/climit", "10", "Charge current limit set to 10A"),
        }
        self.done.append(line)
        metric, value, sentence = effects[line]
        if self.refuses:
            self.transport.say(response, "Error: vehicle did not answer")
            return
        if not self.frozen:
            self.metrics[metric] = value
        if not self.silent:
            self.transport.say(response, sentence)
            self.tell(metric)


def car_device(**changes):
    settings = {
        "profile": "ovms_v3",
        "slug": "car",
        "name": "car",
        "variables": {"prefix": PREFIX, "client": "botpsytest"},
        "secrets": {"vehicle_pin": Secret("1234")},
        "enabled": frozenset({"unlock", "homelink_1"}),
    } | changes
    return bind(shipped_profiles()[settings["profile"]], DeviceSettings(**settings))


def context(deadline_s: float = 0.6, **changes) -> TurnContext:
    return TurnContext(
        conversation_id="c",
        origin=Origin.CHAT,
        now=datetime(2026, 11, 30, 12, tzinfo=UTC),
        deadline_s=deadline_s,
        **changes,
    )


async def run(toolbox: ProfileToolbox, name: str, deadline_s: float = 0.6, **args) -> ToolResult:
    return await toolbox.execute(ToolCall(id="1", name=name, args=args), context(deadline_s))
