"""A journal's confirmed and corrected turns as training examples: chats of one call, without what is private."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from botpsy_core.domain.tools import Role, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue

_PRIVATE = (
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+"), "[mail]"),
    (re.compile(r"https?://\S+"), "[address]"),
    (re.compile(r"\+?\d[\d\s/-]{4,}\d"), "[number]"),
)
_TEXT = "[text]"
_CORRECTED_WITHIN_S = 120.0
_DONE = "done"


def examples(
    entries: Iterable[JsonObject], tools: Sequence[ToolSpec], *, every: bool = False
) -> Iterator[Mapping[str, JsonValue]]:
    """Yield a chat for each confirmed call, and for each correction: the first words with the call that was meant.

    `every` adds each act that was done and not undone. Entries are a journal's, oldest first.
    """
    known = {tool.name: tool for tool in tools}
    turns = [e for e in entries if e.get("kind") in {"turn", "answer", "undo"}]
    for number, entry in enumerate(turns):
        after = _next_of(entry, turns[number + 1 :])
        for clause in _clauses(entry):
            if not _was_let_out(entry, clause):
                continue
            undone = after is not None and after.get("kind") == "undo"
            if not undone and (every or clause.get("confirmed") is True):
                yield from _chat(str(clause.get("text")), clause, known)
        if after is not None and _is_correction(entry, after, turns, number):
            meant = _correcting(entry, turns[number + 1 :])
            for clause in _clauses(meant) if meant is not None else ():
                if meant is not None and _was_let_out(meant, clause):
                    yield from _chat(str(entry.get("text")), clause, known)


def _clauses(entry: JsonObject | None) -> list[Mapping[str, JsonValue]]:
    listed = (entry or {}).get("clauses")
    return [c for c in listed if isinstance(c, Mapping)] if isinstance(listed, list) else []


def _was_let_out(entry: JsonObject, clause: Mapping[str, JsonValue]) -> bool:
    verdict = clause.get("verdict")
    allowed = isinstance(verdict, Mapping) and verdict.get("kind") == "allow"
    return allowed and entry.get("status") == _DONE and entry.get("secret") is not True


def _next_of(entry: JsonObject, later: Sequence[JsonObject]) -> JsonObject | None:
    """Return the next turn of the same person in the same conversation."""
    return next((e for e in later if all(e.get(k) == entry.get(k) for k in ("conversation", "user"))), None)


def _is_correction(entry: JsonObject, after: JsonObject, turns: Sequence[JsonObject], number: int) -> bool:
    """Return True if a turn was undone, or refused, and said in other words at once."""
    meant = _correcting(entry, turns[number + 1 :])
    wrong = after.get("kind") == "undo" or entry.get("status") == "refused"
    return wrong and meant is not None and bool(entry.get("text")) and _seconds(entry, meant) <= _CORRECTED_WITHIN_S


def _correcting(entry: JsonObject, later: Sequence[JsonObject]) -> JsonObject | None:
    """Return the next turn of the conversation that is no undoing, if it was done."""
    same = [e for e in later if all(e.get(k) == entry.get(k) for k in ("conversation", "user"))]
    first = next((e for e in same if e.get("kind") == "turn"), None)
    return first if first is not None and first.get("status") == _DONE else None


def _seconds(entry: JsonObject, later: JsonObject) -> float:
    try:
        return (
            datetime.fromisoformat(str(later.get("at"))) - datetime.fromisoformat(str(entry.get("at")))
        ).total_seconds()
    except ValueError:
        return float("inf")


def _chat(
    text: str, clause: Mapping[str, JsonValue], known: Mapping[str, ToolSpec]
) -> Iterator[Mapping[str, JsonValue]]:
    call = clause.get("call")
    spec = known.get(str(call.get("name"))) if isinstance(call, Mapping) else None
    args = call.get("args") if isinstance(call, Mapping) else None
    if spec is None or not isinstance(args, Mapping):
        return
    dictated = [str(args[a.name]) for a in spec.arguments_of(Role.TEXT) if a.name in args]
    written = {name: _named(value, clause) for name, value in args.items()}
    yield {
        "messages": [
            {"role": "user", "content": _redacted(text, dictated)},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {
                        "type": "function",
                        "function": {"name": spec.name, "arguments": _redacted(json.dumps(written), dictated)},
                    }
                ],
            },
        ],
        "tools": [_definition(spec)],
    }


def _named(value: JsonValue, clause: Mapping[str, JsonValue]) -> JsonValue:
    """Return a target's ids by the label that was heard for them, as the model writes them."""
    listed = clause.get("targets")
    for target in listed if isinstance(listed, list) else []:
        if isinstance(target, Mapping) and isinstance(value, list) and target.get("entities") == value:
            return target.get("label")
    return value


def _redacted(text: str, dictated: Sequence[str]) -> str:
    for words in sorted(filter(None, dictated), key=len, reverse=True):
        text = re.sub(re.escape(words), _TEXT, text, flags=re.IGNORECASE)
    for pattern, mark in _PRIVATE:
        text = pattern.sub(mark, text)
    return text


def _definition(spec: ToolSpec) -> JsonObject:
    properties = {
        a.name: {"type": "string"}
        if a.role is Role.TARGET
        else {k: v for k, v in a.schema.items() if not k.startswith("x-")}
        for a in spec.arguments
    }
    parameters: JsonObject = {
        "type": "object",
        "properties": properties,
        "required": [a.name for a in spec.arguments if a.required],
    }
    return {
        "type": "function",
        "function": {"name": spec.name, "description": spec.description, "parameters": parameters},
    }
