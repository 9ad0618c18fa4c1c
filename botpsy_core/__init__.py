"""BotPsy's core: hears, decides, asks, acts and reports, without Home Assistant."""

__version__ = "0.1.0"
