"""What the model may write for one offer, in llguidance's Lark."""

import json
import re
from collections.abc import Sequence

from botpsy_core.dialect.families import Family, Values
from botpsy_core.dialect.schema import grammar_schema
from botpsy_core.dialect.words import runs_of_words
from botpsy_core.dialect.write import cdata, to_json, write_value
from botpsy_core.domain.engine import Grammar
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, Role
from botpsy_core.domain.values import JsonObject

_ANSWER = r"/[^<>{}\[\]`\n ][^<>{}\[\]`\n]{0,399}/"
"""One paragraph in which no call can hide."""

_NOTHING = '""'

_MOST_ITEMS = 16
"""Of a list."""

_COMPACT: JsonObject = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": ", "lenient": True}


def build_grammar(family: Family, offer: Offer) -> Grammar:
    """Return the grammar of one decision: offered calls, refusal and question unless one must be made, an answer."""
    return Grammar(lark=_Builder(family).build(offer))


class _Builder:
    """Rules of one grammar while it grows."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._rules: list[str] = []

    def build(self, offer: Offer) -> str:
        """Return the whole text."""
        f = self._family
        branches = [self._tool(f"t{i}", tool) for i, tool in enumerate(offer.tools)]
        if not (offer.must_call and offer.tools):
            branches += [self._named(name, "") for name in (NO_SUITABLE_TOOL, ASK_USER)]
        self._rule("call", " | ".join(branches))
        block = [self._marker(f.begin), _text(f.lead + f.name_open), "call", _text(f.tail), self._marker(f.stop)]
        whole = " ".join(part for part in block if part)
        start = f"start: {whole} | ANSWER\nANSWER: {_ANSWER}" if offer.may_answer else f"start: {whole}"
        return "\n".join((start, *self._rules)) + "\n"

    def _rule(self, name: str, body: str) -> str:
        self._rules.append(f"{name}: {body}")
        return name

    def _marker(self, marker: str) -> str:
        """Return a reference to the token where the vocabulary has it, its text otherwise."""
        return marker if marker in self._family.special else _text(marker)

    def _named(self, name: str, args: str) -> str:
        f = self._family
        return " ".join(part for part in (_text(name + f.name_close), args, _text(f.end)) if part)

    def _tool(self, rule: str, offered: OfferedTool) -> str:
        slots = [slot for slot in offered.slots if slot.argument.name not in offered.missing]
        values = [self._value(f"{rule}_v{i}", slot) for i, slot in enumerate(slots)]
        written = [(slot, value) for slot, value in zip(slots, values, strict=True) if value]
        return self._rule(rule, self._named(offered.tool.name, self._arguments(rule, written)))

    def _arguments(self, rule: str, written: Sequence[tuple[Slot, str]]) -> str:
        """Return a reference to the rules that allow these arguments in this order, the optional ones or not."""
        f = self._family
        first, more = "", ""
        for i, (slot, value) in reversed(list(enumerate(written))):
            argument = f"{_text(f.arg_open + slot.argument.name + f.arg_mid)} {value} {_text(f.arg_close)} {more}"
            joined = f"{_text(f.arg_join)} {argument}"
            if not slot.required:
                joined, argument = f"{joined} | {more or _NOTHING}", f"{argument} | {first or _NOTHING}"
            more, first = self._rule(f"{rule}_m{i}", joined), self._rule(f"{rule}_f{i}", argument)
        return first

    def _value(self, name: str, slot: Slot) -> str:
        """Return a reference to the rule of one value, empty where nothing may be written."""
        if slot.several:
            return self._several(name, slot)
        f = self._family
        labels = dict.fromkeys(_choice(f, choice) for choice in slot.choices if not self._holds_control(choice.label))
        if labels:
            return self._rule(name, " | ".join(_text(label) for label in labels))
        if slot.words and (rule := self._words(name, slot.words)):
            return rule
        open_ = slot.required or slot.argument.role is Role.FREE
        return self._free(name, slot.argument.schema) if open_ and not slot.choices else ""

    def _several(self, name: str, slot: Slot) -> str:
        """Return a reference to the rule of a list, which every family writes as JSON."""
        item = f"{name}_i"
        labels = [_label(choice) for choice in slot.choices if not self._holds_control(choice.label)]
        if labels:
            self._rule(item, " | ".join(_text(label) for label in dict.fromkeys(labels)))
        elif not slot.words or (runs := runs_of_words(self._spoken(slot.words), escaped=True)) is None:
            return self._free(name, slot.argument.schema)
        else:
            self._rule(item.upper(), runs)
            self._rule(item, f'"\\"" {item.upper()} "\\""')
        more = min(len(labels) or _MOST_ITEMS, _MOST_ITEMS) - 1
        rest = f' (", " {item}){{0,{more}}}' if more else ""
        return self._rule(name, f'"[" {item}{rest} "]"')

    def _spoken(self, words: str) -> str:
        """Return words without special tokens."""
        if not self._holds_control(words):
            return words
        return re.sub("|".join(map(re.escape, sorted(self._family.control, key=len, reverse=True))), " ", words)

    def _holds_control(self, text: str) -> bool:
        """Return True if the text holds a special token, whose letters cannot be written one by one."""
        return "<" in text and any(token in text for token in self._family.control)

    def _words(self, name: str, words: str) -> str:
        words = self._spoken(words)
        quoted = self._family.values in {Values.JSON, Values.PYTHON}
        terminal = name.upper()
        if (runs := runs_of_words(words, escaped=quoted)) is None:
            return ""
        self._rule(terminal, runs)
        match self._family.values:
            case Values.JSON | Values.PYTHON:
                return self._rule(name, f'"\\"" {terminal} "\\""')
            case Values.CDATA if cdata(flat := " ".join(words.split())) != flat:
                return self._rule(name, f'"<![CDATA[" {terminal} "]]>"')
            case _:
                return self._rule(name, terminal)

    def _free(self, name: str, schema: JsonObject) -> str:
        plain = grammar_schema(schema)
        if self._family.values in {Values.RAW, Values.CDATA}:
            if isinstance(values := plain.get("enum"), list):
                return self._rule(name, " | ".join(_text(write_value(self._family, value)) for value in values))
            if plain.get("type") == "string":
                return self._rule(name, f"/[^<&\\s]([^<&\\n]{{0,{plain['maxLength']}}}[^<&\\s])?/")
        return self._rule(name, f"%json {to_json({**plain, 'x-guidance': _COMPACT})}")


def _choice(family: Family, choice: Choice) -> str:
    """Return how the family writes a label: a bare number where the label is one."""
    return choice.label if _is_number(choice) else write_value(family, choice.label)


def _label(choice: Choice) -> str:
    """Return how a label is written inside a list."""
    return choice.label if _is_number(choice) else to_json(choice.label)


def _is_number(choice: Choice) -> bool:
    return isinstance(choice.value, (int, float)) and to_json(choice.value) == choice.label


def _text(text: str) -> str:
    """Return a Lark literal."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")  # which Lark's strings may not hold
