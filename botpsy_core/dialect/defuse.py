"""Other people's text, made harmless before it enters a prompt."""

import re
from collections.abc import Iterable

_MARKER = re.compile(r"<[|\uff5c][^<>\s]{1,60}[|\uff5c]>")
"""How control tokens look in most vocabularies."""


class Defuser:
    """Breaks every text that the tokenizer would take for a control token."""

    def __init__(self, markers: Iterable[str]) -> None:
        """Keep the model's own control tokens and its family's markers."""
        own = sorted({m for m in markers if len(m) > 2 and m[0] in "<[" and m[-1] in ">]"}, key=len, reverse=True)
        self._pattern = re.compile("|".join((*map(re.escape, own), _MARKER.pattern)))

    def __call__(self, text: str) -> str:
        """Return the text with a space inside every marker, so that it can be read and does nothing."""
        return self._pattern.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)
