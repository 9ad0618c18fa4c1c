"""Sentences that Home Assistant's own Assist understands, drawn from its templates, about a home of ours.

The templates come from the `home-assistant-intents` package when this runs; none is kept here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from random import Random

from hassil.expression import Alternative, Expression, Group, ListReference, Permutation, RuleReference, TextChunk
from hassil.intents import IntentData, Intents, RangeSlotList, TextSlotList
from hassil.parse_expression import parse_sentence

PACKAGES = {"zh": "zh-CN"}
"""The package's name of a language, where it is another."""


class Templates:
    """What Assist understands in a language, about things, rooms and floors of these names."""

    def __init__(
        self, language: str, things: Mapping[str, Sequence[str]], rooms: Sequence[str], floors: Sequence[str]
    ) -> None:
        """Take the names of things by domain, of rooms and of floors."""
        package = files("home_assistant_intents") / "data" / f"{PACKAGES.get(language, language)}.json"
        self._intents = Intents.from_dict(json.loads(package.read_text("utf-8")))
        self._things, self._rooms, self._floors = things, rooms, floors

    def drawn(self, each: int) -> Iterator[str]:
        """Yield `each` sentences a group of templates, the same ones every time; timers belong to a satellite."""
        for name, intent in self._intents.intents.items():
            for number, group in enumerate(intent.data if "Timer" not in name else ()):
                random = Random(f"0 {name} {number}")
                for _ in range(each):
                    template = parse_sentence(random.choice(group.sentence_texts))
                    if said := self._say(template.expression, group, random):
                        yield " ".join(said.split())

    def _say(self, expression: Expression, group: IntentData, random: Random) -> str | None:
        """Return one of the texts that an expression stands for, None where it holds a text that nobody knows."""
        match expression:
            case TextChunk():
                return expression.original_text
            case Alternative():
                return self._say(random.choice(expression.items), group, random)
            case Group():
                mixed = isinstance(expression, Permutation)
                items = random.sample(expression.items, len(expression.items)) if mixed else expression.items
                parts = [self._say(item, group, random) for item in items]
                return None if None in parts else (" " if mixed else "").join(part for part in parts if part)
            case RuleReference():
                rules = {**self._intents.expansion_rules, **group.expansion_rules}
                return self._say(rules[expression.rule_name].expression, group, random)
            case ListReference(list_name="name" | "area" | "floor" as kind):
                names = self._names(kind, group)
                return random.choice(names) if names else None
            case ListReference():
                return self._listed(expression.list_name, group, random)
        raise TypeError(type(expression))

    def _listed(self, name: str, group: IntentData, random: Random) -> str | None:
        match group.slot_lists.get(name) or self._intents.slot_lists.get(name):
            case TextSlotList(values=values):
                return self._say(random.choice(values).text_in, group, random)
            case RangeSlotList(start=start, stop=stop, step=step):
                return str(random.choice(range(int(start), int(stop) + 1, int(step))))
        return None

    def _names(self, kind: str, group: IntentData) -> Sequence[str]:
        """Return the names that a list stands for: for a thing, those of the domains that the group is for."""
        if kind != "name":
            return self._rooms if kind == "area" else self._floors
        wanted = (group.requires_context or {}).get("domain") or group.slots.get("domain")
        wanted = wanted.get("value") if isinstance(wanted, Mapping) else wanted
        domains = [wanted] if isinstance(wanted, str) else wanted or list(self._things)
        return [name for domain in domains for name in self._things.get(domain, ())]
