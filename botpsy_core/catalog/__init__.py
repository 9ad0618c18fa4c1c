"""The library: tool_schemas/ becomes ToolSpec, words and tools become an Offer, a raw call becomes a checked one."""
