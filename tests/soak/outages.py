"""Outages at every step of a command; afterwards each outcome is held against what the cars really heard and did."""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from botpsy_core.bridge import ProfileToolbox, Transport
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall
from tests.core.bridge.brokers import Mosquitto
from tests.core.bridge.cuttable import Cable
from tests.core.bridge.lots_of_cars import Cars
from tests.soak.connections import cars, connected, listening

FLEET = 25
DEADLINE_S = 4.0


@dataclass(frozen=True)
class Run:
    """One command as it ended, and what its car heard of it."""

    car: str
    outcome: Outcome
    said_at: float
    arrivals: tuple[float, ...]
    state_is_on: bool
    refusing: bool

    def fault(self) -> str | None:
        """Return what is wrong with this run, or None."""
        arrived, late = len(self.arrivals), any(at > self.said_at for at in self.arrivals)
        faults = {
            "arrived after an outcome that was not unknown": late and self.outcome is not Outcome.UNCONFIRMED,
            "arrived twice": arrived > 1,
            "not sent, and arrived": self.outcome is Outcome.NOT_SENT and arrived > 0,
            "done, and it was not": self.outcome is Outcome.DONE and not (arrived and self.state_is_on),
            "accepted, and never heard": self.outcome is Outcome.ACCEPTED and not arrived,
            "refused, and the car did not": self.outcome is Outcome.REFUSED_BY_DEVICE
            and not (arrived and self.refusing),
            "an outcome that cannot be": self.outcome in (Outcome.FAILED, Outcome.ALREADY_SO),
        }
        return next((name for name, wrong in faults.items() if wrong), None)


async def measure(
    kind: str, folder: Path, *, runs: int, lengths: tuple[float, ...], seed: int
) -> tuple[list[Run], int]:
    """Return the runs, and how many of them an outage caught between check and end."""
    rng = random.Random(seed)
    broker = Mosquitto(folder)
    cable = Cable(broker.port)
    names = [f"car{i}" for i in range(FLEET)]
    fleet = Cars(broker.port, names)
    done: list[Run] = []
    try:
        async with connected(kind, cable.port) as transport, listening(cars(names), transport) as toolbox:
            batch = 0
            while len(done) < runs:
                length_s = lengths[batch % len(lengths)]
                done += await _batch(toolbox, transport, cable, fleet, rng, length_s, frozen=batch % 2 == 1)
                batch += 1
    finally:
        cable.close()
        fleet.close()
        broker.stop()
    return done


async def _batch(
    toolbox: ProfileToolbox,
    transport: Transport,
    cable: Cable,
    fleet: Cars,
    rng: random.Random,
    length_s: float,
    *,
    frozen: bool,
) -> list[Run]:
    """Let every car get one command around one outage."""
    await _settled(toolbox, transport, fleet)
    fleet.heard.clear()
    fleet.refusing = {n for n in fleet.states if rng.random() < 0.1}
    fleet.silent = {n for n in fleet.states if rng.random() < 0.1}
    fleet.takes_s = 0.15
    loop = asyncio.get_running_loop()
    loop.call_later(0.5, lambda: cable.outage(length_s, frozen=frozen))
    # the command is at another step in each car when the cable breaks half a second from now
    starts = {name: rng.uniform(0.0, 0.75) for name in fleet.states}
    ended = await asyncio.gather(*(_command(toolbox, name, wait) for name, wait in starts.items()))
    await asyncio.sleep(length_s)
    await _up_again(transport)
    await asyncio.sleep(2.5)
    return [
        Run(
            car=name,
            outcome=outcome,
            said_at=said_at,
            arrivals=tuple(at for at, who, line in fleet.heard if who == name and line == "climatecontrol on"),
            state_is_on=fleet.states[name]["v.e.hvac"] == "yes",
            refusing=name in fleet.refusing,
        )
        for name, (outcome, said_at) in zip(starts, ended, strict=True)
    ]


async def _command(toolbox: ProfileToolbox, car: str, wait_s: float) -> tuple[Outcome, float]:
    await asyncio.sleep(wait_s)
    context = TurnContext(conversation_id="soak", origin=Origin.MQTT, now=datetime.now(UTC), deadline_s=DEADLINE_S)
    result = await toolbox.execute(ToolCall(id="1", name=f"{car}_start_climate"), context)
    return result.outcome, time.monotonic()


async def _settled(toolbox: ProfileToolbox, transport: Transport, fleet: Cars) -> None:
    """Put every car back to its beginning, seen live by us, its limits rested."""
    await _up_again(transport)
    fleet.silent.clear()
    fleet.refusing.clear()
    toolbox._courier._ledger._sent.clear()  # a run is not to be turned away for the run before
    toolbox._courier._refresher._fruitless_until.clear()
    for _ in range(100):
        for name in fleet.states:
            fleet.reset(name)
        await asyncio.sleep(0.2)
        if all(
            toolbox.reading(n, "climate").live and toolbox.reading(n, "climate").value is False for n in fleet.states
        ):
            return
    raise AssertionError("the fleet did not settle")


async def _up_again(transport: Transport) -> None:
    for _ in range(1200):
        if transport.connected:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("no connection again")


def summary(runs: list[Run]) -> str:
    """Return one line of figures."""
    faults = Counter(f for r in runs if (f := r.fault()))
    outcomes = Counter(str(r.outcome) for r in runs)
    late = sum(1 for r in runs if any(at > r.said_at for at in r.arrivals))
    told = ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))
    return f"{len(runs)} runs: {told}; {late} arrived after `unconfirmed` was said; faults: {dict(faults) or 'none'}"
