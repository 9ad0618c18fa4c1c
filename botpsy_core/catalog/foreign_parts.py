"""Where one request ends and the next begins, told by what each part brings for the tools at hand."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from botpsy_core.catalog.foreign_commands import command_starts
from botpsy_core.catalog.foreign_joints import joints
from botpsy_core.catalog.foreign_shapes import repeated_starts
from botpsy_core.catalog.foreign_words import QUOTED, ROUNDED, Figure, figures, names_in, stems
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.tools import Argument, Role, ToolSpec

SENTENCE = re.compile(r"(?<=[.?!;])[\"'\u201d\u2019)]*\s+|\n+|[\u3002\uff1b\uff1f\uff01]")
"""What stands between two sentences."""
BEFORE = 5
"""Words before a number that may tell what it is."""
SURE = 2
"""Words of a tool's text in a part that brings no value: from so many on it is a request all the same."""
AFTER = re.compile(r"[\s$€£%°]*([^\W\d_]{3,})")
"""The word behind a number: what it counts or measures."""


def parts_of(clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> tuple[Clause, ...]:
    """Return the clause taken apart into requests, in order; itself where it is one.

    A part brings the values that some tool needs; what brings none goes with the part before it, or with the first.
    Each goes the ways that its own words say.
    """
    parts = _parts(clause, heard, tools)
    return tuple(_own_ways(part, heard) for part in parts) if len(parts) > 1 else parts


def _own_ways(part: Clause, heard: Heard) -> Clause:
    own = {d for c in heard.clauses if c.span.overlaps(part.span) for d in c.directions}
    return replace(part, directions=tuple(d for d in part.directions if d in own))


def _parts(clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> tuple[Clause, ...]:
    cuts = _places(clause, heard, SENTENCE, joints(heard.language).comma)
    if len(tools) == 1 and len(found := _by_pattern(clause, heard, tools, cuts)) > 1:
        return found
    listed = _enumerated(clause, heard, tools, cuts)
    if len(listed) > 1:
        return tuple(piece for part in listed for piece in _by_tools(part, heard, tools))
    for way in (_by_needs, _by_pattern):
        if len(found := way(clause, heard, tools, cuts)) > 1:
            return found
    if starts := repeated_starts(clause, heard, tools) or command_starts(clause, heard, tools):
        return _cut(clause, starts)
    return _by_tools(clause, heard, tools)


def is_elided(part: Clause, clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> bool:
    """Return True if a part of a clause goes on with the verb of the first: "... and 30 pounds to kilograms"."""
    return part.span.start in repeated_starts(clause, heard, tools)


def stands_alone(part: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> bool:
    """Return True if a part brings all that some tool needs, so that nobody need read the rest."""
    return any(_serves(part, heard, tool) for tool in tools)


def _enumerated(clause: Clause, heard: Heard, tools: Sequence[ToolSpec], cuts: Sequence[int]) -> tuple[Clause, ...]:
    """Return the parts that begin with "then", "also", "lastly" and the like."""
    starts = []
    for place in cuts:
        rest = clause.text[place - clause.span.start :]
        if joints(heard.language).next.match(rest):
            starts.append(place)
    kept: list[int] = []
    for begins, ends in pairwise([*starts, clause.span.end]):
        part = _piece(clause, Span(start=begins, end=ends))
        before = _piece(clause, Span(start=clause.span.start, end=begins))
        first = not kept and not stands_alone(before, heard, tools) and stands_alone(part, heard, tools)
        if _brings(part, heard, tools) and _brings(before, heard, tools) and not first:
            kept.append(begins)
    return _cut(clause, kept)


def _brings(part: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> bool:
    """Return True if a part holds a value or speaks of a tool."""
    if names_in(part.text) or figures(part, heard):
        return True
    said = stems(part.text)
    return any(len(said & stems(f"{t.called} {t.description}")) >= SURE for t in tools)


def _places(clause: Clause, heard: Heard, *breaks: re.Pattern[str]) -> tuple[int, ...]:
    """Return the places of the utterance at which a part may begin; none inside quotes or lists."""
    at = clause.span.start
    whole = [m.span() for m in QUOTED.finditer(clause.text)]
    joint = joints(heard.language)
    whole += [m.span() for m in joint.counted.finditer(clause.text)]
    whole += [m.span() for pattern, _ in joint.lists for m in pattern.finditer(clause.text) if joint.last.search(m[0])]
    ends = {m.end() for pattern in breaks for m in pattern.finditer(clause.text)}
    if SENTENCE in breaks:
        ends |= {c.span.start - at for c in heard.clauses}
    kept = (e for e in ends if 0 < e < len(clause.text) and not any(a < e < b for a, b in whole))
    return tuple(sorted(at + end for end in kept))


def _cut(clause: Clause, starts: Sequence[int]) -> tuple[Clause, ...]:
    """Return the clause cut at these places."""
    edges = (clause.span.start, *starts, clause.span.end)
    return tuple(_piece(clause, Span(start=a, end=b)) for a, b in pairwise(edges))


def _piece(clause: Clause, span: Span) -> Clause:
    text = clause.text[span.start - clause.span.start : span.end - clause.span.start]
    span = Span(start=span.start, end=span.start + len(text.rstrip()))
    return replace(
        clause,
        text=text.rstrip(),
        span=span,
        targets=tuple(t for t in clause.targets if t.span is None or t.span.overlaps(span)),
        values=tuple(v for v in clause.values if v.span.overlaps(span)),
        unexplained=tuple(s for s in clause.unexplained if s.overlaps(span)),
    )


def _by_needs(clause: Clause, heard: Heard, tools: Sequence[ToolSpec], cuts: Sequence[int]) -> tuple[Clause, ...]:
    """Return parts each of which brings what some tool needs; what comes between two of them goes with the first."""
    starts: list[int] = []
    served = False
    pending: int | None = clause.span.start
    for unit in _cut(clause, cuts):
        begins = unit.span.start if pending is None else pending
        since = _piece(clause, Span(start=begins, end=unit.span.end))
        alone = any(_serves(unit, heard, tool) for tool in tools)
        if alone or any(_serves(since, heard, tool) for tool in tools):
            if served:
                starts.append(unit.span.start if alone else begins)
            served, pending = True, None
        elif served and pending is None:
            pending = unit.span.start
    return _cut(clause, starts)


def _by_tools(clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> tuple[Clause, ...]:
    """Return the two sides that need two tools, or the clause."""
    for place in _places(clause, heard, SENTENCE, joints(heard.language).comma, joints(heard.language).plain):
        left, right = _cut(clause, (place,))
        one, other = _most_like(left, heard, tools), _most_like(right, heard, tools)
        if one and other and not one & other:
            return left, right
    return (clause,)


def _most_like(part: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> frozenset[str]:
    """Return the tools that a part serves and most of whose words it holds."""
    said = stems(part.text)
    shared = {t.name: len(said & stems(f"{t.called} {t.description}")) for t in tools if _serves(part, heard, t)}
    most = max(shared.values(), default=0)
    return frozenset(name for name, count in shared.items() if count == most)


def _serves(part: Clause, heard: Heard, tool: ToolSpec) -> bool:
    """Return True if a part holds as many numbers and names as a tool needs, and speaks of it."""
    needed = [a for a in tool.arguments if a.required]
    if any(a.schema.get("type") == "object" or _holds_objects(a) for a in needed):
        return False
    numbers = sum(a.role is Role.NUMBER for a in needed)
    listed = sum(a.schema.get("type") == "array" for a in needed)
    texts = sum(a.schema.get("type") == "string" and a.role in {Role.TEXT, Role.FREE} for a in needed)
    said, names = len(_counted(part, heard)), len(names_in(part.text))
    enough = said >= numbers and names >= texts and names + said - numbers - texts >= listed and names + said > 0
    return enough and not stems(part.text).isdisjoint(stems(f"{tool.called} {tool.description}"))


def _counted(part: Clause, heard: Heard) -> list[Figure]:
    """Return the numbers of a part; where the utterance writes digits, a number word is none ("two shapes")."""
    at = part.span.start
    exact = [Span(start=at + m.start(), end=at + m.end()) for m in ROUNDED.finditer(part.text)]
    found = [f for f in figures(part, heard) if not any(f.span.overlaps(s) for s in exact)]
    digits = [f for f in found if heard.text[f.span.start : f.span.end][-1:].isdigit()]
    return digits if re.search(r"\d", heard.text) else found


def _holds_objects(argument: Argument) -> bool:
    items = argument.schema.get("items")
    return isinstance(items, dict) and items.get("type") in {"object", "array"}


def _by_pattern(clause: Clause, heard: Heard, tools: Sequence[ToolSpec], cuts: Sequence[int]) -> tuple[Clause, ...]:
    """Return parts that each count or measure the same again: "5 m for 10 s. ... 7 m for 8 s"."""
    said = figures(clause, heard)
    groups: dict[str, list[Figure]] = {}
    for figure in said:
        for word in _beside(figure, clause):
            groups.setdefault(word, []).append(figure)
    best: tuple[Clause, ...] = ()
    score = (False, 1, 0)
    for group in groups.values():
        starts = [s for a, b in pairwise(group) if (s := _between(clause, cuts, a, b, heard.language)) is not None]
        here = (all(_is_plain(clause, start, heard.language) for start in starts), len(group), sum(starts))
        if len(starts) != len(group) - 1 or here <= score:
            continue
        parts = _cut(clause, starts)
        if any(_repeats(parts, heard, tool) for tool in tools):
            best, score = parts, here
    return best


def _beside(figure: Figure, clause: Clause) -> frozenset[str]:
    """Return the words around a number that may say what it counts or measures."""
    at = clause.span.start
    *counted, since = re.split(r"\d", clause.text[: figure.span.start - at])
    before = since.split()[bool(counted) :][-BEFORE:]  # the first word after a number is what that one counts
    after = AFTER.match(clause.text, figure.span.end - at)
    return stems(" ".join(before)) | (stems(after[1]) if after else frozenset())


def _between(clause: Clause, cuts: Sequence[int], one: Figure, other: Figure, language: str) -> int | None:
    """Return where a part begins between two numbers: at the last plain place, else at the last there is."""
    found = [c for c in cuts if one.span.end <= c <= other.span.start]
    ends = [c for c in found if _is_plain(clause, c, language)]
    return next(iter(reversed(ends or found)), None)


def _is_plain(clause: Clause, place: int, language: str) -> bool:
    """Return True for a place where plainly something else begins: after a sentence, or with "and then"."""
    at = place - clause.span.start
    after_sentence = SENTENCE.search(clause.text[:at].rstrip()[-1:] + " ") is not None
    return after_sentence or joints(language).next.match(clause.text, at) is not None


def _repeats(parts: Sequence[Clause], heard: Heard, tool: ToolSpec) -> bool:
    """Return True if each part holds most numbers that a tool needs, or all but those that the first tells."""
    needed = sum(a.required and a.role is Role.NUMBER for a in tool.arguments)
    counts = [len(figures(part, heard)) for part in parts]
    spare = counts[0] - min(counts)
    return needed > 0 and all(c * 2 > needed or 0 < c >= needed - spare for c in counts)
