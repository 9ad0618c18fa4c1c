"""A timer that runs down somewhere and rings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """One timer, as it is now."""

    id: str
    name: str
    """What it is for, in somebody's words; may be empty."""
    length: int
    """Seconds that it was set for."""
    left: int
    """Seconds until it rings."""
    active: bool = True
    """False while it is paused."""
    device_id: str | None = None
    """The satellite or screen that rings."""
    told: bool = False
    """True for a message in place of a timer, which nobody can pause."""
