"""Trace what a model wrote into a foreign call to the words: optional values without ground go, texts are put right."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeIs

from botpsy_core.catalog.facts import name_words
from botpsy_core.catalog.foreign import SHAPED
from botpsy_core.catalog.foreign_words import QUOTED, SHORTEST, figures, is_spoken_of, names_in, stem, stems
from botpsy_core.catalog.options import mark_of
from botpsy_core.domain.currencies import currencies_in
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.offer import OfferedTool, Slot
from botpsy_core.domain.tools import Argument, Role, ToolSpec
from botpsy_core.domain.values import JsonValue

EDGES = " \t\n.,;:!?'\"()[]{}"
"""What stands around a value and is none of it."""
WHOLE = re.compile(r"(?<![.?!:]\s)(?<!^)(?<!\w)[A-Z][^\W\d_A-Z]+(?: (?:of (?:the )?)?[A-Z][^\W\d_A-Z]+)+(?!\w)")
"""A name of several words; a capital that begins a sentence begins none."""
PAUSES = ",;:"
"""What ends a value that goes on with something else."""
LONG = 8
"""Words from which on a text is no form of a name or a code."""
DIGITS = re.compile(r"\d+(?:\.\d+)?")
PARTED = re.compile(r"\bformat of \w+, \w+", re.IGNORECASE)
"""A description of an argument that has several parts, as an address has."""
NAME_WORDS = 3
"""Of a place that may be named without capitals."""
EXAMPLE = re.compile(r"(?<!\w)['\"\u2018\u201c]([^'\"\u2018\u2019\u201c\u201d]+)['\"\u2019\u201d](?!\w)")
"""A value that a description quotes."""


def grounded(raw: RawCall, offered: OfferedTool, clause: Clause, heard: Heard) -> RawCall:
    """Return the call with its texts as they were said, without optional values that nobody said or others hold."""
    slots = {slot.argument.name: slot for slot in offered.slots}
    kept = {name: _as_said(value, slots[name], heard) if name in slots else value for name, value in raw.args.items()}
    kept |= {
        name: own for name in kept if name in slots and (own := _own_quote(name, kept, slots[name], clause, heard))
    }
    kept |= {name: whole for name in kept if name in slots and (whole := _whole_name(name, kept, slots[name], clause))}
    kept |= {
        name: slots[name].argument.schema["default"]
        for name in kept
        if name in slots and _falls_back(kept[name], slots[name], heard)
    }
    for name in raw.args:
        slot = slots.get(name)
        others = [value for key, value in kept.items() if key != name]
        if slot is None or not (
            slot.required or _stands(kept[name], slot, offered.tool, others, clause=clause, heard=heard)
        ):
            del kept[name]
        elif _is_vague(kept[name], slot, heard.text):
            del kept[name]  # "a little spot" is no street, city, state: what is left out is asked for
    marked = {n: s.choices[0].label for n, s in slots.items() if s.choices and n not in kept and mark_of(s.argument)}
    return replace(raw, args={**kept, **marked})


def _is_vague(value: JsonValue, slot: Slot, words: str) -> bool:
    """Return True for a long text that wants several parts ("street, city, state") and holds no number and no name."""
    if slot.choices or not isinstance(value, str) or PARTED.search(slot.argument.description) is None:
        return False
    named = any(name.lower() in value.lower() for name in names_in(words))
    return not named and re.search(r"[\d,]", value) is None and len(value.split()) > NAME_WORDS


def _as_said(value: JsonValue, slot: Slot, heard: Heard) -> JsonValue:
    """Return a text as it was said; of a list what was said, if anything was."""
    if slot.choices or slot.argument.role is not Role.FREE:
        return value
    if isinstance(value, str):
        return _text(value, slot.argument, heard.text)
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
        said = [v for v in value if _is_said(str(v), heard.text)]
        return list(dict.fromkeys(said)) or value
    return value


def _own_quote(name: str, kept: Mapping[str, JsonValue], slot: Slot, clause: Clause, heard: Heard) -> str | None:
    """Return the one text that a part quotes itself, where the model took another part's instead."""
    value = kept[name]
    if slot.choices or slot.argument.role is not Role.FREE or not isinstance(value, str) or value in clause.text:
        return None
    elsewhere = {match[1] for match in QUOTED.finditer(heard.text)}
    own = [m[1] for m in QUOTED.finditer(clause.text) if m[1] not in kept.values()]
    return own[0] if value in elsewhere and len(own) == 1 else None


def _whole_name(name: str, kept: Mapping[str, JsonValue], slot: Slot, clause: Clause) -> str | None:
    """Return the name that was said of which the model took a part, where no other argument holds the rest of it."""
    value = kept[name]
    if slot.choices or slot.argument.role is Role.OPTION or not isinstance(value, str) or clause.text.count(value) != 1:
        return None
    run = next(
        (m[0] for m in WHOLE.finditer(clause.text) if value in m[0].split(" ") or f" {value} " in f" {m[0]} "), ""
    )
    rest = run.replace(value, " ").split()
    held = " ".join(leaf for key in kept if key != name for leaf in _leaves(kept[key]) if isinstance(leaf, str))
    known = stems(f"{slot.argument.name} {slot.argument.description}")
    free = rest and not any(word in held or stem(word.lower()) in known for word in rest)
    return run if free else None


