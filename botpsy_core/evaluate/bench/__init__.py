"""How fast, how small and how steady the engine is, next to what people would run instead."""

from botpsy_core.evaluate.bench.command import add_arguments, run

__all__ = ["add_arguments", "run"]
