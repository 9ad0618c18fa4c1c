"""Find words in an utterance, in scripts with and without spaces."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from botpsy_core.domain.cues import UNSPACED
from botpsy_core.domain.heard import Span

_WORD = re.compile(r"[\w\u0900-\u097f]+(?:['\u2019\-.][\w\u0900-\u097f]+)*")


def folded(text: str) -> str:
    """Return the text with case, width and spacing evened out, letter marks kept."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, in order."""
    return tuple(_WORD.findall(folded(text)))


def occurrences(phrase: str, text: str) -> Iterator[Span]:
    """Yield where a phrase stands in a text as whole words, whatever its case; ".." is up to four words."""
    pattern = _pattern(phrase)
    if pattern is not None:
        for match in pattern.finditer(text):
            yield Span(start=match.start(), end=match.end())


@lru_cache(maxsize=4096)
def _pattern(phrase: str) -> re.Pattern[str] | None:
    parts = [r"(?:\w+\s+){0,4}?" if p == ".." else _escaped(p) + r"\s+" for p in phrase.split()]
    if not parts:
        return None
    pattern = "".join(parts).removesuffix(r"\s+")
    if not UNSPACED.search(phrase):
        pattern = rf"(?<!\w){pattern}(?!\w)"
    return re.compile(pattern, re.IGNORECASE)


def _escaped(word: str) -> str:
    """Return a word as a pattern; a folded word has "ss" where a text may have a sharp s."""
    return re.escape(word).replace("ss", "(?:ss|\u00df)")
