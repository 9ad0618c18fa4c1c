"""Slip: how far a said word is from the one that was meant, by what fingers and ears do."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from botpsy_core.hearing.tokens import fold

BESIDE = 0.7
"""Cost of a key beside the right one."""
ALIKE = 0.5
"""Cost of a letter that sounds like the right one."""
OTHER = 1.4
"""Cost of any other letter: nobody slips like that, it is another word."""
SWAPPED = 0.6
TWICE = 0.4
"""Cost of a letter doubled, or of a double one written once."""
MORE = 0.8
"""Cost of a letter too many or too few."""
FIRST = 0.3
"""What the first letter costs on top; it is the last to go wrong."""
LOST = 0.2
"""What it costs on top where the first letter is missing; another word begins with a letter more ("flight")."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Which letters are taken for which, in one language."""

    beside: frozenset[tuple[str, str]]
    alike: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, rows: Sequence[str], alike: Iterable[str]) -> Keys:
        """Read a keyboard's rows and groups of letters that sound alike."""
        beside = set[tuple[str, str]]()
        for row in rows:
            beside |= set(pairwise(row))
        for row, below in pairwise(rows):
            for at, key in enumerate(below):
                beside |= {(key, other) for other in row[at : at + 2]}
        sounding = {pair for group in alike for pair in combinations(group, 2)}
        return cls(_both(beside), _both(sounding))

    def replacing(self, said: str, meant: str) -> float:
        """Return what it costs to write one letter for another."""
        pair = (said, meant)
        return ALIKE if pair in self.alike else BESIDE if pair in self.beside else OTHER


def _both(pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    folded = [(fold(a), fold(b)) for a, b in pairs]
    return frozenset({*folded, *((b, a) for a, b in folded)})


def allowed(meant: str) -> float:
    """Return how much a slip in a word of this length may cost; in a very short one nothing."""
    size = len(meant)
    return _ALLOWED.get(size, 2.2 if size > max(_ALLOWED) else 0.0)


_ALLOWED: Mapping[int, float] = {4: 0.8, 5: 1.0, 6: 1.5, 7: 1.7, 8: 2.0}


@lru_cache(maxsize=8192)
def cost(said: str, meant: str, keys: Keys) -> float:
    """Return what the cheapest way costs to get from one word to the other."""
    rows = [[0.0] * (len(meant) + 1) for _ in range(len(said) + 1)]
    for i in range(len(said) + 1):
        for j in range(len(meant) + 1):
            if i or j:
                rows[i][j] = min(_ways((said, meant), (i, j), rows, keys))
    return round(rows[-1][-1], 3)


def _ways(words: tuple[str, str], at: tuple[int, int], rows: Sequence[Sequence[float]], keys: Keys) -> Iterable[float]:
    """Yield what each last step to this place costs in all."""
    (said, meant), (i, j) = words, at
    if i:
        yield rows[i - 1][j] + _lone(said, i, FIRST)
    if j:
        yield rows[i][j - 1] + _lone(meant, j, LOST)
    if i and j:
        same = said[i - 1] == meant[j - 1]
        first = FIRST if i == j == 1 else 0.0
        yield rows[i - 1][j - 1] + (0.0 if same else keys.replacing(said[i - 1], meant[j - 1]) + first)
    if i > 1 and j > 1 and said[i - 1] == meant[j - 2] and said[i - 2] == meant[j - 1]:
        yield rows[i - 2][j - 2] + SWAPPED


def _lone(word: str, at: int, first: float) -> float:
    """Return the cost of a letter that the other word lacks; `first` is what it costs on top at the beginning."""
    letter = word[at - 1]
    if letter in (word[at - 2 : at - 1], word[at : at + 1]):
        return TWICE
    return MORE + (first if at == 1 else 0.0)
