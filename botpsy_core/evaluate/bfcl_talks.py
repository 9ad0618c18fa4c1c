"""BFCL's talks of several turns as cases: what is said, which functions come later, and the true calls of each turn."""

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.cases import Case, Record

CATEGORIES = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param")
"""Those whose state fits into a prompt of a small model; `long_context` is made of padding."""
_DOCUMENTS: Mapping[str, str] = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "TwitterAPI": "posting_api",
    "VehicleControlAPI": "vehicle_control",
}
"""Where the functions of a class are described."""
_NOW_MORE = "I have updated some more functions you can choose from. What about now?"
"""What the suite's own runner says when functions are added."""
_BEFORE = "Tool description: "
"""What stands before the description of one function, and of its class before that."""


def talk_cases(folder: Path, category: str, function_of: Callable[[Record], Record]) -> Iterator[Case]:
    """Yield the cases of one category; `function_of` makes a function of the suite one of OpenAI's."""
    truths = {t["id"]: t["ground_truth"] for t in lines_of(folder / "possible_answer" / f"BFCL_v4_{category}.json")}
    for record in lines_of(folder / f"BFCL_v4_{category}.json"):
        known = {f["name"]: f for name in record["involved_classes"] for f in _functions(folder, name)}
        later = record.get("missed_function") or {}
        missed = {name for names in later.values() for name in names}
        left_out = missed | set(record.get("excluded_function") or ())
        tools = {name: _tool(function_of(f)) for name, f in known.items()}
        turns = [
            _turn(said, truth, known, [tools[name] for name in later.get(str(number), ())])
            for number, (said, truth) in enumerate(zip(record["question"], truths[record["id"]], strict=True))
        ]
        yield Case(
            id=f"bfcl.{record['id']}",
            category=category,
            language="en",
            messages=turns[0]["user"],
            tools=[tool for name, tool in tools.items() if name not in left_out],
            expected={
                "type": "multi_turn",
                "involved_classes": record["involved_classes"],
                "initial_config": record["initial_config"],
                "turns": turns,
            },
        )


def _turn(said: Sequence[Record], truth: Sequence[str], known: Mapping[str, Record], added: list[Record]) -> Record:
    return {
        "user": list(said) or [{"role": "user", "content": _NOW_MORE}],
        "tools_added": added,
        "gt_calls": [_call(text, known) for text in truth],
        "expect_no_call": not truth,
    }


def _call(text: str, known: Mapping[str, Record]) -> Record:
    """Return a call that is written as Python; its values are read and nothing is run."""
    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ConfigurationInvalid(f"no call of a function: {text!r}")
    name = call.func.id
    names = list(known[name]["parameters"]["properties"])
    args = {key: ast.literal_eval(value) for key, value in zip(names, call.args, strict=False)}
    args |= {str(pair.arg): ast.literal_eval(pair.value) for pair in call.keywords}
    return {"name": name, "args": args}


def _tool(function: Record) -> Record:
    description = str(function["description"]).rpartition(_BEFORE)[2]
    return {"type": "function", "function": {**function, "description": description}}


def _functions(folder: Path, name: str) -> list[Any]:
    return lines_of(folder / "multi_turn_func_doc" / f"{_DOCUMENTS[name]}.json")


def lines_of(file: Path) -> list[Any]:
    """Return the objects of one of the suite's files, one a line; none where it has no such file."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
