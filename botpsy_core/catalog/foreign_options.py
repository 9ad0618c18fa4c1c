"""Which of a foreign argument's options, or of the numbers that its description gives for words, was said."""

import re
from collections.abc import Sequence

from botpsy_core.catalog.foreign_said import OPEN_SCORE, Said
from botpsy_core.catalog.foreign_ways import of_the_tongue, of_the_way
from botpsy_core.catalog.foreign_words import WORD, is_spoken_of, stems
from botpsy_core.catalog.options import told_codes, told_opposites
from botpsy_core.domain.cues import word_hits
from botpsy_core.domain.heard import Clause, Span
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.tongues import subtag
from botpsy_core.domain.tools import Argument, ToolSpec
from botpsy_core.domain.values import JsonObject, texts_of

DIGITS = re.compile(r"-?\d+(?:\.\d+)?")
MANY = frozenset({"integer", "number"})


def options_in(argument: Argument, schema: JsonObject, said: Said, tool: ToolSpec) -> tuple[Choice, ...]:
    """Return the options that were said, else all where one is needed, or where it is yes or no and spoken of."""
    options = texts_of(schema.get("enum"))
    found = [Choice(label=o, value=o, span=s) for o in options if (s := _place(o, said.clause))]
    if not found:
        found = [Choice(label=o, value=o, span=s) for o in options if (s := _like(o, options, said.clause))]
    if not found and all(subtag(o) for o in options):
        found = list(of_the_tongue(options, said.clause))
    if not found and argument.required:
        found = list(of_the_way(options, said.clause, said.heard))
    yes_or_no = {"true", "false"} <= {o.lower() for o in options} and is_spoken_of(argument, tool, said.stems)
    if found or not (argument.required or yes_or_no):
        return tuple(found)
    return tuple(Choice(label=o, value=o, score=OPEN_SCORE) for o in options)


def _like(option: str, options: Sequence[str], clause: Clause) -> Span | None:
    """Return where a word of an option that none of the others has was said, in another form."""
    own = stems(option) - stems(" ".join(o for o in options if o != option))
    hit = next((m for m in WORD.finditer(clause.text) if not own.isdisjoint(stems(m[0]))), None)
    at = clause.span.start
    return None if hit is None else Span(start=hit.start() + at, end=hit.end() + at)


def told_number(argument: Argument, clause: Clause) -> tuple[Choice, ...]:
    """Return the one number that a description gives for words that were said: "'2' for ironing"."""
    if argument.schema.get("type") not in MANY:
        return ()
    enum = argument.schema.get("enum")
    coded = told_codes(argument.description)
    told = {code: words for code, words in coded if not isinstance(enum, Sequence) or int(code) in enum}
    found = {code: s for code, words in told.items() if (s := _like(words, tuple(told.values()), clause))}
    found = found or _not_nothing(argument.description, clause)
    if len(found) != 1:
        return ()
    ((code, span),) = found.items()
    return (Choice(label=code, value=int(code), span=span),)


def _not_nothing(description: str, clause: Clause) -> dict[str, Span]:
    """Return the number of two of which the other denies: of "not pressed" and "fully pressed" what "press" says."""
    meant = told_opposites(description)
    at = None if meant is None or DIGITS.search(clause.text) else _like(meant[1], (meant[1],), clause)
    return {} if meant is None or at is None else {meant[0]: at}


def _place(option: str, clause: Clause) -> Span | None:
    hits = word_hits([option.replace("_", " ").lower()], clause.text)
    at = clause.span.start
    return Span(start=hits[0].start + at, end=hits[0].end + at) if hits else None
