"""Our grammars (llguidance's Lark) in llama.cpp's own notation, for servers that know no other.

Reads what the dialects write: rules and terminals of literals, special tokens, plain regular expressions, runs of
words and JSON values. A JSON Schema becomes its type; arguments are checked against the whole schema afterwards anyway.
"""

import json
import re
from collections.abc import Mapping
from itertools import count
from typing import Any

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<regex>/(?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/)|(?P<special><[^<>\s]+>)
    |(?P<json>%json\b)|(?P<words>%regex\b)|(?P<name>[A-Za-z_]\w*)|(?P<mark>[|&()?*+]))""",
    re.VERBOSE,
)
_RULE = re.compile(r"^([A-Za-z_]\w*)\s*:", re.MULTILINE)
_EDGES = re.compile(r"\s*&\s*/.*/")
_QUANTIFIER = re.compile(r"[?*+]|\{\d*,?\d*\}")
_CLASSES = {"s": r" \t\n\r", "d": "0-9", "w": "a-zA-Z0-9_"}

_JSON_RULES = r"""
json-value ::= json-text | json-number | "true" | "false" | "null" | json-list | json-object
json-text ::= "\"" ( [^"\\\x00-\x1f] | "\\" ( ["\\/bfnrt] | "u" [0-9a-fA-F]{4} ) ){0,400} "\""
json-number ::= "-"? ( "0" | [1-9] [0-9]{0,15} ) ( "." [0-9]{1,15} )?
json-integer ::= "-"? ( "0" | [1-9] [0-9]{0,15} )
json-list ::= "[" ( json-value ( ", " json-value ){0,16} )? "]"
json-object ::= "{" ( json-text ": " json-value ( ", " json-text ": " json-value ){0,16} )? "}"
"""
_JSON_TYPES = {"string": "json-text", "number": "json-number", "integer": "json-integer", "array": "json-list"}


class NotConvertible(Exception):
    """The grammar uses something that has no counterpart."""


def to_gbnf(lark: str) -> str:
    """Return the same grammar in GBNF; raise NotConvertible."""
    heads = list(_RULE.finditer(lark))
    if not heads or heads[0].start() != 0:
        raise NotConvertible("no rule at the beginning")
    ends = [head.start() for head in heads[1:]] + [len(lark)]
    rules = _Rules()
    lines = [
        f"{_name(head.group(1))} ::= {rules.body(lark[head.end() : end])}"
        for head, end in zip(heads, ends, strict=True)
    ]
    return "\n".join((*lines, *rules.more)) + (_JSON_RULES if rules.uses_json else "\n")


class _Rules:
    """Bodies of rules, and the rules that they need beside themselves."""

    def __init__(self) -> None:
        self.more: list[str] = []
        self.uses_json = False
        self._numbers = count()

    def body(self, text: str) -> str:
        """Return one rule's right side."""
        parts: list[str] = []
        place = 0
        while text[place:].strip():
            part, place = self._part(text, place)
            parts.append(part)
        if "&" in parts:
            raise NotConvertible("an intersection")
        return " ".join(parts)

    def _part(self, text: str, place: int) -> tuple[str, int]:
        """Return the next element and where it ends."""
        found = _TOKEN.match(text, place)
        if found is None:
            raise NotConvertible(text[place:][:40])
        place = found.end()
        match found.lastgroup:
            case "text" | "special":
                written = found.group().strip()
                part = _literal(json.loads(written) if found["text"] else written)
            case "name":
                part = _name(found["name"])
            case "regex":
                part = f"( {regex_to_gbnf(found['regex'][1:-1])} )"
            case "json":
                schema, place = _json_at(text, place)
                part = self._json(schema)
            case "words":
                value, place = _json_at(text, place)
                part = self._words(value)
                if edges := _EDGES.match(text, place):  # the same that _words has
                    place = edges.end()
            case _:
                part = found["mark"]
        return part, place

    def _json(self, schema: Mapping[str, Any]) -> str:
        if options := schema.get("enum"):
            return "( " + " | ".join(_literal(json.dumps(o, ensure_ascii=False)) for o in options) + " )"
        self.uses_json = True
        match schema.get("type"):
            case "boolean":
                return '( "true" | "false" )'
            case "object":
                return "json-object"
            case str(kind):
                return _JSON_TYPES.get(kind, "json-value")
            case _:
                return "json-value"

    def _words(self, value: Mapping[str, Any]) -> str:
        """Return a rule whose texts are the runs of these pieces that begin and end with a word."""
        pieces = value.get("substring_chunks")
        if not isinstance(pieces, list) or not any(map(_is_word, pieces)):
            raise NotConvertible("%regex")
        name = f"run-{next(self._numbers)}"
        last = max(i for i, piece in enumerate(pieces) if _is_word(piece))
        for i, piece in enumerate(pieces[: last + 1]):
            rest = "" if i == last else f" {name}-{i + 1}"
            if rest and _is_word(piece):
                rest = f" ({rest} )?"
            self.more.append(f"{name}-{i} ::= {_literal(piece)}{rest}")
        starts = [f"{name}-{i}" for i in range(last + 1) if _is_word(pieces[i])]
        self.more.append(f"{name} ::= {' | '.join(starts)}")
        return name


