"""How many threads llama.cpp may use: measured at the start, and fewer as soon as others need the processor."""

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

SLOW = 1.5
"""A decode that takes so many times its usual time means that the threads wait for a processor."""

EXPONENT = 0.7
"""Time grows with the rows of a batch to this power; measured with two models from 1 to 64 rows."""

HOLD_S = 2.0
MAX_HOLD_S = 60.0
MOST_THREADS = 8


def levels(limit: int | None) -> tuple[int, ...]:
    """Return the thread counts to choose from, most first: the limit, its half, ... 1."""
    count = limit or max(1, min(os.process_cpu_count() or 1, MOST_THREADS))
    found = []
    while count > 1:
        found.append(count)
        count //= 2
    return (*found, 1)


@dataclass(slots=True)
class Governor:
    """Follows the time of each decode and says how many threads the next one gets.

    With a neighbour on one of two cores, two threads are up to ten times slower than one, since each waits
    for the other; so one slow decode is enough to go down, and going up again is tried ever more rarely.
    """

    levels: tuple[int, ...]
    clock: Callable[[], float] = time.monotonic
    _level: int = 0
    _usual: dict[tuple[int, int], float] = field(default_factory=dict)
    """Seconds by (level, size class), for one row."""
    _hold: float = HOLD_S
    _until: float = 0.0
    _probing: bool = False

    @property
    def threads(self) -> int:
        """Return the current number."""
        return self.levels[self._level]

    def start_at(self, threads: int) -> None:
        """Begin with this number."""
        self._level = self.levels.index(threads)
        self._until = self.clock() + self._hold

    def observe(self, rows: int, seconds: float) -> int:
        """Learn from one decode and return the number of threads for the next."""
        size = rows.bit_length()
        cost = seconds / rows**EXPONENT
        usual = self._usual.get((self._level, size))
        if self._probing:
            self._judge(size, cost)
        elif usual is not None and cost > SLOW * usual and self._level + 1 < len(self.levels):
            self._learn(size, SLOW * usual)
            self._level += 1
            self._wait(self._hold)
        else:
            self._learn(size, cost)
            if self._level > 0 and self.clock() >= self._until:
                self._probing = True
                self._level -= 1
        return self.threads

    def _judge(self, size: int, cost: float) -> None:
        """Decide after one decode with more threads whether to keep them."""
        self._probing = False
        fewer = self._usual.get((self._level + 1, size))
        if fewer is not None and cost < fewer:
            self._learn(size, cost)
            self._hold = HOLD_S
            self._wait(self._hold)
        else:
            self._level += 1
            self._hold = min(2 * self._hold, MAX_HOLD_S)
            self._wait(self._hold)

    def _wait(self, seconds: float) -> None:
        self._until = self.clock() + seconds

    def _learn(self, size: int, cost: float) -> None:
        key = (self._level, size)
        known = self._usual.get(key)
        self._usual[key] = cost if known is None else known + 0.2 * (min(cost, SLOW * known) - known)


def fastest(candidates: tuple[int, ...], run: Callable[[int, float], float]) -> int:
    """Return the candidate whose `run` takes the least time, the fewest tried first.

    `run` gets the threads and the seconds after which it may give up, since threads that wait for a processor which
    others use can take a hundred times as long; it returns its seconds, infinity where it gave up.
    """
    best, least = candidates[-1], math.inf
    if len(candidates) == 1:
        return best
    for threads in reversed(candidates):
        for _ in range(2):
            seconds = run(threads, least)
            if seconds < least:
                best, least = threads, seconds
    return best
