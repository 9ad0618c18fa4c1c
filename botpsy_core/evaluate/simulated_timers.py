"""Timers in memory, which ring nowhere, for chat, evaluation and tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.timers import Timer
from botpsy_core.domain.tools import ToolCall
from botpsy_core.errors import ToolboxFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    timer: Timer
    since: datetime
    """When `timer.left` was so."""

    def at(self, now: datetime) -> Timer:
        """Return the timer as it is then."""
        passed = round((now - self.since).total_seconds()) if self.timer.active else 0
        return replace(self.timer, left=max(0, self.timer.left - passed))


class SimulatedTimers:
    """Keeps timers for the devices that can ring, and writes to nobody else but the one recipient."""

    def __init__(
        self, now: Callable[[], datetime], *, devices: Sequence[str] = (), recipient: str | None = None
    ) -> None:
        """`now` tells the time, `devices` ring, everybody is written to by the `notify` entity `recipient`."""
        self._now = now
        self._devices = frozenset(devices)
        self._recipient = recipient
        self._kept: dict[str, _Kept] = {}
        self._number = 0

    def keeps(self, context: TurnContext) -> bool:
        """Return whether the device of this turn rings."""
        return context.device_id in self._devices

    def timers(self, _context: TurnContext) -> Sequence[Timer]:
        """Return all timers that have not rung yet."""
        now = [kept.at(self._now()) for kept in self._kept.values()]
        return [timer for timer in now if timer.left]

    def start(self, seconds: int, name: str, context: TurnContext) -> None:
        """Start a timer on the device of this turn."""
        self._number += 1
        timer = Timer(id=f"t{self._number}", name=name, length=seconds, left=seconds, device_id=context.device_id)
        self._kept[timer.id] = _Kept(timer=timer, since=self._now())

    def cancel(self, timer_id: str) -> None:
        """Forget a timer."""
        self._of(timer_id)
        del self._kept[timer_id]

    def pause(self, timer_id: str) -> None:
        """Let a timer stand still."""
        self._set(replace(self._of(timer_id), active=False))

    def resume(self, timer_id: str) -> None:
        """Let a paused timer run on."""
        self._set(replace(self._of(timer_id), active=True))

    def add(self, timer_id: str, seconds: int) -> None:
        """Give a timer more time, or less."""
        timer = self._of(timer_id)
        self._set(replace(timer, left=max(0, timer.left + seconds)))

    def message(self, text: str, _context: TurnContext) -> ToolCall | None:
        """Return a message to the one recipient."""
        if self._recipient is None:
            return None
        return ToolCall(id="call_1", name="send_message", args={"recipient": [self._recipient], "message": text})

    def _of(self, timer_id: str) -> Timer:
        if timer_id not in self._kept:
            raise ToolboxFailed(f"there is no timer {timer_id!r}")
        return self._kept[timer_id].at(self._now())

    def _set(self, timer: Timer) -> None:
        self._kept[timer.id] = _Kept(timer=timer, since=self._now())
