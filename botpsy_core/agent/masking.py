"""Keep a PIN that somebody said out of everything that is written down or told to a host."""

import re
from collections.abc import Mapping, Sequence

from botpsy_core.domain.cues import LETTER
from botpsy_core.domain.values import JsonValue
from botpsy_core.hearing.numbers import number_words

MASK = "•"
_PIN = r"\d(?:[\s.,-]{0,3}\d){3,}"
_PIN_LIKE = re.compile(_PIN)
_NOTHING_ELSE = re.compile(rf"\W*{_PIN}\W*")
_NUMBER = re.compile(r"(?<![\d_])\d(?:[\s.,-]{0,3}\d)*")
"""Any number; the digits of an entity id that follow an underscore are none."""
_SPOKEN = re.compile(rf"[\u3400-\u9fff]|{LETTER}+")
_BETWEEN = re.compile(r"[\s.,-]{0,3}")
_FEWEST_DIGITS = 4
_AMOUNTS = frozenset({"values", "args"})
"""Keys below which a bare number was said by the user."""


def may_hold_a_pin(
    text: str,
    *,
    code_words: Sequence[str],
    asked: bool,
    pin_set: bool,
    other_codes: Sequence[str] = (),
    language: str = "en",
) -> bool:
    """Return True if digits of a PIN's length stand beside a word for a code, answer its question, or stand alone.

    `other_codes` are no PIN by their names ("postal code"), unless one is asked for. Number words are digits as well.
    They are not compared with the PIN: its hash is slow by design, and a wrong PIN says much of the right one.
    """
    text = in_digits(text, language)
    if not _PIN_LIKE.search(text):
        return False
    if asked or (pin_set and _NOTHING_ELSE.fullmatch(text) is not None):
        return True
    said = text.casefold()
    for other in other_codes:
        said = said.replace(other, MASK)
    return _names_a_code(said, code_words)


def in_digits(text: str, language: str) -> str:
    """Return the text with each run of number words that is as long as a PIN as digits: "four seven one one"."""
    cardinals = number_words(language).cardinals
    written, at, run = "", 0, list[re.Match[str]]()
    for word in [*_SPOKEN.finditer(text.casefold()), None] if len(text.casefold()) == len(text) else ():
        joined = word is not None and (not run or _BETWEEN.fullmatch(text, run[-1].end(), word.start()))
        if word is not None and joined and (word[0],) in cardinals:
            run.append(word)
            continue
        digits = "".join(str(cardinals[each[0],]) for each in run)
        if len(digits) >= _FEWEST_DIGITS:
            written += text[at : run[0].start()] + digits
            at = run[-1].end()
        run = [word] if word is not None and (word[0],) in cardinals else []
    return written + text[at:]


def hidden(value: JsonValue, *, amounts: bool = False, language: str = "en") -> JsonValue:
    """Return what may be written down of a turn in which a PIN may have been said: no number that was heard."""
    match value:
        case str():
            return _NUMBER.sub(MASK, in_digits(value, language))
        case bool() | None:
            return value
        case int() | float():
            return MASK if amounts else value
        case Mapping():
            return {k: hidden(v, amounts=amounts or k in _AMOUNTS, language=language) for k, v in value.items()}
        case _:
            return [hidden(each, amounts=amounts, language=language) for each in value]


def without_pin(sentence: str, *, language: str = "en") -> str:
    """Return a reply that quotes no PIN; shorter numbers are what the user is asked to agree to, and stay."""
    return _PIN_LIKE.sub(MASK, in_digits(sentence, language))


def _names_a_code(said: str, code_words: Sequence[str]) -> bool:
    """Find short Latin words whole and all others anywhere in a folded text: they are inflected and compounded."""
    return any(
        re.search(rf"(?<![a-z]){word}(?![a-z])", said) if word.isascii() and len(word) < 4 else word in said
        for word in code_words
    )
