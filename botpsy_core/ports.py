"""The holes that a host fills."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Protocol

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.engine import Finished, Grammar, Limits, ModelInfo, Piece, Prompt
from botpsy_core.domain.timers import Timer
from botpsy_core.domain.tools import ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import Readiness


class Engine(Protocol):
    """A model that can be asked."""

    async def info(self) -> ModelInfo:
        """Return what is known of the model, starting it where needed; raise EngineFailed or ModelFileInvalid."""
        ...

    def generate(self, prompt: Prompt, grammar: Grammar | None, limits: Limits) -> AsyncIterator[Piece | Finished]:
        """Yield pieces as they come and one Finished at the end; raise EngineFailed or EngineBusy.

        Closing the iterator cancels the generation.
        """
        ...

    async def prepare(self, prefix: str) -> None:
        """Read a prompt's prefix ahead of its first use, giving way to every request; raise EngineFailed."""
        ...

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> tuple[float, ...] | None:
        """Return the summed natural log probability of each continuation, or None where it cannot be told."""
        ...

    async def close(self) -> None:
        """Free the model; a later call starts it anew."""
        ...


class Toolbox(Protocol):
    """Things that can be done."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools on offer now, sorted by name."""
        ...

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return what the world says about this call right now; changes nothing."""
        ...

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Carry the call out and report its outcome; raise ToolboxFailed only where no outcome can be told."""
        ...


class PlanStore(Protocol):
    """Where planned acts outlive a restart."""

    async def load(self) -> Sequence[JsonObject]:
        """Return what was saved last; empty where nothing was."""
        ...

    async def save(self, acts: Sequence[JsonObject]) -> None:
        """Write all planned acts down; when this returns they are safe."""
        ...


class TimerKeeper(Protocol):
    """Timers of the host's own, which ring where they were asked for."""

    def keeps(self, context: TurnContext) -> bool:
        """Return whether a timer that is started from there rings there."""
        ...

    def timers(self, context: TurnContext, /) -> Sequence[Timer]:
        """Return the timers that this user may hear of and change."""
        ...

    def start(self, seconds: int, name: str, context: TurnContext) -> None:
        """Start a timer; raise ToolboxFailed where there is none to start."""
        ...

    def cancel(self, timer_id: str) -> None:
        """Forget a timer; raise ToolboxFailed where it is gone, as do all that follow."""
        ...

    def pause(self, timer_id: str) -> None:
        """Let a timer stand still."""
        ...

    def resume(self, timer_id: str) -> None:
        """Let a paused timer run on."""
        ...

    def add(self, timer_id: str, seconds: int) -> None:
        """Give a timer more time, or less."""
        ...

    def message(self, text: str, context: TurnContext, /) -> ToolCall | None:
        """Return the call that writes a text to the asker, or None where nobody can be written to."""
        ...


class ListKeeper(Protocol):
    """Lists; `written` is an open item as it stands there. What changes something may raise ToolboxFailed."""

    def lists(self, context: TurnContext, /) -> Sequence[str]:
        """Return the ids of the lists that this user may know of."""
        ...

    async def items(self, list_id: str, context: TurnContext, /) -> Sequence[str]:
        """Return what is open on a list."""
        ...

    async def ready(self, list_ids: Sequence[str], context: TurnContext, /) -> Readiness:
        """Return whether this user may change these lists, and whether they are there."""
        ...

    async def add(self, list_id: str, written: str, context: TurnContext, /) -> None:
        """Put an item on a list."""
        ...

    async def complete(self, list_id: str, written: str, context: TurnContext, /) -> None:
        """Tick an item off."""
        ...

    async def remove(self, list_id: str, written: str, context: TurnContext, /) -> None:
        """Take an item off a list."""
        ...


class Clock(Protocol):
    """Time, as a parameter."""

    def now(self) -> datetime:
        """Return the current time, aware."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...


class Journal(Protocol):
    """Where it is written down what was asked, decided and why."""

    def record(self, entry: JsonObject) -> None:
        """Append one entry without blocking; never raises."""
        ...
