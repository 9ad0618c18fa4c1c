"""A journal that remembers nothing, for hosts without one."""

from botpsy_core.domain.values import JsonObject


class NoJournal:
    """Takes every entry and keeps none."""

    def record(self, entry: JsonObject) -> None:
        """Forget the entry."""
