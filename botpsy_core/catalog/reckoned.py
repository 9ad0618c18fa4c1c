"""Numbers that nobody said but that follow from what was: what a tank still takes, an amount in another unit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from botpsy_core.catalog.facts import Fact, name_words
from botpsy_core.catalog.foreign_measures import unit_behind, units_of
from botpsy_core.catalog.foreign_words import ROUNDED, figures, said_in, stems
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.offer import Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Argument, Role, ToolSpec
from botpsy_core.domain.values import JsonObject, texts_of

FULL: Mapping[str, str] = {
    "en": r"full(?:y)?|completely|to the (?:brim|top|max(?:imum)?)|max(?:imum)? limit|top(?:ping)? (?:\w+ )?(?:off|up)"
    r"|fill(?:ing)? (?:\w+ ){0,4}up",
    "de": r"voll(?:ständig|tanken)?|randvoll|ganz|bis zum rand",
    "fr": r"(?:le )?plein|complètement|entièrement",
    "es": r"lleno|completamente|del todo|hasta (?:el tope|arriba)",
    "it": r"(?:il )?pieno|completamente|fino all'orlo",
    "pt": r"cheio|completamente|até (?:ao topo|cima)",
    "nl": r"vol|helemaal|volledig|tot de rand",
    "pl": r"do pełna|pełny|całkowicie|po brzegi",
    "ru": r"полный|полностью|до полного|доверху|до краёв",
    "zh": r"加满|装满|充满|满",
    "hi": r"पूरा|पूरी तरह|लबालब",
}
"""Words for as much as there is room for; English where a language has none of its own."""
TOTAL: Mapping[str, str] = {
    "en": r"in total|altogether|to end (?:up )?with",
    "de": r"insgesamt",
    "fr": r"au total|en tout",
    "es": r"en total",
    "it": r"in tutto|in totale",
    "pt": r"no total|ao todo",
    "nl": r"in totaal",
    "pl": r"łącznie|w sumie",
    "ru": r"в сумме|итого|всего",
    "zh": r"一共|总共",
    "hi": r"कुल मिलाकर|कुल",
}
"""Words for an amount with what is there already."""
HOLDS = re.compile(r"\b(?:holds?|capacity|maximum|up to|at most)\b[^.\d]{0,30}(\d+(?:\.\d+)?)", re.IGNORECASE)
"""What a tool's text says that there is room for."""
ADDED = re.compile(r"\b(?:additional|added|extra|to add)\b", re.IGNORECASE)
"""An argument's text that wants what comes to what is there."""
PLACES: Mapping[str, int] = {"one": 1, "two": 2, "three": 3, "tenth": 1, "hundredth": 2, "thousandth": 3}
LIKE = 0.15
"""The likeness from which a tool may be what the words speak of."""
FINEST = 6
"""Decimals that a sum keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoned:
    """One number that has to be looked up and reckoned before a call can be made."""

    argument: Argument
    giver: ToolSpec
    args: JsonObject
    """Those of the reading call."""
    told: frozenset[str]
    """Words of the key under which its result tells the number."""
    span: Span
    """The words that the number follows from."""
    whole: float | None = None
    """What it is the rest of; None where it is the very number that is told."""
    places: int = FINEST
    """Decimals that were asked for."""

    def value(self, facts: Sequence[Fact]) -> float | None:
        """Return the number, or None where the results of the reading call do not tell it or leave none."""
        told = (f.value for f in facts if name_words(f.key) & self.told and isinstance(f.value, int | float))
        number = next(told, None)
        if number is None:
            return None
        left = number if self.whole is None else self.whole - number
        return round(left, self.places) if left > 0 else None


def is_named_in(tool: ToolSpec, clause: Clause) -> bool:
    """Return True if the words hold a word of a tool's name."""
    return not stems(tool.called).isdisjoint(stems(clause.text))


