"""Kill the model's process again and again in mid-sentence, and see that every later turn works.

python -m botpsy_core.evaluate.kills --model GGUF [--count 100]
"""

import argparse
import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.errors import EngineFailed

PROMPT = Prompt(prefix="You turn lights on and off. " * 12, tail="Turn the kitchen light on.\n")
CALL = Grammar(lark='start: "turn_" ("on" | "off") "(" /[a-z]{1,12}/ ")"')
ENDLESS = Grammar(lark="start: /[a-z ]{4000}/")
LATEST_S = 0.6
"""A kill falls somewhere in the first part of a generation: while the prompt is read, or while text comes."""


async def kill_in_a_row(engine: LocalEngine, count: int, *, seed: int = 1) -> list[float]:
    """Kill the worker so often during a generation and return the seconds of the turn after each kill.

    Raise AssertionError where a killed turn does not fail, or a later one does not work.
    """
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    taken = []
    await _works(engine)
    for number in range(count):
        failed = await _killed(engine, dice.uniform(0, LATEST_S))
        assert failed, f"kill {number + 1}: the generation did not notice"
        started = time.monotonic()
        await _works(engine)
        taken.append(time.monotonic() - started)
    return taken


async def _killed(engine: LocalEngine, after_s: float) -> bool:
    """Kill the worker in the middle of a generation; return True if the generation failed for it."""

    async def kill() -> None:
        await asyncio.sleep(after_s)
        if engine.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(engine.pid, signal.SIGKILL)

    killing = asyncio.create_task(kill())
    try:
        async with aclosing(engine.generate(PROMPT, ENDLESS, Limits(max_tokens=3000, timeout_s=120))) as pieces:
            async for _ in pieces:
                pass
    except EngineFailed:
        return True
    finally:
        await killing
    return False


async def _works(engine: LocalEngine) -> None:
    items = [item async for item in engine.generate(PROMPT, CALL, Limits(max_tokens=40))]
    text = "".join(item.text for item in items if isinstance(item, Piece))
    assert isinstance(items[-1], Finished)
    assert text.startswith("turn_o"), text


async def _run(model: Path, count: int) -> list[float]:
    engine = LocalEngine(EngineSettings(model=model, context_tokens=4096))
    try:
        return await kill_in_a_row(engine, count)
    finally:
        await engine.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it and print what a turn after a kill takes."""
    parser = argparse.ArgumentParser(prog="botpsy kills", description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args(arguments)
    taken = sorted(asyncio.run(_run(options.model, options.count)))
    middle, worst = taken[len(taken) // 2], taken[-1]
    sys.stdout.write(
        f"{len(taken)} kills, {len(taken)} later turns; after a kill {middle:.1f} s, {worst:.1f} s at most\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
