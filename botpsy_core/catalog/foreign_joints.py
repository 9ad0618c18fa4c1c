"""What stands between values, and between requests, in each language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

AND: Mapping[str, str] = {
    "en": "and|or",
    "de": "und|oder",
    "fr": "et|ou",
    "es": "y|e|o|u",
    "it": "e|ed|o",
    "pt": "e|ou",
    "nl": "en|of",
    "pl": "i|oraz|lub",
    "ru": "и|или",
    "hi": "और|या",
}
"""The words between the last two values of a list; English where a language writes no spaces."""
NEXT: Mapping[str, str] = {
    "en": r"first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|also|last(?:ly)?|finally|additionally|after (?:that|this)"
    r"|another",
    "de": "erstens|zweitens|dann|danach|auch|außerdem|schließlich|zuletzt",
    "fr": "puis|ensuite|aussi|enfin|après",
    "es": "luego|después|también|además|finalmente",
    "it": "poi|dopo|anche|inoltre|infine",
    "pt": "depois|também|além disso|finalmente",
    "nl": "dan|daarna|ook|bovendien|tenslotte",
    "pl": "potem|następnie|także|też|wreszcie",
    "ru": "затем|потом|также|ещё|наконец",
    "hi": "फिर|साथ ही|अंत में",
}
"""How a further request begins."""
UNSPACED = "和|或|与|及|、"
UNSPACED_NEXT = "然后|还有|最后|另外"
LEAD = r"(?:(?:the|a|an|in|for|on|at|from|der|die|das|le|la|les|el|los|il|de|het)\s+){0,2}"
"""Small words that may come before the next value."""
UNIT = r"(?:\s?[^\W\d_]{1,12}){0,2}"
"""What a number may have behind it."""
QUOTED = r"['\"\u201c\u2018]([^'\"\u201d\u2019]+)['\"\u201d\u2019]"
LETTERS = r"(?:(?![\u3000-\u9fff])[\w.&-])*"
NAMED = rf"((?!I\b)[A-Z]{LETTERS}(?:\s+(?:of\s+(?:the\s+)?)?[A-Z0-9]{LETTERS})*(?:,\s[A-Z]{{2}}(?!\w))?)"
WORDS = r"(\w+)"
DIGITS = r"[$€£]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
BARE = r"\d+(?:[.,]\d+)*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joints:
    """The patterns of one language."""

    last: re.Pattern[str]
    """What a list has between its last two values; commas alone make none ("New York, NY")."""
    lists: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    """Lists of quoted texts, of names, and of two words that end a sentence, each with what one of them is."""
    numbers: re.Pattern[str]
    """Numbers side by side, with their units."""
    counted: re.Pattern[str]
    """The same from the first digit to the last."""
    between: re.Pattern[str]
    """All that stands between two options of a list."""
    comma: re.Pattern[str]
    """What may stand between two requests within a sentence."""
    plain: re.Pattern[str]
    """The same, where each side speaks of a tool of its own."""
    next: re.Pattern[str]
    """How a further request begins."""


@cache
def joints(language: str) -> Joints:
    """Return the patterns of a language; those of English where it has none of its own."""
    word = rf"(?:{AND.get(language, AND['en'])}|&|\+)"
    then = NEXT.get(language, NEXT["en"])
    joint = rf"(?:\s*,\s*(?:{word}\s+)?|\s+{word}\s+|\s*(?:{UNSPACED})\s*)"
    lists = tuple((re.compile(rf"{item}(?:{joint}{LEAD}{item})+"), re.compile(item)) for item in (QUOTED, NAMED))
    ends = re.compile(rf"{WORDS}\s+{word}\s+{WORDS}(?=\s*(?:[.?!]|$))")
    return Joints(
        last=re.compile(rf"(?<!\w){word}(?!\w)|{UNSPACED}"),
        lists=(*lists, (ends, re.compile(WORDS))),
        numbers=re.compile(rf"{DIGITS}{UNIT}(?:{joint}{LEAD}{DIGITS}{UNIT})+"),
        counted=re.compile(rf"{BARE}(?:\s?[^\W\d]+)?(?:{joint}{BARE}(?:\s[^\W\d]+(?=\s*,|\s+{word}\s+\d))?)+"),
        between=re.compile(rf"\W*(?:\w+\s)?{joint}{LEAD}\W*"),
        comma=re.compile(rf",?\s+(?={word}\s+(?:{then})\b)|,\s+(?=(?:{then})\b)|,\s+{word}\s+", re.IGNORECASE),
        plain=re.compile(rf"\s+{word}\s+"),
        next=re.compile(rf"(?:{word}\s)?(?:{then})\b|(?:{UNSPACED_NEXT})|\d[.)]\s", re.IGNORECASE),
    )
