"""Kill the model's process again and again in mid-sentence, and see that every later turn works.

python -m botpsy_core.evaluate.kills --model GGUF [--count 100]
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.errors import EngineFailed

PROMPT = Prompt(prefix="You turn lights on and off. " * 12, tail="Turn the kitchen light on.\n")
CALL = Grammar(lark='start: "turn_" ("on" | "off") "(" /[a-z]{1,12}/ ")"')
ENDLESS = Grammar(lark="start: /[a-z ]{4000}/")
LATEST_S = 0.6
"""A kill falls somewhere in the first part of a generation: while the prompt is read, or while text comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """What kills in a row did."""

    after_s: tuple[float, ...]
    """Seconds of the turn after each kill, starting the process included."""
    noticed: int
    """Kills that cost the turn they fell in; the others came before the worker had begun, and another one took over."""


async def kill_in_a_row(engine: LocalEngine, count: int, *, seed: int = 1, say: Callable[[str], object] = str) -> Kills:
    """Kill the worker so often during a generation; raise where a later turn does not work."""
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    taken: list[float] = []
    noticed = 0
    await _works(engine)
    for number in range(count):
        noticed += await _killed(engine, dice.uniform(0, LATEST_S))
        started = time.monotonic()
        await _works(engine)
        taken.append(time.monotonic() - started)
        say(f"kill {number + 1}: the next turn took {taken[-1]:.1f} s")
    return Kills(after_s=tuple(taken), noticed=noticed)


async def _killed(engine: LocalEngine, after_s: float) -> bool:
    """Kill the worker in the middle of a generation; return True if the generation failed for it."""
    victim = engine.pid
    assert victim is not None, "no worker runs"

    async def kill() -> None:
        await asyncio.sleep(after_s)
        os.kill(victim, signal.SIGKILL)

    killing = asyncio.create_task(kill())
    try:
        async with aclosing(engine.generate(PROMPT, ENDLESS, Limits(max_tokens=3000, timeout_s=120))) as pieces:
            async for _ in pieces:
                if engine.pid not in {victim, None}:
                    return False
    except EngineFailed:
        return True
    finally:
        await killing
    raise AssertionError("the generation ended as if nothing had happened")


async def _works(engine: LocalEngine) -> None:
    items = [item async for item in engine.generate(PROMPT, CALL, Limits(max_tokens=40))]
    text = "".join(item.text for item in items if isinstance(item, Piece))
    assert isinstance(items[-1], Finished)
    assert text.startswith("turn_o"), text


async def _run(model: Path, count: int) -> Kills:
    with tempfile.TemporaryDirectory() as folder:
        engine = LocalEngine(EngineSettings(model=model, state_dir=Path(folder)))
        try:
            return await kill_in_a_row(engine, count, say=lambda text: sys.stderr.write(f"{text}\n"))
        finally:
            await engine.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it and print what a turn after a kill takes."""
    parser = argparse.ArgumentParser(prog="python -m botpsy_core.evaluate.kills", description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args(arguments)
    kills = asyncio.run(_run(options.model, options.count))
    taken = sorted(kills.after_s)
    middle, worst = taken[len(taken) // 2], taken[-1]
    sys.stdout.write(
        f"{len(taken)} kills, {kills.noticed} turns lost in which they fell, {len(taken)} of {len(taken)} later turns "
        f"worked; after a kill {middle:.1f} s, {worst:.1f} s at most\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
