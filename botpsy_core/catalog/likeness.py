"""How alike words and a tool's text are: cosine of character n-grams weighted by rarity; no model, no library."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from botpsy_core.domain.tools import ToolSpec

SIZES = (3, 4)
WORD = re.compile(r"\w+")


class Likeness:
    """An index over the texts of one tool set."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Weigh the n-grams of each text."""
        counts = [Counter(ngrams(text)) for text in texts]
        spread = Counter(gram for count in counts for gram in count)
        self._unknown = math.log(1 + len(texts)) + 1
        self._rarity = {gram: math.log((1 + len(texts)) / (1 + n)) + 1 for gram, n in spread.items()}
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for number, count in enumerate(counts):
            weights = self._weights(count)
            for gram, weight in weights.items():
                self._postings.setdefault(gram, []).append((number, weight))
        self._size = len(texts)

    def of(self, text: str) -> tuple[float, ...]:
        """Return the likeness of `text` to each indexed text, 0 to 1, in their order."""
        scores = [0.0] * self._size
        for gram, weight in self._weights(Counter(ngrams(text))).items():
            for number, other in self._postings.get(gram, ()):
                scores[number] += weight * other
        return tuple(min(1.0, score) for score in scores)

    def _weights(self, count: Mapping[str, int]) -> dict[str, float]:
        raw = {gram: (1 + math.log(n)) * self._rarity.get(gram, self._unknown) for gram, n in count.items()}
        norm = math.sqrt(sum(w * w for w in raw.values())) or 1.0
        return {gram: weight / norm for gram, weight in raw.items()}


def ngrams(text: str) -> Iterable[str]:
    """Yield the character n-grams of each word, with its borders."""
    for word in WORD.findall(text.lower()):
        framed = f" {word} "
        for size in SIZES:
            if len(framed) < size:
                yield framed
            for start in range(len(framed) - size + 1):
                yield framed[start : start + size]


def likeness(text: str, tools: Sequence[ToolSpec], language: str) -> tuple[float, ...]:
    """Return how alike the text is to each tool, 0 to 1; the index is kept for each tool set."""
    return _index(tuple(_tool_text(tool, language) for tool in tools)).of(text)


@lru_cache(maxsize=16)
def _index(texts: tuple[str, ...]) -> Likeness:
    return Likeness(texts)


def _tool_text(tool: ToolSpec, language: str) -> str:
    arguments = " ".join(f"{a.name.replace('_', ' ')} {a.description}" for a in tool.arguments)
    languages = {"en", language}
    cues = " ".join(w.strip("*") for lang in sorted(languages) for group in tool.cues.get(lang, ()) for w in group)
    return " ".join((tool.called.replace("_", " "), tool.description, arguments, cues, *tool.examples))
