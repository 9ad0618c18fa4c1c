"""How often each command went out, and whether it may go out again."""

from collections import defaultdict, deque

from botpsy_core.bridge.profile import Command
from botpsy_core.ports import Clock

_HOUR_S = 3600.0


class Ledger:
    """Times of publishing by device and command; forgets after an hour."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sent: defaultdict[tuple[str, str], deque[float]] = defaultdict(deque)

    def wait_s(self, slug: str, command: Command) -> float:
        """Return how many seconds are left until the command may go out; 0 if it may now."""
        now = self._clock.monotonic()
        sent = self._sent[slug, command.name]
        while sent and now - sent[0] >= _HOUR_S:
            sent.popleft()
        waits = [0.0]
        if sent:
            waits.append(sent[-1] + command.min_interval_s - now)
        if len(sent) >= command.per_hour:
            waits.append(sent[0] + _HOUR_S - now)
        return max(waits)

    def note(self, slug: str, command: Command) -> None:
        """Write down that the command is going out now."""
        self._sent[slug, command.name].append(self._clock.monotonic())