def _text(value: str, argument: Argument, words: str) -> str:
    """Return the said beginning of a text, or the form that the description gives of it ("New York, NY")."""
    forms = [match[1] for match in EXAMPLE.finditer(argument.description)]
    if "currency" in name_words(f"{argument.name} {argument.description}") and (code := _code_of(value, forms, words)):
        return code
    if form := next((f for f in forms if f.startswith(f"{value},")), ""):
        return form
    parts = value.split()
    if _is_said(value, words) or (SHAPED.search(argument.description) and len(parts) < LONG):
        return _without_its_name(value, argument)
    said = next((n for n in range(len(parts) - 1, 0, -1) if _is_said(" ".join(parts[:n]), words)), 0)
    ends = said > 1 or said * 2 >= len(parts) or (said and parts[said - 1][-1] in PAUSES)
    return " ".join(parts[:said]).rstrip(PAUSES) if ends else value


def _code_of(value: str, forms: Sequence[str], words: str) -> str:
    """Return the code of the money that a text names and that was said; empty where a description wants it named."""
    codes = currencies_in(value) & currencies_in(words)
    named = forms and not any(currencies_in(form) == {form} for form in forms)
    return "" if named or len(codes) != 1 else next(iter(codes))


def _without_its_name(value: str, argument: Argument) -> str:
    """Return a word of two parts without the part that only says what it is: "wood-fired" for a `fire_type`."""
    first, _, last = value.partition("-")
    named = any(last.lower().startswith(word) for word in name_words(argument.name) if len(word) >= SHORTEST)
    return first if first.isalpha() and last.isalpha() and named else value


def _falls_back(value: JsonValue, slot: Slot, heard: Heard) -> bool:
    """Return True for a needed text that nobody said, where its schema has a default for that."""
    default = slot.argument.schema.get("default")
    plain = slot.required and not slot.choices and slot.argument.role is Role.FREE
    return plain and isinstance(value, str) and isinstance(default, str) and not _is_said(value, heard.text)


def _is_said(text: str, words: str) -> bool:
    folded = text.strip(EDGES).lower()
    return bool(folded) and " ".join(folded.split()) in " ".join(words.lower().split())


def _stands(
    value: JsonValue, slot: Slot, tool: ToolSpec, others: Sequence[JsonValue], *, clause: Clause, heard: Heard
) -> bool:
    """Return True if an optional value was said, and not for another argument."""
    if slot.argument.role is Role.NUMBER or (_is_number(value) and not isinstance(value, bool)):
        found = figures(clause, heard)
        spans, said = {f.span for f in found}, [f.value for f in found]
        if any(c.value == value and c.span is not None and c.span not in spans for c in slot.choices):
            return True  # words that the description gives this number for
        taken = (
            sum(_holds(leaf, float(value)) for other in others for leaf in _leaves(other)) if _is_number(value) else 0
        )
        return _is_number(value) and said.count(float(value)) > taken
    if slot.choices or isinstance(value, (bool, Mapping)):
        return True
    texts = [text for text in _leaves(value) if isinstance(text, str)]
    if not is_spoken_of(slot.argument, tool, stems(clause.text)):
        named = [name.lower() for name in names_in(clause.text)]
        texts = [t for t in texts if any(t.strip(EDGES).lower() in n or n in t.lower() for n in named)]
    return bool(texts) and all(_is_own(_said_of(t, slot.argument), others, heard.text) for t in texts)


def _said_of(text: str, argument: Argument) -> str:
    """Return what of a text has to have been said: of a form like "New York, NY" what stands before the comma."""
    before, comma, _ = text.partition(",")
    formed = any("," in match[1] for match in EXAMPLE.finditer(argument.description))
    return before if comma and formed else text


def _is_number(value: JsonValue) -> TypeIs[int | float]:
    return isinstance(value, (int, float))


def _holds(leaf: JsonValue, number: float) -> int:
    """Return how often a value is, or has in its text, a number."""
    if isinstance(leaf, str):
        return sum(float(digits) == number for digits in DIGITS.findall(leaf))
    return int(leaf == number)


def _is_own(text: str, others: Sequence[JsonValue], words: str) -> bool:
    """Return True if a text was said, and more often than other arguments hold it."""
    if not _is_said(text, words):
        return False
    folded = text.strip(EDGES).lower()
    held = [leaf.lower() for other in others for leaf in _leaves(other) if isinstance(leaf, str)]
    if any(h.strip(EDGES) in folded for h in held if h.strip(EDGES)):
        return False
    times = len(re.findall(rf"(?<!\w){re.escape(folded)}(?!\w)", words.lower()))
    return times > sum(folded in h for h in held)


def _leaves(value: JsonValue) -> Iterator[JsonValue]:
    match value:
        case str():
            yield value
        case Mapping():
            for inner in value.values():
                yield from _leaves(inner)
        case Sequence():
            for inner in value:
                yield from _leaves(inner)
        case _:
            yield value
