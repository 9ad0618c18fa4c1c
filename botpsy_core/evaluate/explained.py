"""Explained: one utterance's way through the house, in lines that a user can read."""

from collections.abc import Iterator, Mapping, Sequence

from botpsy_core.domain.events import Ended
from botpsy_core.domain.home import Home
from botpsy_core.domain.values import JsonValue, list_of, mapping_of, number_of

_WIDTH = 9
"""Characters of the column that names the room."""
_MOST = 6
"""Things or tools that one line names."""
_MOODS: Mapping[str, str] = {
    "command": "a command",
    "question": "a question",
    "negated": "told not to do it",
    "conditional": "not for now: it has a condition or another time",
    "reported": "a report of what somebody does or says",
    "statement": "a statement, no command",
    "explanation": "a question for a way, a reason or a leave",
    "assent": "a yes",
    "denial": "a no",
    "thanks": "thanks",
}
_HOW: Mapping[str, str] = {
    "name": "by its name",
    "alias": "by another of its names",
    "kind_in_place": "by kind and place",
    "place": "by its place",
    "all": "all of them were said",
    "kind": "by its kind",
    "reference": "from the talk before",
    "room": "in the room where it was said",
    "fuzzy": "by a word that is only like its name",
}
_SIGNALS: Mapping[str, str] = {
    "by_code": "the words alone decided",
    "direction_said": "which way was said",
    "direction_other": "another way was said",
    "cued": "the tool's own words were said",
    "value": "a value was said",
    "leftover": "words are left over",
    "statement": "it was no command",
    "ungrounded": "something in the call was not said",
    "target": "what it acts on was named",
    "loosely": "though not by its name",
    "fit": "words and tool fit",
}


def explain(text: str, ended: Ended, home: Home) -> str:
    """Return what each room saw, offered, chose and decided, clause by clause, and the reply."""
    names = {e.id: e.name for e in home.entities}
    lines = [f"> {text}"]
    for clause in _rows(ended.trace.get("clauses")):
        lines += ["", *_heard(clause, names), *_offered(clause), *_chosen(clause, names), *_decided(clause)]
    return "\n".join([*lines, "", *_column("reply", [f"{ended.reply}   [{ended.status.value}]"])])


def _column(title: str, lines: Sequence[str]) -> list[str]:
    return [f"{title if n == 0 else '':{_WIDTH}} {line}" for n, line in enumerate(lines)]


def _heard(clause: Mapping[str, JsonValue], names: Mapping[str, str]) -> list[str]:
    mood = _MOODS.get(str(clause.get("mood")), str(clause.get("mood")))
    ways = ", ".join(map(str, list_of(clause.get("directions"))))
    lines = [f'"{clause.get("text")}" is {mood}{f": {ways}" if ways else ""}']
    targets = _rows(clause.get("targets"))
    for target in targets[:_MOST]:
        ids = [str(i) for i in list_of(target.get("entities"))]
        how = _HOW.get(str(target.get("how")), "")
        lines.append(f"may mean {target.get('label')} ({how}, {_percent(target.get('score'))}){_members(ids, names)}")
    lines += [f"... and {len(targets) - _MOST} more"] if len(targets) > _MOST else []
    lines += [f"{v.get('kind')}: {v.get('value')}" for v in _rows(clause.get("values"))]
    lines += [f'there is no "{name}" here' for name in list_of(clause.get("absent"))]
    lines += [f'nothing explains "{word}"' for word in list_of(clause.get("unexplained"))]
    return _column("heard", lines)


def _members(ids: Sequence[str], names: Mapping[str, str]) -> str:
    if len(ids) < 2:
        return ""
    shown = ", ".join(names.get(i, i) for i in ids[:_MOST])
    return f": {shown}{f' and {len(ids) - _MOST} more' if len(ids) > _MOST else ''}"


def _offered(clause: Mapping[str, JsonValue]) -> list[str]:
    tools = [f"{t.get('tool')} (fits {_percent(t.get('score'))})" for t in _rows(clause.get("offered"))]
    more = [f"and {len(tools) - _MOST} more"] if len(tools) > _MOST else []
    return _column("offered", [", ".join([*tools[:_MOST], *more]) or "no tool: nothing in the words speaks for one"])


def _chosen(clause: Mapping[str, JsonValue], names: Mapping[str, str]) -> list[str]:
    call, evidence = mapping_of(clause.get("call")), mapping_of(clause.get("evidence"))
    if not call:
        return _column("chosen", ["nothing"])
    args = [f"{name} = {_value(value, names)}" for name, value in mapping_of(call.get("args")).items()]
    lines = [f"{call.get('name')}{': ' if args else ''}{', '.join(args)}"]
    if evidence.get("by_code"):
        lines.append("the words leave this one way, so the model was not asked")
    else:
        lines.append(", ".join(["chosen by the model", *_probabilities(evidence)]))
    return _column("chosen", lines)


def _probabilities(evidence: Mapping[str, JsonValue]) -> Iterator[str]:
    if "p_call" in evidence:
        yield f"with {_percent(evidence['p_call'])} for this tool"
    if "p_refuse" in evidence:
        yield f"{_percent(evidence['p_refuse'])} for leaving it or asking"
    for name, share in mapping_of(evidence.get("p_args")).items():
        yield f"{_percent(share)} for its {name}"


def _decided(clause: Mapping[str, JsonValue]) -> list[str]:
    verdict, evidence = mapping_of(clause.get("verdict")), mapping_of(clause.get("evidence"))
    if not verdict:
        return []
    sure = f"; right with {_percent(evidence['probability'])}" if "probability" in evidence else ""
    reason = str(verdict.get("reason", "")).replace("_", " ")
    match verdict.get("kind"):
        case "allow":
            lines = [f"let through, as {verdict.get('risk')}{sure}"]
        case "ask":
            lines = [f"asks first ({reason}), as {verdict.get('risk')}{sure}"]
        case _:
            lines = [f"stopped: {reason}{sure}"]
    signals = mapping_of(evidence.get("signals"))
    counted = [_SIGNALS.get(name, name.replace("_", " ")) for name, value in signals.items() if number_of(value) > 0]
    return _column("guard", [*lines, *([f"what counted: {', '.join(counted)}"] if counted else [])])


def _value(value: JsonValue, names: Mapping[str, str]) -> str:
    if isinstance(value, str | int | float) or value is None:
        return names.get(str(value), str(value))
    return ", ".join(names.get(str(v), str(v)) for v in list_of(value)[:_MOST]) or str(value)


def _percent(value: JsonValue) -> str:
    return f"{100 * number_of(value):.0f} %"


def _rows(value: JsonValue) -> list[Mapping[str, JsonValue]]:
    return [row for row in list_of(value) if isinstance(row, Mapping)]
