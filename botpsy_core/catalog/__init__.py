"""The library: tool_schemas/ becomes ToolSpec, words and tools become an Offer, a raw call becomes a checked one."""

from botpsy_core.catalog.loader import load_tools

__all__ = ["load_tools"]
