"""What a local engine is told once."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """The model, and how much of the machine it may take."""

    model: Path
    """The GGUF file."""
    context_tokens: int = 4096
    """Prompt and answer together, at most; each costs memory, 12 kB with a model of half a billion parameters."""
    threads: int | None = None
    """None: measured when the worker starts."""
    state_dir: Path | None = None
    """Where prefix snapshots are kept; None keeps them in memory alone."""
    idle_unload_s: float | None = None
    """Seconds without a request after which the memory is given back; None for never."""
    memory_limit_mb: int | None = None
    """Memory beside the model's file that the worker may take, in MiB; None for no limit."""
    queue_size: int = 4
    """Requests that may wait behind the one that runs."""
    nice: int = 5
    """Added to the worker's niceness, 0 to 19."""
    start_timeout_s: float = 180.0
    """Seconds for loading the file; a slow card needs minutes for a gigabyte."""
    grace_s: float = 5.0
    """Seconds that a request may overstay its own limit before the worker counts as hung."""
    reuse: bool = True
    """False reads every prompt from its first token; for measurements."""
    forced_runs: bool = True
    """False samples what the grammar forces one by one; for measurements."""

    def as_request(self) -> dict[str, Any]:
        """Return what the worker needs of it, as JSON."""
        return {name: str(value) if isinstance(value, Path) else value for name, value in asdict(self).items()}
