"""The boiler room: a model in a process of its own."""

from botpsy_core.engine.keeper import EngineState
from botpsy_core.engine.scripted import Asked, ScriptedEngine
from botpsy_core.engine.settings import EngineSettings
from botpsy_core.engine.supervisor import LocalEngine

__all__ = ["Asked", "EngineSettings", "EngineState", "LocalEngine", "ScriptedEngine"]
