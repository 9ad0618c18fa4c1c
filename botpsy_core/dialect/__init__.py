"""The language room: how a model family reads and writes; formats are data."""
