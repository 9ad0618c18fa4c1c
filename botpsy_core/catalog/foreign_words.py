"""What words hold for a tool of which only schema and text are known: numbers, dates, names, its own words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from botpsy_core.domain.heard import Clause, Heard, Span, Value, ValueKind
from botpsy_core.domain.tools import Argument, ToolSpec

WORD = re.compile(r"[^\W\d_]+")
FEWEST_NAMING = 2
"""Words of a name that name it, where none of them is its own."""
STEM = 5
"""Letters that two words share to be the same word here: "include_statistics", "with statistic"."""
SHORTEST = 3
"""Letters of a word that can tell what an argument is about."""
NUMBER = re.compile(r"(?<![\w^.,])(?:(?<![\w)\]])[-\u2212])?(\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)")
NO_NUMBER = re.compile(
    r"(?:^|\n)\s*\d{1,2}[.)](?:\s|$)|\d+[-./]\d+[-./]\d+|\d{1,2}:\d{2}(?::\d{2})?|(?=\w*[^\W\d_])[A-Za-z_][\w]*(?:-\w+)*"
    r"|[\w-]+-[A-Za-z][\w-]*\d[\w-]*"
)
"""Digits that count nothing: places in a list, dates, times of the clock, names like "U123"."""
POINTED = frozenset({"en", "zh", "hi"})
"""Languages that write a point before the decimals; the others write a comma."""
DECIMAL = re.compile(r"(?<=\d),(?=\d)")
THOUSANDS = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
ROUNDED = re.compile(
    r"\b(?:to |use |with )?(?P<count>\d|one|two|three) (?:decimals?|digits after)\b"
    r"|\b(?:nearest|rounded?)\b[^.]{0,12}\b(?P<place>tenth|hundredth|thousandth)",
    re.IGNORECASE,
)
"""How exactly a number is wanted, which is no number of a request."""
REST = "rest"
AT_REST = re.compile(r"\b(?:from|at) rest\b", re.IGNORECASE)
"""A speed of zero, in the words of physics."""
DATED = re.compile(r"(?<!\d)(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)")
"""A date in digits, the year first."""
YEAR = re.compile(r"[\s,]{1,3}((?:1[5-9]|20)\d\d)(?![\d]|[-./]\d)")
"""A year right after a day and a month."""
A_DAY = "2026-12-24"
"""How long a day is in digits."""
TIMELIKE = frozenset({ValueKind.TIME, ValueKind.TIME_RANGE})
COMMON = frozenset({
    "about", "after", "all", "and", "any", "are", "array", "available", "based", "been", "being", "boolean", "both",
    "can", "code", "data", "default", "defaults", "desired", "each", "else", "example", "false", "field", "float",
    "following", "for", "format", "from", "full", "function", "get", "given", "has", "have", "how", "identifier",
    "include", "indicates", "information", "input", "integer", "its", "kind", "like", "list", "may", "more", "must",
    "name", "need", "needed", "not", "null", "number", "object", "one", "only", "option", "optional", "options",
    "other", "our", "parameter", "please", "possible", "provide", "provided", "requested", "required", "should",
    "show", "specific", "specified", "specify", "string", "such", "that", "the", "their", "them", "then", "this",
    "those", "true", "type", "unit", "use", "used", "user", "using", "value", "values", "want", "was", "what",
    "when", "where", "whether", "which", "who", "will", "with", "would", "you", "your",
})  # fmt: skip
"""Words that stand in any tool's text, and so tell nothing of one argument."""


TENS: Mapping[str, str] = {
    "en": "decades?", "de": "jahrzehnt(?:en?|s)?", "fr": "décennies?", "es": "décadas?", "it": "decenni[oi]",
    "pt": "décadas?", "nl": "decenni(?:um|a)", "pl": "dekad[aąęy]?", "ru": "десятилети[еяй]", "hi": "दशकों?",
}  # fmt: skip
"""Ten years."""
TWELVES: Mapping[str, str] = {
    "en": "dozens?", "de": "dutzend", "fr": "douzaines?", "es": "docenas?", "it": "dozzin[ae]", "pt": "dúzias?",
    "nl": "dozijn", "pl": "tuzin[ay]?", "ru": "дюжин[аыу]?", "hi": "दर्जन",
}  # fmt: skip

NAME = re.compile(r"(?<![.!?:]\s)(?<!^)(?<!['\"\u201c])\b(?!I\b)[A-Z][\w&-]*(?:\.\w+)*(?:\s+[A-Z][\w&-]*)*")
QUOTED = re.compile(r"(?<!\w)['\"\u201c\u2018]([^'\"\u201c\u201d\u2018\u2019\n]{1,120})['\"\u201d\u2019](?!\w)")


