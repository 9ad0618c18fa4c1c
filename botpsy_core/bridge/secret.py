"""A word that no log, trace or repr may show."""

import hmac


class Secret:
    """Holds a secret; every way of printing it shows stars."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Secret(***)"

    def __str__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._text.encode(), other._text.encode())

    def __hash__(self) -> int:
        return hash((Secret, len(self._text)))

    def reveal(self) -> str:
        """Return the text; only a payload builder may ask."""
        return self._text
