"""Who gets which message of one connection."""

import logging

from botpsy_core.bridge.topics import Filter
from botpsy_core.bridge.transport import Message, OnMessage

_LOGGER = logging.getLogger(__name__)

_KEPT = 4096
"""Topics whose receivers are kept."""


class Routes:
    """Filters and their receivers; an exact topic is found without a search."""

    def __init__(self) -> None:
        self._receivers: dict[str, list[OnMessage]] = {}
        self._exact: dict[str, list[str]] = {}
        self._wild: dict[str, Filter] = {}
        self._found: dict[str, tuple[OnMessage, ...]] = {}

    @property
    def patterns(self) -> tuple[str, ...]:
        """Return every filter that somebody waits for."""
        return tuple(self._receivers)

    def add(self, topics: Filter, receiver: OnMessage) -> None:
        """Send what matches to a receiver, too."""
        self._found.clear()
        if topics.pattern not in self._receivers:
            if topics.exact:
                self._exact.setdefault(topics.bare, []).append(topics.pattern)
            else:
                self._wild[topics.pattern] = topics
        self._receivers.setdefault(topics.pattern, []).append(receiver)

    def remove(self, topics: Filter, receiver: OnMessage) -> bool:
        """Stop sending to a receiver; return True if nobody waits for this filter any more."""
        self._found.clear()
        receivers = self._receivers.get(topics.pattern, [])
        if receiver in receivers:
            receivers.remove(receiver)
        if receivers or self._receivers.pop(topics.pattern, None) is None:
            return False
        self._wild.pop(topics.pattern, None)
        if topics.exact:
            same = self._exact[topics.bare]
            same.remove(topics.pattern)
            if not same:
                del self._exact[topics.bare]
        return True

    def dispatch(self, message: Message) -> None:
        """Hand a message to everybody whose filter matches; a receiver that raises hurts nobody else."""
        receivers = self._found.get(message.topic)
        if receivers is None:
            receivers = self._find(message.topic)
        for receiver in receivers:
            try:
                receiver(message)
            except Exception:
                _LOGGER.exception("a receiver of %s failed", message.topic)

    def _find(self, topic: str) -> tuple[OnMessage, ...]:
        """Return who hears of a topic, and keep that until somebody comes or goes."""
        patterns = list(self._exact.get(topic, ()))
        patterns += (pattern for pattern, topics in self._wild.items() if topics.matches(topic))
        if len(self._found) >= _KEPT:  # a topic is anybody's to make up
            self._found.clear()
        found = self._found[topic] = tuple(r for pattern in patterns for r in self._receivers[pattern])
        return found
