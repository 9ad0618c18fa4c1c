"""The living room: the one loop that hears, decides, asks, acts and replies."""
