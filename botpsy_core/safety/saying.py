"""Whether an utterance says a value, in whatever dress: the test for arguments of which only the schema is known."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from botpsy_core.domain.currencies import currencies_in
from botpsy_core.domain.heard import Heard, Value
from botpsy_core.domain.values import JsonValue
from botpsy_core.safety.words import folded, words

_NUMBER = re.compile(r"(?<![^\W_])\d[\d.,]*")
_THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
_YEAR = re.compile(r"^\d{4}-(?=\d{2}-\d{2})")
"""What of a date hearing may have read otherwise: nobody said it."""
_PARTS = re.compile(r"[,;.()\n]")
_NO_SIGN = re.compile(r"[\W_]+")
_ADDRESS = re.compile(r"\S@\S|://")
"""What leads to somebody: half of it said is not said."""
_STEM = 4
"""Letters that stand for a word: "reservations" for "reservation", "Berliner" for "Berlin"."""
_SHORTEST_WORD = 3
_SHORTEST_RUN = 2
_SHORTEST_MOMENT = 4
"""Digits of a written time that must be those of a heard one."""


def is_said(value: JsonValue, heard: Heard) -> bool:
    """Return True if every leaf of a value is in the utterance: by its words, its digits, or a heard time."""
    leaves = list(leaves_of(value))
    return bool(leaves) and all(_leaf_said(leaf, heard) for leaf in leaves)


def leaves_of(value: JsonValue) -> Iterator[str | float]:
    """Yield the texts and numbers inside a value."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from leaves_of(inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from leaves_of(inner)


def numbers_in(text: str) -> Iterator[float]:
    """Yield the numbers that stand in a text as digits, each in both readings of its dots and commas."""
    for found in _NUMBER.findall(text):
        plain = found.strip(".,")
        for written in {_THOUSANDS.sub("", plain), plain.replace(",", ".")}:
            try:
                yield float(written)
            except ValueError:
                continue


def times_said(number: float, heard: Heard) -> int:
    """Return how often a number was said, in digits or in words."""
    written = sum(any(n == number for n in numbers_in(found)) for found in _NUMBER.findall(heard.text))
    worded = (v for clause in heard.clauses for v in clause.values if not _has_digits(heard.text, v))
    return written + sum(number in (v.value, *v.ambiguous) for v in worded)


def _has_digits(text: str, value: Value) -> bool:
    return re.search(r"\d", text[value.span.start : value.span.end]) is not None


def is_explained(value: JsonValue, description: str, heard: Heard) -> bool:
    """Return True if an argument's own text has a value beside words that were said: "2: ironing", "GBP for pounds"."""
    leaves = [str(leaf) for leaf in leaves_of(value)]
    return bool(leaves) and all(_beside_said_words(leaf, description, heard.text) for leaf in leaves)


def _beside_said_words(leaf: str, description: str, text: str) -> bool:
    spoken = {w[:_STEM] for w in words(text) if len(w) >= _STEM}
    for part in _PARTS.split(description):
        if folded(leaf) in words(part) and any(w[:_STEM] in spoken for w in words(part) if len(w) >= _STEM):
            return True
    return False


def _leaf_said(leaf: str | float, heard: Heard) -> bool:
    text = heard.text
    if isinstance(leaf, int | float):
        return any(math.isclose(n, leaf, rel_tol=1e-6) for n in (*numbers_in(text), *_heard_numbers(heard)))
    run = _NO_SIGN.sub("", folded(leaf))
    if folded(leaf) in folded(text) or (len(run) >= _SHORTEST_RUN and run in _NO_SIGN.sub("", folded(text))):
        return True
    if _ADDRESS.search(leaf):
        return False
    return _is_heard_moment(leaf, heard) or _half_of_its_words(leaf, text) or leaf in currencies_in(text)


def _half_of_its_words(leaf: str, text: str) -> bool:
    parts, spoken = words(leaf), words(text)
    hits = sum(any(p[:_STEM] == s[:_STEM] and min(len(p), len(s)) >= _SHORTEST_WORD for s in spoken) for p in parts)
    return bool(parts) and hits * 2 >= len(parts)


def _heard_numbers(heard: Heard) -> Iterator[float]:
    for clause in heard.clauses:
        for value in clause.values:
            yield from (n for n in (value.value, *value.ambiguous) if isinstance(n, int | float))


def _is_heard_moment(leaf: str, heard: Heard) -> bool:
    """Return True if a written time has the digits of one that was heard: "2026-03-08", "17:30"."""
    digits = _digits(_YEAR.sub("", leaf))
    return len(digits) >= _SHORTEST_MOMENT and any(digits in _digits(moment) for moment in _moments(heard))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _moments(heard: Heard) -> Iterator[str]:
    for clause in heard.clauses:
        for value in clause.values:
            for reading in (value.value, *value.ambiguous):
                yield from (t for t in leaves_of(reading) if isinstance(t, str))