def reckoned(offered: OfferedTool, clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> Reckoned | None:
    """Return what has to be reckoned for a tool, where that is one needed number; None where none has to be."""
    needed = [s for s in offered.slots if s.required and s.argument.role is Role.NUMBER]
    if len(needed) != 1 or offered.tool.read_only:
        return None
    return _rest(needed[0], offered.tool, clause, heard, tools) or _converted(needed[0], clause, heard, tools)


def served(offer: Offer, clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> Offer:
    """Return the offer without tools that want a number nobody said, where another takes the one that was."""
    if not any(_takes(t, clause) for t in offer.tools):
        return offer
    kept = [t for t in offer.tools if not t.missing or reckoned(t, clause, heard, tools) is not None]
    return replace(offer, tools=tuple(kept))


def _takes(offered: OfferedTool, clause: Clause) -> bool:
    """Return True for a tool that is like the words and takes a number of its own unit from them."""
    slots = [s for s in offered.slots if s.required and s.argument.role is Role.NUMBER]
    said = all(any(c.span is not None and c.span.overlaps(clause.span) for c in s.choices) for s in slots)
    return bool(slots) and said and offered.score >= LIKE and any(units_of(s.argument.name) for s in slots)


def _rest(slot: Slot, tool: ToolSpec, clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> Reckoned | None:
    """Return what is left to add to what is there already, up to what was said or what there is room for."""
    argument = slot.argument
    said = [c for c in slot.choices if c.span is not None and c.span.overlaps(clause.span)]
    cue = _cue(TOTAL if said else FULL, clause, heard.language)
    room = HOLDS.search(f"{argument.description} {tool.description}")
    if cue is None or len(said) > 1 or not ADDED.search(argument.description) or not (said or room):
        return None
    whole = said[0].value if said else float(room[1]) if room else None
    for giver in tools:
        option = _option(giver, argument)
        if option is not None and isinstance(whole, int | float):
            told = name_words(argument.name)
            return Reckoned(argument=argument, giver=giver, args=option, told=told, span=cue, whole=float(whole))
    return None


def _option(giver: ToolSpec, argument: Argument) -> JsonObject | None:
    """Return the arguments with which a reading tool shows what an argument adds to."""
    needed = [a for a in giver.arguments if a.required]
    if not giver.read_only or len(needed) != 1 or needed[0].role is not Role.OPTION:
        return None
    words = name_words(argument.name)
    shown = next((o for o in texts_of(needed[0].schema.get("enum")) if name_words(o) <= words), None)
    return None if shown is None else {needed[0].name: shown}


def _converted(slot: Slot, clause: Clause, heard: Heard, tools: Sequence[ToolSpec]) -> Reckoned | None:
    """Return the one amount that was said in another unit, where a reading tool converts it."""
    argument = slot.argument
    own = units_of(f"{argument.name} {argument.description}")
    said = [(f, unit_behind(f, heard)) for f in figures(clause, heard)]
    exact = ROUNDED.search(clause.text)
    plain = [f for f, unit in said if not unit and not (exact and f.span.overlaps(_at(exact, clause)))]
    measured = [(f, unit) for f, unit in said if unit]
    if len(own) != 1 or plain or len(measured) != 1 or measured[0][1] == own:
        return None
    ((figure, unit),) = measured
    for giver in tools:
        taken = [a for a in giver.arguments if a.required]
        converts = giver.read_only and len(taken) == 1 and units_of(giver.called) == unit | own
        if converts and units_of(taken[0].name) == unit:
            value = int(figure.value) if figure.value.is_integer() else figure.value
            args: JsonObject = {taken[0].name: value}
            places = FINEST if exact is None else _places(exact)
            return Reckoned(argument=argument, giver=giver, args=args, told=own, span=figure.span, places=places)
    return None


def _places(exact: re.Match[str]) -> int:
    said = exact["count"] or exact["place"]
    return int(said) if said.isdigit() else PLACES[said.lower()]


def _at(match: re.Match[str], clause: Clause) -> Span:
    return Span(start=clause.span.start + match.start(), end=clause.span.start + match.end())


def _cue(words: Mapping[str, str], clause: Clause, language: str) -> Span | None:
    hit = said_in(words, clause.text, language)
    return None if hit is None else _at(hit, clause)
