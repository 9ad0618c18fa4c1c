"""Values that stand side by side ("in Egypt and Turkey"): a call with one of them means a call for each."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.offer import OfferedTool, Slot
from botpsy_core.domain.tools import Role
from botpsy_core.domain.values import JsonValue

MOST_CALLS = 12
"""That one call may become."""
AND = r"(?:and|or|und|oder|et|ou|y|e|o|en|of|i|lub|oraz|и|или|&|\+)"
UNSPACED_AND = "和|或|与|及|और|या|、"
JOINT = rf"(?:\s*,\s*(?:{AND}\s+)?|\s+{AND}\s+|\s*(?:{UNSPACED_AND})\s*)"
"""What stands between two values of a list."""
LAST_JOINT = re.compile(rf"(?<!\w){AND}(?!\w)|{UNSPACED_AND}")
"""What a list has between its last two values; commas alone make none ("New York, NY")."""
LEAD = r"(?:(?:the|a|an|in|for|on|at|from|der|die|das|le|la|les|el|los|il|de|het)\s+){0,2}"
"""Small words that may come before the next value."""
UNIT = r"(?:\s?[^\W\d_]{1,12}){0,2}"
"""What a number may have behind it."""
QUOTED = r"['\"\u201c\u2018]([^'\"\u201d\u2019]+)['\"\u201d\u2019]"
NAMED = r"((?!I\b)[A-Z][\w.&-]*(?:\s+(?:of\s+(?:the\s+)?)?[A-Z0-9][\w.&-]*)*(?:,\s[A-Z]{2}(?!\w))?)"
WORDS = r"(\w+)"
DIGITS = r"[$€£]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
LISTS = (
    (re.compile(rf"{QUOTED}(?:{JOINT}{LEAD}{QUOTED})+"), re.compile(QUOTED)),
    (re.compile(rf"{NAMED}(?:{JOINT}{LEAD}{NAMED})+"), re.compile(NAMED)),
    (re.compile(rf"{WORDS}\s+{AND}\s+{WORDS}(?=\s*(?:[.?!]|$))"), re.compile(WORDS)),
)
"""Lists of quoted texts, of names, and of two words that end a sentence."""


def spread(raw: RawCall, offered: OfferedTool, clause: Clause) -> tuple[RawCall, ...]:
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
        beside = [v for v in _beside(value, slot, clause) if not _is_held(v, held)]
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


def _beside(value: JsonValue, slot: Slot, clause: Clause) -> list[JsonValue]:
    """Return the value and those beside it, in the order of the words."""
    if isinstance(value, (int, float)):
        return _numbers(value, slot, clause.text)
    if not isinstance(value, str):
        return [value]
    if slot.argument.role is Role.OPTION:
        return _options(value, slot, clause)
    if slot.argument.role is Role.TIME:
        return [value]
    return _names(value, clause.text)


def _numbers(value: float, slot: Slot, text: str) -> list[JsonValue]:
    whole = slot.argument.schema.get("type") == "integer"
    for run in re.finditer(rf"{DIGITS}{UNIT}(?:{JOINT}{LEAD}{DIGITS}{UNIT})+", text):
        found = [float(d.replace(",", "")) for d in re.findall(DIGITS, run[0])]
        if value not in found or not LAST_JOINT.search(run[0]) or (whole and any(not f.is_integer() for f in found)):
            continue
        return [int(f) if f.is_integer() else f for f in dict.fromkeys(found)]
    return [value]


def _options(value: str, slot: Slot, clause: Clause) -> list[JsonValue]:
    """Return the options of the list in the words that holds this one."""
    said = sorted(((c.span, c.value) for c in slot.choices if c.span is not None), key=lambda pair: pair[0].start)
    run: list[JsonValue] = []
    end = 0
    for span, option in said:
        between = clause.text[end - clause.span.start : span.start - clause.span.start] if run else ""
        if run and not re.fullmatch(rf"\W*(?:\w+\s)?{JOINT}{LEAD}\W*", between):
            if value in run:
                break
            run = []
        run.append(option)
        end = span.end
    return run if value in run and len(run) > 1 else [value]


def _names(value: str, text: str) -> list[JsonValue]:
    """Return the names of the list in the words that holds this one; a value that is such a list is taken apart."""
    for whole, item in LISTS:
        for run in whole.finditer(text):
            if not LAST_JOINT.search(run[0]):
                continue
            found = [m[1].strip().removesuffix("'s") for m in item.finditer(run[0]) if not _joins(m[1])]
            if _ends_in(found[0], value):
                found[0] = value  # "Find Berlin": the capital of a sentence is no part of a name
            if any(f.lower() == value.lower() for f in found) or _is_list(value, run[0], found):
                return list(dict.fromkeys(found))
    return [value]


def _joins(word: str) -> bool:
    return LAST_JOINT.fullmatch(word) is not None


def _ends_in(words: str, value: str) -> bool:
    return " " in words and words.lower().endswith(f" {value.lower()}")


def _is_list(value: str, run: str, found: Sequence[str]) -> bool:
    """Return True if a value holds several names of a list that was said."""
    return value.lower() in run.lower() and sum(f.lower() in value.lower() for f in found) > 1
