"""Sought: which of the texts that were read a question is about ("who do I need to call?")."""

import re
from collections.abc import Sequence

from botpsy_core.domain.heard import Clause
from botpsy_core.domain.values import JsonObject

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 3
"""Letters of a word that may be looked for."""
_STEM = 4
"""Letters that two forms of a word share at least."""


def sought(rows: Sequence[JsonObject], clause: Clause) -> list[JsonObject]:
    """Return the rows whose text holds a word that nothing else explains; none where no row does."""
    at = clause.span.start
    asked = {w for s in clause.unexplained for w in _words(clause.text[s.start - at : s.end - at])}
    return [r for r in rows if any(_alike(a, w) for a in asked for w in _words(str(r.get("summary") or "")))]


def _words(text: str) -> list[str]:
    return [w for w in _WORD.findall(text.lower()) if len(w) >= _SHORTEST]


def _alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return shorter == longer or (len(shorter) >= _STEM and longer.startswith(shorter))