def _json_at(text: str, place: int) -> tuple[Any, int]:
    while text[place : place + 1].isspace():
        place += 1
    try:
        return json.JSONDecoder().raw_decode(text, place)
    except ValueError as error:
        raise NotConvertible(text[place:][:40]) from error


def _is_word(piece: str) -> bool:
    return bool(piece) and piece[0].isalnum()


def regex_to_gbnf(pattern: str) -> str:
    """Return a plain regular expression in GBNF; raise NotConvertible."""
    parts: list[str] = []
    place = 0
    while place < len(pattern):
        letter = pattern[place]
        if quantifier := _QUANTIFIER.match(pattern, place):
            if not parts:
                raise NotConvertible(pattern)
            parts[-1] += quantifier.group()
            place = quantifier.end()
        elif letter == "[":
            end = _class_end(pattern, place)
            parts.append(_class(pattern[place:end]))
            place = end
        elif letter == "(":
            end = _group_end(pattern, place)
            parts.append(f"( {regex_to_gbnf(pattern[place + 1 : end - 1].removeprefix('?:'))} )")
            place = end
        elif letter == "|":
            parts.append("|")
            place += 1
        elif letter == ".":
            parts.append(r"[^\n]")
            place += 1
        elif letter == "\\":
            following = pattern[place + 1 : place + 2]
            parts.append(f"[{_CLASSES[following]}]" if following in _CLASSES else _literal(_unescaped(following)))
            place += 2
        elif letter in "^$":
            raise NotConvertible(pattern)
        else:
            parts.append(_literal(letter))
            place += 1
    return " ".join(parts)


def _class(text: str) -> str:
    r"""Return a character class; `\s` and its like become their letters."""
    return re.sub(r"\\([sdw])", lambda m: _CLASSES[m.group(1)], text)


def _class_end(pattern: str, place: int) -> int:
    found = re.compile(r"\[\^?(?:[^\]\\]|\\.)*\]").match(pattern, place)
    if found is None:
        raise NotConvertible(pattern)
    return found.end()


def _group_end(pattern: str, place: int) -> int:
    depth = 0
    while place < len(pattern):
        match pattern[place]:
            case "\\":
                place += 1
            case "[":
                place = _class_end(pattern, place) - 1
            case "(":
                depth += 1
            case ")":
                depth -= 1
                if depth == 0:
                    return place + 1
            case _:
                pass
        place += 1
    raise NotConvertible(pattern)


def _unescaped(letter: str) -> str:
    return {"n": "\n", "t": "\t", "r": "\r"}.get(letter, letter)


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def _name(name: str) -> str:
    if name == "start":
        return "root"
    plain = name.lower().replace("_", "-")
    return f"x-{plain}" if name.isupper() else plain
