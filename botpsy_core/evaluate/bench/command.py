"""`botpsy bench`: measure, print the table, write figures and a plot."""

import argparse
import asyncio
import json
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from botpsy_core.evaluate.bench.measure import Bench
from botpsy_core.evaluate.bench.plot import plot
from botpsy_core.evaluate.bench.rows import Row, table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the bench takes."""
    parser.add_argument("--model", type=Path, required=True, help="a GGUF file")
    parser.add_argument("--json", type=Path, help="write every figure with its bar and raw values")
    parser.add_argument("--plot", type=Path, help="write a picture (SVG)")
    parser.add_argument("--only", nargs="*", metavar="KEY", help="measure these figures alone")


def run(options: argparse.Namespace) -> int:
    """Measure; return 0 if every figure holds."""
    started = time.monotonic()
    rows = asyncio.run(_measure(options.model, options.only or ()))
    sys.stdout.write(f"{table(rows)}\n{(time.monotonic() - started) / 60:.1f} minutes\n")
    if options.json:
        report = {
            "model": options.model.name,
            "machine": f"{platform.machine()} {platform.processor()}".strip(),
            "minutes": round((time.monotonic() - started) / 60, 1),
            **{row.key: row.as_json() for row in rows},
        }
        options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.plot:
        options.plot.write_text(plot(rows), encoding="utf-8")
    return 0 if all(row.holds for row in rows) else 1


async def _measure(model: Path, only: Sequence[str]) -> list[Row]:
    bench = Bench(model, say=lambda text: sys.stderr.write(f"bench: {text}\n"))
    return [row async for row in bench.rows(only)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench from the command line."""
    parser = argparse.ArgumentParser(prog="botpsy bench", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
