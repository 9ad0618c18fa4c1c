"""Find what exists nearest to a name that does not."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from botpsy_core.domain.home import Home
from botpsy_core.safety.words import folded

_LIKE_ENOUGH = 45.0


def nearest_names(phrase: str, home: Home, *, kinds: Iterable[str] = (), limit: int = 3) -> tuple[str, ...]:
    """Return names of the home, of these kinds where some are given, that are most like the phrase, best first."""
    wanted = frozenset(kinds)
    names = {e.name for e in home.entities if not wanted or not wanted.isdisjoint((e.domain, e.kind))}
    names |= {a.name for a in home.areas}
    scored = process.extract(folded(phrase), sorted(names), scorer=fuzz.token_set_ratio, processor=folded, limit=limit)
    return tuple(name for name, score, _ in scored if score >= _LIKE_ENOUGH)
