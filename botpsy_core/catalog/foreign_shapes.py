"""Requests whose verb is said once: "convert 5 miles to km and 30 pounds to kg" goes on in the shape it began in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.catalog.foreign_joints import NAMED, QUOTED, joints
from botpsy_core.catalog.foreign_words import Figure, figures, stems
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.tools import Role, ToolSpec

_TOKEN = re.compile(
    rf"(?P<quoted>{QUOTED})|(?P<named>(?<!^){NAMED})|(?P<number>[$€£]?\d[\d.,]*\d|\d)|(?P<word>[^\W\d_]+)"
)
_COMMA = re.compile(r",\s+")
_VALUES = frozenset({"quoted", "named", "number"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    kind: str
    text: str
    start: int


def repeated_starts(clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> tuple[int, ...]:
    """Return where each further request begins that goes on as the one before it ended, word for value; none else.

    Each has a value and a word of the one before; the first has all the numbers and names that the tool needs.
    """
    tool = _meant(clause, tools)
    if tool is None:
        return ()
    said = figures(clause, heard)
    tokens = _tokens(clause, said)
    gaps = _gaps(clause, heard.language, tokens)
    begins, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(clause.text)]
    first, *runs = [[t for t in tokens if a <= t.start < b] for a, b in zip(begins, ends, strict=True)]
    starts: list[int] = []
    for place, run in zip(begins[1:], runs, strict=True):
        if _goes_on(first, run) and (starts or _is_enough(first, tool)) and not _names_another(run, first, tool):
            starts.append(place + clause.span.start)
        elif starts:
            return ()  # what follows the last request is none of these
        else:
            first = [*first, *run]
    return tuple(starts)


def _meant(clause: Clause, tools: Sequence[ToolSpec]) -> ToolSpec | None:
    """Return the tool most of whose words were said; None where it takes lists or objects, or none was spoken of."""
    said = stems(clause.text)
    best = max(tools, key=lambda t: len(said & stems(f"{t.called} {t.description}")), default=None)
    if best is None or said.isdisjoint(stems(f"{best.called} {best.description}")):
        return None
    return None if any(a.schema.get("type") in {"array", "object"} for a in best.arguments) else best


def _tokens(clause: Clause, said: Sequence[Figure]) -> list[_Token]:
    at = clause.span.start
    counted = {f.span.start - at for f in said}
    return [
        _Token(
            kind="number" if m.start() in counted else str(m.lastgroup), text=m[0].lower().rstrip("."), start=m.start()
        )
        for m in _TOKEN.finditer(clause.text)
    ]


def _gaps(clause: Clause, language: str, tokens: Sequence[_Token]) -> list[tuple[int, int]]:
    """Return where each joint begins and ends that stands inside no value."""
    found = {m.end(): m.start() for pattern in (joints(language).plain, _COMMA) for m in pattern.finditer(clause.text)}
    inside = [(t.start, t.start + len(t.text)) for t in tokens if t.kind in _VALUES]
    gaps = sorted((start, end) for end, start in found.items() if start > 0 and end < len(clause.text))
    gaps = [(start, end) for start, end in gaps if "+" not in clause.text[start:end]]  # "3x + 2x" is a sum
    return [(start, end) for start, end in gaps if not any(a < start and end < b for a, b in inside)]


def _goes_on(first: Sequence[_Token], run: Sequence[_Token]) -> bool:
    """Return True if a run has the shape in which the first ended, shares a word with it, and brings a value."""
    if not run or len(run) >= len(first):
        return False
    pairs = list(zip(first[-len(run) :], run, strict=True))
    same = any(a.kind == b.kind == "word" and a.text == b.text for a, b in pairs)
    values = [b for a, b in pairs if b.kind in _VALUES and a.kind in _VALUES]
    return same and bool(values) and all((a.kind in _VALUES) == (b.kind in _VALUES) for a, b in pairs)


def _is_enough(first: Sequence[_Token], tool: ToolSpec) -> bool:
    """Return True if a request has as many numbers, or names where it needs no number, as its tool needs."""
    needed = [a for a in tool.arguments if a.required]
    numbers = sum(a.role is Role.NUMBER for a in needed)
    if numbers:
        return sum(t.kind == "number" for t in first) >= numbers
    texts = sum(a.role in {Role.TEXT, Role.FREE} and a.schema.get("type") == "string" for a in needed)
    return 0 < texts <= sum(t.kind in _VALUES for t in first if t.start)


def _names_another(run: Sequence[_Token], first: Sequence[_Token], tool: ToolSpec) -> bool:
    """Return True if a run speaks by name of an argument that the first request does not: "5 bedrooms and 2 baths"."""
    said, before = (stems(" ".join(t.text for t in part if t.kind == "word")) for part in (run, first))
    names = frozenset(stem for a in tool.arguments for stem in stems(a.name))
    return not (said & names) <= before
