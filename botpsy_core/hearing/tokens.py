"""Tokens: the words of a text with the places where they stand."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.domain.heard import Span

_MARKS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u200c\u200d"
_GROUPS = r"\d{1,3}(?:[.,]\d{3})+"
_WITH_DECIMALS = r"(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:\.\d{3})+,\d+)(?![.,:/]?\d)"
_PIECE = re.compile(
    r"(?<![\w.,])[.,]\d+"
    rf"|{_WITH_DECIMALS}"
    rf"|(?!{_GROUPS}(?![.,:/]?\d))\d+(?:[.,:/]\d+){{2,}}"
    r"|\d{1,2}:\d{2}(?!\d)"
    rf"|{_GROUPS}(?!\d)"
    r"|\d+(?:[.,]\d+)?"
    r"|[\u3400-\u9fff\u3007]"
    rf"|(?:(?![\u3400-\u9fff])[^\W\d_]|[{_MARKS}])+"
    r"|[%°&?!;:,.\u3002\uff0c\uff01\uff1f\uff1b\uff1a\u3001\u0964\uff05]"
    r"|(?:(?<!\w)|(?<=\d)|(?<=\d\s))[-\u2013](?=\s?\d)",
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_GROUPED = re.compile(rf"(?!0){_GROUPS}")
_DECIMAL = re.compile(_WITH_DECIMALS)
_DIGITS = 15
"""Digits of the longest number that is read."""
_ACCENTS = re.compile("[\u0300-\u036f]")
_PUNCTUATION = frozenset("?!;:,.\u3002\u3001\u0964-")
"""Folding turns the full-width forms into these."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or mark."""

    word: str
    """Folded: no case, no accents."""
    start: int
    end: int
    slip: bool = False
    """True if it was written otherwise and put right."""

    @property
    def is_mark(self) -> bool:
        """Return True for punctuation."""
        return self.word in _PUNCTUATION


def is_unspaced(word: str) -> bool:
    """Return True for a word of a script that puts no spaces between words; each of its signs is a token."""
    return len(word) == 1 and ("\u3400" <= word <= "\u9fff" or word == "\u3007")


def fold(text: str) -> str:
    """Return the text without case and accents, so that spellings compare."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed)).replace("\u2013", "-")


def tokenize(text: str) -> tuple[Token, ...]:
    """Split a text into tokens; an apostrophe parts words, each Han character is a word."""
    found = (Token(fold(m[0]), m.start(), m.end()) for m in _PIECE.finditer(text))
    return tuple(token for token in found if token.word)


def number_in(word: str) -> float | None:
    """Return the number that a word's digits write ("21", "21,5", "12,000"), or None where it writes none ("1.2.3")."""
    if len(word) > _DIGITS:
        return None
    if _DECIMAL.fullmatch(word):
        at = max(word.rfind("."), word.rfind(","))
        return float(f"{re.sub('[.,]', '', word[:at])}.{word[at + 1 :]}")
    if _GROUPED.fullmatch(word):
        return float(word.replace(",", "").replace(".", ""))
    return float(word.replace(",", ".")) if _NUMBER.fullmatch(word) else None


def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words of a name or phrase, without punctuation."""
    return tuple(t.word for t in tokenize(text) if not t.is_mark)


def span_of(tokens: Sequence[Token]) -> Span:
    """Return the span from the first to the last of these tokens."""
    return Span(start=tokens[0].start, end=tokens[-1].end)
