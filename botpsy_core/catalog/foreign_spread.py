"""Values that stand side by side ("in Egypt and Turkey"): a call with one of them means a call for each."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from botpsy_core.catalog.foreign_grounds import EXAMPLE
from botpsy_core.catalog.foreign_joints import DIGITS, Joints, joints
from botpsy_core.catalog.foreign_words import with_points
from botpsy_core.domain.cues import word_hits
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause, Span
from botpsy_core.domain.offer import Choice, OfferedTool, Slot
from botpsy_core.domain.tools import Role
from botpsy_core.domain.values import JsonValue

MOST_CALLS = 12
"""That one call may become."""


def spread(raw: RawCall, offered: OfferedTool, clause: Clause, language: str) -> tuple[RawCall, ...]:
    """Return a call for each combination of the values that stand beside those of this call; at least the call itself.

    A value that another argument holds is no such neighbour ("between 50 and 150").
    """
    ways: dict[str, list[JsonValue]] = {}
    for slot in offered.slots:
        name = slot.argument.name
        value = raw.args.get(name)
        if value is None or slot.several or isinstance(value, (bool, Mapping, list, tuple)):
            continue
        held = [v for key, v in raw.args.items() if key != name]
        beside = [v for v in _beside(value, slot, clause, language) if not _is_held(v, held)]
        if len(beside) > 1:
            ways[name] = beside
    calls = [
        replace(raw, args={**raw.args, **dict(zip(ways, chosen, strict=True))})
        for chosen in itertools.product(*ways.values())
    ]
    return tuple(calls) if len(calls) <= MOST_CALLS else (raw,)


def _is_held(value: JsonValue, held: Sequence[JsonValue]) -> bool:
    flat = [v for other in held for v in (other if isinstance(other, (list, tuple)) else (other,))]
    if isinstance(value, str):
        return any(isinstance(v, str) and value.lower() in v.lower() for v in flat)
    return value in flat


def _beside(value: JsonValue, slot: Slot, clause: Clause, language: str) -> list[JsonValue]:
    """Return the value and those beside it, in the order of the words."""
    joint = joints(language)
    if isinstance(value, (int, float)):
        return _numbers(value, slot, with_points(clause.text, language), joint)
    if not isinstance(value, str):
        return [value]
    if slot.argument.role is Role.OPTION:
        return _options(value, slot, clause, joint)
    if slot.argument.role is Role.TIME:
        return [value]
    return _examples(value, slot, clause, joint) or _names(value, clause.text, joint)


def _examples(value: str, slot: Slot, clause: Clause, joint: Joints) -> list[JsonValue]:
    """Return the examples of a description ("E.g., 'top_score', 'last_game'") that were said beside this one."""
    told = [m[1] for m in EXAMPLE.finditer(slot.argument.description)]
    hits = {t: word_hits([t.replace("_", " ").lower()], clause.text) for t in told if value in told}
    at = clause.span.start
    choices = tuple(
        Choice(label=t, value=t, span=Span(start=s[0].start + at, end=s[0].end + at)) for t, s in hits.items() if s
    )
    return _options(value, replace(slot, choices=choices), clause, joint) if len(choices) > 1 else []


def _numbers(value: float, slot: Slot, text: str, joint: Joints) -> list[JsonValue]:
    whole = slot.argument.schema.get("type") == "integer"
    for run in joint.numbers.finditer(text):
        found = [float(d.replace(",", "")) for d in re.findall(DIGITS, run[0])]
        if value not in found or not joint.last.search(run[0]) or (whole and any(not f.is_integer() for f in found)):
            continue
        return [int(f) if f.is_integer() else f for f in dict.fromkeys(found)]
    return [value]


def _options(value: str, slot: Slot, clause: Clause, joint: Joints) -> list[JsonValue]:
    """Return the options of the list in the words that holds this one."""
    said = sorted(((c.span, c.value) for c in slot.choices if c.span is not None), key=lambda pair: pair[0].start)
    run: list[JsonValue] = []
    end = 0
    for span, option in said:
        between = clause.text[end - clause.span.start : span.start - clause.span.start] if run else ""
        if run and not joint.between.fullmatch(between):
            if value in run:
                break
            run = []
        run.append(option)
        end = span.end
    return run if value in run and len(run) > 1 else [value]


def _names(value: str, text: str, joint: Joints) -> list[JsonValue]:
    """Return the names of the list in the words that holds this one; a value that is such a list is taken apart."""
    for whole, item in joint.lists:
        for run in whole.finditer(text):
            if not joint.last.search(run[0]):
                continue
            ends = run.end() == len(text.rstrip())
            found = [m[1].strip().removesuffix("'s") for m in item.finditer(run[0]) if not joint.last.fullmatch(m[1])]
            if ends and found[-1].count(".") == 1:
                found[-1] = found[-1].removesuffix(".")  # of the sentence
            if _ends_in(found[0], value):
                found[0] = value  # "Find Berlin": the capital of a sentence is no part of a name
            if any(f.lower() == value.lower() for f in found) or _is_list(value, run[0], found):
                return list(dict.fromkeys(found))
    return [value]


def _ends_in(words: str, value: str) -> bool:
    return " " in words and words.lower().endswith(f" {value.lower()}")


def _is_list(value: str, run: str, found: Sequence[str]) -> bool:
    """Return True if a value holds several names of a list that was said, or all with what they own."""
    owned = value.lower().startswith(tuple(f"{run.lower()}{mark}s " for mark in "'\u2019"))
    return (owned or value.lower() in run.lower()) and sum(f.lower() in value.lower() for f in found) > 1
