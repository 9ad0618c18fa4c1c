"""How the figures follow from what was measured."""

import statistics
import time
from collections.abc import Sequence

from botpsy_core.domain.values import JsonValue
from botpsy_core.evaluate.bench.dialogue import Cost
from botpsy_core.evaluate.bench.homes import COMMANDS
from botpsy_core.evaluate.bench.rows import BARS, Row, percentile, row

ALLOWED_BESIDE = 64
"""Fresh tokens that a command may cost beside its own words."""


def fresh(dialogues: dict[int, list[list[Cost]]]) -> Row:
    """Return how much is read for a command."""
    by_size: dict[str, JsonValue] = {}
    raw: dict[str, JsonValue] = {"by_size": by_size}
    worst = 0.0
    for size, rounds in dialogues.items():
        shares = [cost.evaluated / (cost.words + ALLOWED_BESIDE) for costs in rounds for cost in costs]
        by_size[str(size)] = here = percentile(shares, 0.95)
        worst = max(worst, here)
        raw[str(size)] = [
            {"text": c.text, "words": c.words, "evaluated": c.evaluated, "generations": len(c.generations)}
            for c in rounds[0]
        ]
    return row("fresh_tokens", worst, raw)


def size_ratio(dialogues: dict[int, list[list[Cost]]]) -> Row:
    """Return how much a large home slows a command."""
    times = {size: dialogue_seconds(rounds) for size, rounds in dialogues.items()}
    commands: dict[str, JsonValue] = {
        str(size): {
            text: statistics.median(costs[place].seconds for costs in rounds) for place, text in enumerate(COMMANDS)
        }
        for size, rounds in dialogues.items()
    }
    raw: dict[str, JsonValue] = {**{str(size): value for size, value in times.items()}, "commands": commands}
    return row("size_ratio", times[1000] / times[10], raw)


def dialogue_seconds(rounds: Sequence[Sequence[Cost]]) -> float:
    """Return the median time of a whole dialogue."""
    return statistics.median(sum(cost.seconds for cost in costs) for costs in rounds)


def wall(asked: list[Cost]) -> Row:
    """Return what everything around llama.cpp costs."""
    wall, computed = sum(c.seconds for c in asked), sum(c.computed for c in asked)
    raw: dict[str, JsonValue] = {"wall_s": wall, "llama_s": computed, "turns": len(asked)}
    return row("wall_over_engine", wall / computed if computed else None, raw)


def decodes(asked: list[Cost]) -> Row:
    """Return how much of a call is forced."""
    steps = sum(g.decode_steps for c in asked for g in c.generations)
    written = sum(g.generated_tokens for c in asked for g in c.generations)
    return row("decode_over_tokens", steps / written if written else None, {"decode_steps": steps, "tokens": written})


def loop(idle: list[float], busy: list[float]) -> Row:
    """Return how late the event loop comes; a machine that is noisy when idle may be twice as late."""
    calm, late = percentile(idle, 0.99), percentile(busy, 0.99)
    raw: dict[str, JsonValue] = {
        "idle_p99_ms": calm,
        "idle_samples": len(idle),
        "busy_samples": len(busy),
        "busy_max_ms": max(busy),
    }
    return row("loop_lag_p99_ms", late, raw, bar=max(BARS["loop_lag_p99_ms"].bar, 2 * calm))


def over(key: str, ours: Sequence[float], theirs: Sequence[float], raw: dict[str, JsonValue]) -> Row:
    """Return our time over a rival's, by command; a rival that ran out of time is compared as far as it came."""
    both = min(len(ours), len(theirs))
    mine, others = sum(ours[:both]), sum(theirs[:both])
    told: dict[str, JsonValue] = {
        "ours_s": mine,
        "theirs_s": others,
        "commands": both,
        "ours_by_command_s": list(ours),
        "theirs_by_command_s": list(theirs),
        "at": time.strftime("%H:%M:%S"),
    }
    return row(key, mine / others if others else None, told | raw)
