"""Which reading tool tells what another tool's argument asks for, as their names and texts say."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.catalog.facts import name_words
from botpsy_core.catalog.foreign_words import stems
from botpsy_core.catalog.found import BARE
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.offer import Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Argument, Role, ToolSpec

JOINING = frozenset({"by", "based", "on", "from", "of", "with", "for", "at", "in", "all", "to", "the", "and"})
"""Words that join a tool's name."""
NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w-]*[a-z][\w-]*(?: [A-Z][\w-]*[a-z][\w-]*)*")
"""A name by its capitals, which the first word of a sentence has anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What has to be looked up before a call can be made."""

    giver: ToolSpec
    arguments: tuple[Argument, ...]
    """Those of the call that want one such value each."""


def need_of(offered: OfferedTool, tools: Sequence[ToolSpec]) -> Need | None:
    """Return what has to be looked up first, or None: identifiers that a reading tool gives, and nothing else does."""
    wanted: dict[str, list[Argument]] = {}
    givers: dict[str, ToolSpec] = {}
    for slot in offered.slots:
        giver = _giver(slot, offered.tool, tools) if slot.required and not slot.choices else None
        if giver is not None:
            givers[giver.name] = giver
            wanted.setdefault(giver.name, []).append(slot.argument)
    name = next(iter(wanted), None)
    return None if name is None else Need(giver=givers[name], arguments=tuple(wanted[name]))


def asked_by_names(offer: Offer, clause: Clause, tools: Sequence[ToolSpec]) -> OfferedTool | None:
    """Return the one reading tool that wants an identifier looked up for each name that was said, two at least."""
    names = names_in(clause.text)
    found = [
        t
        for t in offer.tools
        if t.tool.read_only
        and (need := need_of(t, tools)) is not None
        and len(need.arguments) == len(names) > 1
        and sum(s.required for s in t.slots) == len(names)
        and not stems(clause.text).isdisjoint(stems(t.tool.called))
    ]
    return found[0] if len(found) == 1 else None


def names_in(text: str) -> tuple[str, ...]:
    """Return what a text writes as names, in the order in which each was said last."""
    last = {m[0]: m.start() for m in NAME.finditer(text)}
    return tuple(sorted(last, key=lambda name: last[name]))


def _giver(slot: Slot, tool: ToolSpec, tools: Sequence[ToolSpec]) -> ToolSpec | None:
    if slot.argument.role is Role.OPTION:
        return None
    fitting = [t for t in tools if t.name != tool.name and _gives(t, slot.argument)]
    return min(fitting, key=lambda t: (len(name_words(t.called)), t.name), default=None)


def _gives(giver: ToolSpec, argument: Argument) -> bool:
    """Return True if a reading tool looks up the identifier that an argument asks for: `get_x_id(x)`."""
    wanted = [a for a in giver.arguments if a.required]
    if not giver.read_only or not wanted or any(a.name == argument.name for a in giver.arguments):
        return False
    promised = name_words(giver.called) - JOINING
    identifiers = frozenset(word for word in promised if word == "id" or word.endswith("code"))
    asks = name_words(argument.name) | name_words(argument.description)
    own = frozenset(word for a in giver.arguments for word in name_words(a.name))
    of_it = promised - identifiers
    return bool(identifiers) and identifiers <= asks - own and (bool((of_it - BARE) & asks) or "id" not in identifiers)
