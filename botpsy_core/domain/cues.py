"""Whether words ground a tool that no thing of the home grounds."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from botpsy_core.domain.heard import Span
from botpsy_core.domain.values import JsonObject

UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""Writing without spaces between words; cues in it match anywhere."""
LETTER = r"[\w\u0900-\u097f]"
"""What a word is made of; Devanagari's vowel signs are no word characters to `re`."""


_BETWEEN = 4
"""Words that ".." in a cue stands for at most; signs, where it stands without spaces."""


@lru_cache(maxsize=4096)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = []
    for word in sorted(words, key=len, reverse=True):
        stem = re.escape(word.strip("*").lower()).replace(r"\ \.\.\ ", rf"\s+(?:\S+\s+){{0,{_BETWEEN}}}")
        stem = stem.replace(r"\.\.", rf"\S{{0,{_BETWEEN}}}")
        head = f"{LETTER}*" if word.startswith("*") else ""
        tail = f"{LETTER}*" if word.endswith("*") else ""
        alternatives.append(stem if UNSPACED.search(word) else rf"(?<!{LETTER}){head}{stem}{tail}(?!{LETTER})")
    return re.compile("|".join(alternatives))


def cue_hits(cues: Mapping[str, Sequence[Sequence[str]]], text: str, language: str) -> tuple[tuple[Span, ...], ...]:
    """Return, for each group of cues in that language (else English), where its words stand in the text."""
    groups = cues.get(language) or cues.get("en") or ()
    lowered = text.lower()
    return tuple(
        tuple(Span(start=m.start(), end=m.end()) for m in _pattern(tuple(group)).finditer(lowered)) for group in groups
    )


def word_hits(words: Sequence[str], text: str) -> tuple[Span, ...]:
    """Return where any of these words stands in the text, whatever its language."""
    return cue_hits({"en": [words]}, text, "en")[0] if words else ()


def listed_words(schema: JsonObject, key: str, language: str) -> tuple[str, ...]:
    """Return the words that an argument's schema lists for a language under `x-after`, `x-words` or `x-self`."""
    listed = schema.get(key)
    words = listed.get(language) if isinstance(listed, Mapping) else None
    return tuple(str(word) for word in words) if isinstance(words, list | tuple) else ()


def beside(schema: JsonObject, text: str, language: str) -> tuple[Span, ...]:
    """Return where words stand that go with an argument's value and are none ("volume", "brightness")."""
    return word_hits(listed_words(schema, "x-words", language), text)


def names_asker(schema: JsonObject, text: str, language: str) -> bool:
    """Return True if one of an argument's words for the asker ("me") stands in the text."""
    return bool(word_hits(listed_words(schema, "x-self", language), text))
