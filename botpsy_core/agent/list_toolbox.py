"""Tools that change what stands on a list already: each item is found first, on whichever list it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from botpsy_core.agent.phrases import phrases_for
from botpsy_core.catalog import parts_between
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.cues import LETTER, beside, cue_hits
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import ToolboxFailed
from botpsy_core.ports import ListKeeper

_WORD = re.compile(rf"{LETTER}+|[\u3400-\u9fff]")


@dataclass(slots=True, kw_only=True)
class _Found:
    """Where each of the items stands that were said."""

    on: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By item as said: its list, and how it is written there."""
    absent: list[str] = field(default_factory=list)
    several: list[str] = field(default_factory=list)
    """Items that stand on more than one list."""


class ListToolbox:
    """Ticks off, removes and moves items; what stands on no list is told and nothing is done for it."""

    def __init__(self, keeper: ListKeeper, tools: Sequence[ToolSpec]) -> None:
        """Take who keeps the lists, and the tools that are bound to them."""
        self._keeper = keeper
        self._specs = {s.name: s for s in sorted(tools, key=lambda s: s.name) if s.binding.get("kind") == "list"}

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name."""
        return tuple(self._specs.values())

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return whether the items are there, each on one list that this user may change."""
        phrases = phrases_for(context.language)
        found = await self._find(call, context)
        to = self._to(call)
        if found.several:
            items = phrases.listed(found.several)
            return Readiness(unmet=(phrases.say("lists", "several", items=items),))
        if not found.on:
            return Readiness(unmet=(phrases.say("lists", "absent", items=phrases.listed(found.absent)),))
        lists = dict.fromkeys([*(on for on, _ in found.on.values()), *([to] if to else [])])
        ready = await self._keeper.ready(tuple(lists), context)
        listed = await self._already(found, to, context)
        there = phrases.say("lists", "listed", items=phrases.listed(listed))
        return Readiness(unmet=(there,)) if len(listed) == len(found.on) else ready

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Change the items that are there now, one after the other; what fails is told."""
        spec, found, to = self._specs[call.name], await self._find(call, context), self._to(call)
        done: list[JsonValue] = []
        failed: list[JsonValue] = []
        listed = await self._already(found, to, context)
        for item, (on, written) in found.on.items():
            if item in listed:
                continue
            try:
                match spec.binding["operation"]:
                    case "complete":
                        await self._keeper.complete(on, written, context)
                    case "remove":
                        await self._keeper.remove(on, written, context)
                    case _ if to is not None:
                        # First there, then away from here: nothing is lost in between.
                        await self._keeper.add(to, written, context)
                        await self._keeper.remove(on, written, context)
            except ToolboxFailed:
                failed.append(item)
            else:
                done.append({"item": item, "list": on})
        left = [*found.absent, *found.several]
        told = {"operation": spec.binding["operation"], "done": done, "to": to, "failed": failed}
        outcome = Outcome.DONE if done else Outcome.FAILED if failed else Outcome.NOT_SENT
        return ToolResult(call_id=call.id, outcome=outcome, data={"items": {**told, "absent": left, "listed": listed}})

    async def _already(self, found: _Found, to: str | None, context: TurnContext) -> list[str]:
        """Return the items that stand where they are to be moved to."""
        there = {item.casefold() for item in await self._keeper.items(to, context)} if to is not None else set()
        return [item for item, (_, written) in found.on.items() if written.casefold() in there]

    def _to(self, call: ToolCall) -> str | None:
        argument = self._specs[call.name].binding.get("to")
        value = call.args.get(str(argument)[1:]) if argument else None
        return str(value[0]) if isinstance(value, list | tuple) and value else None

    async def _find(self, call: ToolCall, context: TurnContext) -> _Found:
        """Return where the items stand: on the list that was named, else on any that this user knows of."""
        spec, to = self._specs[call.name], self._to(call)
        named = [i for i in spec.targets_of(call) if i != to]
        lists = {i: await self._keeper.items(i, context) for i in named or self._keeper.lists(context) if i != to}
        text = str(call.args.get(str(spec.binding["item"])[1:], ""))
        found = _Found()
        whole = {i: hits for i, items in lists.items() if (hits := _like(text, items))}
        parts = [text] if whole else parts_between(text, spec.binding.get("split"), context.language.partition("-")[0])
        for part in parts:
            bare = _without(part, spec, context)
            said = part if any(_like(part, items) for items in lists.values()) else bare
            places = [(i, written) for i, items in lists.items() for written in _like(said, items)[:1]]
            if len(places) == 1:
                found.on[said] = places[0]
            else:
                (found.several if places else found.absent).append(said)
        return found


def _without(text: str, spec: ToolSpec, context: TurnContext) -> str:
    """Return a text without the tool's own words ("milk bought") and those that go with it."""
    language = context.language.partition("-")[0]
    groups = [*cue_hits(spec.cues, text, language), *(beside(a.schema, text, language) for a in spec.arguments)]
    for hit in sorted({hit for group in groups for hit in group}, key=lambda span: -span.start):
        text = f"{text[: hit.start]} {text[hit.end :]}"
    return " ".join(text.split()) or text


def _like(said: str, items: Sequence[str]) -> list[str]:
    """Return the items that are these words, an article before them aside."""
    words = _words(said)
    same = [item for item in items if _words(item) == words]
    return same or [item for item in items if words[1:] and _words(item) == words[1:]]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
