"""Keep a PIN that somebody said out of everything that is written down or told to a host."""

import re
from collections.abc import Mapping, Sequence

from botpsy_core.domain.values import JsonValue

MASK = "•"
_PIN = r"\d(?:[\s.,-]{0,3}\d){3,}"
_PIN_LIKE = re.compile(_PIN)
_NOTHING_ELSE = re.compile(rf"\W*{_PIN}\W*")
_NUMBER = re.compile(r"(?<![\d_])\d(?:[\s.,-]{0,3}\d)*")
"""Any number; the digits of an entity id that follow an underscore are none."""
_AMOUNTS = frozenset({"values", "args"})
"""Keys below which a bare number was said by the user."""


def may_hold_a_pin(text: str, *, code_words: Sequence[str], asked: bool, pin_set: bool) -> bool:
    """Return True if digits of a PIN's length stand beside a word for a code, answer its question, or stand alone.

    The digits are not compared with the PIN: its hash is slow by design, and a wrong PIN says much of the right one.
    """
    if not _PIN_LIKE.search(text):
        return False
    return asked or (pin_set and _NOTHING_ELSE.fullmatch(text) is not None) or _names_a_code(text, code_words)


def hidden(value: JsonValue, *, amounts: bool = False) -> JsonValue:
    """Return what may be written down of a turn in which a PIN may have been said: no number that was heard."""
    match value:
        case str():
            return _NUMBER.sub(MASK, value)
        case bool() | None:
            return value
        case int() | float():
            return MASK if amounts else value
        case Mapping():
            return {k: hidden(v, amounts=amounts or k in _AMOUNTS) for k, v in value.items()}
        case _:
            return [hidden(each, amounts=amounts) for each in value]


def without_pin(sentence: str) -> str:
    """Return a reply that quotes no PIN; shorter numbers are what the user is asked to agree to, and stay."""
    return _PIN_LIKE.sub(MASK, sentence)


def _names_a_code(text: str, code_words: Sequence[str]) -> bool:
    """Find short Latin words whole and all others anywhere: they are inflected and compounded."""
    said = text.casefold()
    return any(
        re.search(rf"(?<![a-z]){word}(?![a-z])", said) if word.isascii() and len(word) < 4 else word in said
        for word in code_words
    )