def said_in(words: Mapping[str, str], text: str, language: str) -> re.Match[str] | None:
    """Return where a text first says one of the words of a language, English where it has none; None where nowhere."""
    known = words.get(language, words["en"])
    return re.search(known if language == "zh" else rf"(?<!\w)(?:{known})(?!\w)", text, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that was said."""

    value: float
    span: Span
    unit: str = ""
    """What it counts, in English, where the number's own word says it ("two decades"); else empty."""


def stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words that carry meaning."""
    words = (w.lower() for w in WORD.findall(_apart(text)))
    return frozenset(stem(w) for w in words if len(w) >= SHORTEST and w not in COMMON)


def stem(word: str) -> str:
    """Return the beginning of a word, without a plural's mark."""
    return (word[:-1] if word.endswith("s") and len(word) > SHORTEST else word)[:STEM]


def own_stems(argument: Argument, tool: ToolSpec) -> frozenset[str]:
    """Return the words of an argument that stand nowhere else in its tool's text."""
    others = " ".join(f"{a.name} {a.description}" for a in tool.arguments if a.name != argument.name)
    return stems(f"{argument.name} {argument.description}") - stems(f"{tool.description} {others}")


def is_spoken_of(argument: Argument, tool: ToolSpec, said: frozenset[str]) -> bool:
    """Return True if the words name an argument, by its name or by a word of its description that is its own."""
    return not said.isdisjoint(own_stems(argument, tool))


def is_named(argument: Argument, said: frozenset[str]) -> bool:
    """Return True if the words hold every word of an argument's name, two at least: `avoid_tolls`."""
    own = stems(argument.name)
    return len(own) >= FEWEST_NAMING and own <= said


def names_in(text: str) -> tuple[str, ...]:
    """Return what looks like a name: quoted words, and words with a capital inside a sentence."""
    quoted = tuple(m[1] for m in QUOTED.finditer(text))
    return (*quoted, *NAME.findall(QUOTED.sub(" ", text)))


def tells_a_value(heard: Heard) -> bool:
    """Return True if an utterance says a number or a name."""
    return bool(names_in(heard.text)) or any(figures(clause, heard) for clause in heard.clauses)


def _apart(text: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text)


def figures(clause: Clause, heard: Heard) -> tuple[Figure, ...]:
    """Return the numbers of a clause in the order of its words: digits, "1,000" and "16th", and number words."""
    at = clause.span.start
    found: dict[int, Figure] = {}
    counted = NO_NUMBER.sub(lambda m: " " * len(m[0]), with_points(clause.text, heard.language))
    for match in NUMBER.finditer(counted):
        span = Span(start=at + match.start(), end=at + match.end())
        value = float(match[1].replace(",", ""))
        found[span.start] = Figure(-value if match[0][0] in "-\u2212" else value, span)
    for match in AT_REST.finditer(clause.text):
        span = Span(start=at + match.start(), end=at + match.end())
        found[span.start] = Figure(0.0, span, REST)
    for said in clause.values:
        words = heard.text[said.span.start : said.span.end]
        if said.kind is ValueKind.NUMBER and isinstance(said.value, (int, float)) and not re.search(r"\d", words):
            found.setdefault(said.span.start, Figure(float(said.value), said.span))
    found |= _counted_by_noun(clause, heard.language, found)
    return tuple(found[place] for place in sorted(found))


def with_points(text: str, language: str) -> str:
    """Return a text with its decimal marks as English writes them, "3.5" for "3,5", and "1,000" for "1.000"."""
    if language in POINTED:
        return text
    return THOUSANDS.sub(",", DECIMAL.sub("\0", text)).replace("\0", ".")


def _counted_by_noun(clause: Clause, language: str, said: Mapping[int, Figure]) -> dict[int, Figure]:
    """Return the numbers that nouns hold ("a dozen", "two decades"), at the place of the number that counts them."""
    at, found = clause.span.start, dict[int, Figure]()
    for words, each, unit in ((TENS, 10, "year"), (TWELVES, 12, "")):
        noun = words.get(language)
        for match in re.finditer(rf"(?<!\w)(?:{noun})(?!\w)", clause.text, re.IGNORECASE) if noun else ():
            start, end = at + match.start(), at + match.end()
            before = next((f for f in said.values() if clause.text[f.span.end - at : match.start()].isspace()), None)
            first, count = (start, 1.0) if before is None else (before.span.start, before.value)
            found[first] = Figure(count * each, Span(start=first, end=end), unit)
    return found


def moments(clause: Clause, heard: Heard) -> tuple[tuple[date | datetime, Span], ...]:
    """Return the days and times that were said; one that tells its year comes instead of those that do not."""
    at = clause.span.start
    fixed: list[tuple[date | datetime, Span]] = []
    for match in DATED.finditer(clause.text):
        try:
            day = date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
        fixed.append((day, Span(start=at + match.start(), end=at + match.end())))
    days: list[tuple[date | datetime, Span]] = []
    times: list[tuple[date | datetime, Span]] = []
    for value in clause.values:
        for text in _readings(value):
            if any(span.overlaps(value.span) for _, span in fixed) and len(text) == len(A_DAY):
                continue
            if len(text) > len(A_DAY):
                times.append((datetime.fromisoformat(text), value.span))
            elif year := YEAR.match(heard.text, value.span.end):
                day = date.fromisoformat(text)
                fixed.append((_in_year(day, int(year[1])), Span(start=value.span.start, end=year.end())))
            else:
                days.append((date.fromisoformat(text), value.span))
    return (*(fixed or days), *times)


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def _readings(value: Value) -> Iterator[str]:
    if value.kind not in TIMELIKE:
        return
    for reading in (value.value, *value.ambiguous):
        parts = reading.items() if isinstance(reading, Mapping) else (("", reading),)
        for end, text in parts:
            if isinstance(text, str):
                yield _day_before(text) if end == "end" and len(text) == len(A_DAY) else text


def _day_before(day: str) -> str:
    """Return the last day of a time that ends with the beginning of this one."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
