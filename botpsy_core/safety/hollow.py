"""Tell a value from words that merely stand where a value belongs: a grammar makes a model put something there."""

import re
from collections.abc import Sequence

from botpsy_core.domain.heard import Heard
from botpsy_core.domain.tools import Argument, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.safety.saying import times_said
from botpsy_core.safety.words import folded, occurrences

_HANDLE = re.compile(r"(?:^|_)(?:id|key|token|url|uri|email|e_mail|uuid|phone|path|file|address|number)s?$")
"""Names of arguments that hold a handle of something: words of everyday language are none."""
_DATA = re.compile(r"[\d@/\\._#]|[A-Z]{2}")
_EXAMPLES = re.compile(r"\([^()]*\)|\b(?:like|such as|e\.g\.|example|instance|options?)\b[^.;]*", re.IGNORECASE)
"""Where a description names values of its argument."""
_LATIN = re.compile(r"[a-z]{3,}")
_STEM = 5
_PLACES = "the first second third fourth fifth sixth seventh eighth ninth tenth last next"
_POINTING = frozenset(word[:_STEM] for word in _PLACES.split())
"""Beginnings of words that point at a place in a row, and tell nothing of what stands there."""


def is_hollow(argument: Argument, value: JsonValue, *, spec: ToolSpec, heard: Heard, taken: Sequence[str]) -> bool:
    """Return True for a text that is no value of this argument.

    It repeats what the tool says of itself and is no example of the argument's, tells a place in a row ("second item"),
    stands already in other arguments as often as it was said (`taken`, folded), so may a number or each text of a list,
    or is plain words where a handle is wanted.
    """
    if isinstance(value, list | tuple):
        texts = [item for item in value if isinstance(item, str)]
        return bool(texts) and len(texts) == len(value) and all(_is_taken(item, heard, taken) for item in texts)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 0 < times_said(value, heard) <= taken.count(folded(str(value)))
    if not isinstance(value, str) or "enum" in argument.schema:
        return False
    return _is_taken(value, heard, taken) or _is_no_value(argument, value, spec, heard)


def _is_no_value(argument: Argument, value: str, spec: ToolSpec, heard: Heard) -> bool:
    """Return True for plain words where a handle is wanted, and for the tool's own words."""
    if _HANDLE.search(_snake(argument.name)) and not _DATA.search(value) and not _is_quoted(value, heard.text):
        return True
    own = _singular(stems(f"{spec.called} {spec.description} {argument.name}"))
    said = _singular(stems(value) - _POINTING)
    if not said or not said <= own or _is_example(value, argument.description):
        return False
    return not _DATA.search(value) and not _is_quoted(value, heard.text)


def _is_taken(value: str, heard: Heard, taken: Sequence[str]) -> bool:
    return 0 < taken.count(folded(value)) >= sum(1 for _ in occurrences(value, heard.text))


def stems(text: str) -> frozenset[str]:
    """Return the first letters of a text's words, names in code taken apart; words shorter than three left out."""
    return frozenset(w[:_STEM] for w in _LATIN.findall(_snake(text).replace("_", " ")))


def _singular(found: frozenset[str]) -> frozenset[str]:
    return frozenset(stem.removesuffix("s") for stem in found)


def _is_example(value: str, description: str) -> bool:
    """Return True if a description gives a value as an example: "a dish like soup", "(soup, salad)"."""
    return any(next(occurrences(value, told[0]), None) is not None for told in _EXAMPLES.finditer(description))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", name).lower()


def _is_quoted(value: str, text: str) -> bool:
    return re.search(rf"[\"'`“„«]\s*{re.escape(value)}\s*[\"'`”“»]", text, re.IGNORECASE) is not None
