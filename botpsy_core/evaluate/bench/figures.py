"""How the figures follow from what was measured."""

import statistics
import time

from botpsy_core.domain.values import JsonValue
from botpsy_core.evaluate.bench.dialogue import Cost
from botpsy_core.evaluate.bench.homes import COMMANDS
from botpsy_core.evaluate.bench.rows import Row, percentile

ALLOWED_BESIDE = 64
"""Fresh tokens that a command may cost beside its own words."""


def fresh(dialogues: dict[int, list[list[Cost]]]) -> Row:
    """Return how much is read for a command."""
    by_size: dict[int, float] = {}
    raw: dict[str, JsonValue] = {}
    for size, rounds in dialogues.items():
        shares = [cost.evaluated / (cost.words + ALLOWED_BESIDE) for costs in rounds for cost in costs]
        by_size[size] = percentile(shares, 0.95)
        raw[str(size)] = [
            {"text": c.text, "words": c.words, "evaluated": c.evaluated, "generations": len(c.generations)}
            for c in rounds[0]
        ]
    return Row(
        key="fresh_tokens",
        what="fresh prompt tokens for a command over (utterance + 64), 95th percentile, worst size",
        value=max(by_size.values()),
        bar=1.0,
        raw={**raw, "by_size": {str(size): value for size, value in by_size.items()}},
    )


def size_ratio(dialogues: dict[int, list[list[Cost]]]) -> Row:
    """Return how much a large home slows a command."""
    times = {
        size: statistics.median(sum(cost.seconds for cost in costs) for costs in rounds)
        for size, rounds in dialogues.items()
    }
    return Row(
        key="size_ratio",
        what="time of a command with 1,000 entities over one with 10",
        value=times[1000] / times[10],
        bar=1.25,
        raw={
            **{str(size): value for size, value in times.items()},
            "commands": {
                str(size): {
                    text: statistics.median(costs[place].seconds for costs in rounds)
                    for place, text in enumerate(COMMANDS)
                }
                for size, rounds in dialogues.items()
            },
        },
    )


def wall(asked: list[Cost]) -> Row:
    """Return what everything around llama.cpp costs."""
    wall, computed = sum(c.seconds for c in asked), sum(c.computed for c in asked)
    return Row(
        key="wall_over_engine",
        what="wall time of a turn that asks the model over llama.cpp's own time for the same tokens",
        value=wall / computed if computed else None,
        bar=1.10,
        raw={"wall_s": wall, "llama_s": computed, "turns": len(asked)},
    )


def decodes(asked: list[Cost]) -> Row:
    """Return how much of a call is forced."""
    steps = sum(g.decode_steps for c in asked for g in c.generations)
    written = sum(g.generated_tokens for c in asked for g in c.generations)
    return Row(
        key="decode_over_tokens",
        what="decode steps over tokens of a call",
        value=steps / written if written else None,
        bar=0.5,
        raw={"decode_steps": steps, "tokens": written},
    )


def loop(idle: list[float], busy: list[float]) -> Row:
    """Return how late the event loop comes."""
    calm, late = percentile(idle, 0.99), percentile(busy, 0.99)
    return Row(
        key="loop_lag_p99_ms",
        what="lag of the event loop while the model generates, 99th percentile; 25 ms or twice the idle one's",
        value=late,
        bar=max(25.0, 2 * calm),
        raw={"idle_p99_ms": calm, "idle_samples": len(idle), "busy_samples": len(busy), "busy_max_ms": max(busy)},
    )


def over(key: str, bar: float, ours: float, theirs: float, raw: dict[str, JsonValue]) -> Row:
    """Return our dialogue's time over a rival's."""
    return Row(
        key=key,
        what="whole dialogue at 100 entities over the rival's",
        value=ours / theirs if theirs else None,
        bar=bar,
        raw={"ours_s": ours, "theirs_s": theirs, "at": time.strftime("%H:%M:%S"), **raw},
    )
