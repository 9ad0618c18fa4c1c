"""`python -m tests.soak [PART] [--runs N] [--quick]`: measure what docs/reliability.md promises of MQTT."""

import argparse
import asyncio
import logging
import sys
import tempfile
from pathlib import Path

from tests.soak import outages
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


PARTS = {"outages": _outages}


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
    return 0 if asyncio.run(_main(options)) else 1


if __name__ == "__main__":
    sys.exit(main())
