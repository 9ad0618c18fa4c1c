"""`python -m tests.soak [PART] [--runs N] [--quick]`: measure what docs/reliability.md promises of MQTT."""

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.core.bridge.brokers import ROOT
from tests.soak import loads, outages
from tests.soak.connections import HASS, OWN

LENGTHS = (1.0, 5.0, 30.0)


async def _outages(options: argparse.Namespace, folder: Path) -> bool:
    good = True
    for kind in (OWN, HASS):
        lengths = (1.0,) if options.quick else LENGTHS
        runs = await outages.measure(kind, folder, runs=options.runs, lengths=lengths, seed=options.seed)
        print(f"outages, {kind}: {outages.summary(runs)}", flush=True)
        good = good and not any(run.fault() for run in runs)
    return good


async def _latency(options: argparse.Namespace, folder: Path) -> bool:
    good = True
    for nodelay in (False, True):
        for kind in (OWN, HASS):
            found = await loads.latency(kind, folder, runs=50 if options.quick else 1000, nodelay=nodelay)
            ratio = found["acknowledged"][0] / found["raw"][0]
            told = ", ".join(f"{name} {m * 1e3:.2f} ms (p99 {p99 * 1e3:.2f})" for name, (m, p99) in found.items())
            broker = "set_tcp_nodelay true" if nodelay else "as installed"
            print(f"latency, {kind}, broker {broker}: {told}; acknowledged over raw {ratio:.2f} x", flush=True)
            good = good and (nodelay or ratio <= MAX_LATENCY_RATIO)
    return good


async def _flood(options: argparse.Namespace, folder: Path) -> bool:
    found = await loads.flood(folder, rate=1000, seconds=10 if options.quick else 60)
    print(f"flood: {_figures(found)}", flush=True)
    return found["lag_p99_ms"] < MAX_FLOOD_LAG_MS and found["memory_growth_mb"] < MAX_FLOOD_GROWTH_MB


async def _fleet(options: argparse.Namespace, folder: Path) -> bool:
    good = True
    for kind in (OWN, HASS):
        seconds, rounds = (6, 1) if options.quick else (20, 3)
        found = await loads.fleet_lag(kind, folder, rate=5000, seconds=seconds, rounds=rounds)
        print(f"fleet, {kind}: {_figures(found)}", flush=True)
        good = good and found["ratio"] <= MAX_FLEET_RATIO
    return good


def _figures(found: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in found.items())


MAX_LATENCY_RATIO = 2.0
MAX_FLOOD_LAG_MS = 50.0
MAX_FLOOD_GROWTH_MB = 5.0
MAX_FLEET_RATIO = 1.2


async def _fuzz(options: argparse.Namespace, _folder: Path) -> bool:
    from fuzzing import fuzz

    count = 10_000 if options.quick else 100_000
    understood = await fuzz(count, seed=options.seed)
    print(
        f"fuzz: {count} payloads, {understood} read as values, none wrong, nothing raised, nothing published",
        flush=True,
    )
    return True


PARTS = {"fuzz": _fuzz, "outages": _outages, "latency": _latency, "flood": _flood, "fleet": _fleet}


async def _main(options: argparse.Namespace) -> bool:
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, part in PARTS.items():
            if options.part in (name, "all"):
                good = await part(options, Path(folder)) and good
    return good


def main() -> int:
    """Run the parts asked for; non-zero if one does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="all", choices=[*PARTS, "all"])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    sys.path.insert(0, str(ROOT / "tests/core/bridge"))
    return 0 if asyncio.run(_main(options)) else 1


if __name__ == "__main__":
    sys.exit(main())
