"""`botpsy bench`: measure, print the table, write figures and a plot."""

import argparse
import asyncio
import json
import os
import platform
import sys
import time
from importlib import metadata
from pathlib import Path

from botpsy_core.evaluate.bench.plot import plot
from botpsy_core.evaluate.bench.rows import BARS, ROUNDS, Row, table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the bench takes."""
    parser.add_argument("--model", type=Path, required=True, help="a GGUF file")
    parser.add_argument("--json", type=Path, help="write every figure with its bar and raw values")
    parser.add_argument("--plot", type=Path, help="write a picture (SVG)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="dialogues for each size (default %(default)s)")
    parser.add_argument("--only", nargs="*", metavar="KEY", choices=tuple(BARS), help="measure these figures alone")


def run(options: argparse.Namespace) -> int:
    """Measure, writing what is known after each figure; return 0 if every figure holds."""
    return asyncio.run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    from botpsy_core.evaluate.bench.measure import Bench  # noqa: PLC0415 - an HTTP client, for the rivals alone

    started = time.monotonic()
    rows: list[Row] = []
    bench = Bench(options.model, rounds=options.rounds, say=_say)
    async for row in bench.rows(options.only or ()):
        rows.append(row)
        _say(f"{row.key}: {'-' if row.value is None else f'{row.value:.3f}'}, {'holds' if row.holds else 'NOT held'}")
        if options.json:
            minutes = round((time.monotonic() - started) / 60, 1)
            report = {"model": options.model.name, "machine": _machine(), **_versions(), "minutes": minutes}
            report |= {each.key: each.as_json() for each in rows}
            options.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if options.plot:
            options.plot.write_text(plot(rows), encoding="utf-8")
    sys.stdout.write(f"{table(rows)}\n{(time.monotonic() - started) / 60:.1f} minutes\n")
    return 0 if all(row.holds for row in rows) else 1


def _machine() -> str:
    return f"{platform.machine()}, {os.process_cpu_count()} processors"


def _versions() -> dict[str, str]:
    return {name: metadata.version(name) for name in ("botpsy-core", "llama-cpp-python", "llguidance")}


def _say(text: str) -> None:
    sys.stderr.write(f"bench: {text}\n")
    sys.stderr.flush()
