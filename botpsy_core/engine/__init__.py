"""The boiler room: a model in a process of its own.

`engine.remote` stands apart: the worker imports this package and has no use for an HTTP client.
"""

from botpsy_core.engine.fallback import FallbackEngine
from botpsy_core.engine.keeper import EngineState
from botpsy_core.engine.scripted import Asked, ScriptedEngine
from botpsy_core.engine.settings import EngineSettings
from botpsy_core.engine.stats import EngineStats
from botpsy_core.engine.supervisor import LocalEngine

__all__ = [
    "Asked",
    "EngineSettings",
    "EngineState",
    "EngineStats",
    "FallbackEngine",
    "LocalEngine",
    "ScriptedEngine",
]
