"""Cases: what was said, which tools there were, and what would have been right."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from botpsy_core.errors import ConfigurationInvalid

type Record = Mapping[str, Any]
"""A JSON object from outside."""


class Rule(StrEnum):
    """How a case is scored; the value of `expected.type`."""

    NO_CALL = "no_call"
    ASK = "ask"
    FLAG_VALUE = "flag_value"
    ANY_CALL = "any_call"
    CALLS = "calls"
    CALLS_NEXT = "calls_next"
    HA_ACTION = "ha_action"
    HA_QUESTION = "ha_question"
    INJECTION = "injection"
    MULTI_TURN = "multi_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case; a model may see its messages, its tools and its home, and nothing else."""

    id: str
    category: str
    language: str
    messages: Sequence[Record]
    """OpenAI's chat messages; the answer to the last one is judged."""
    tools: Sequence[Record]
    """OpenAI's tools."""
    expected: Record
    suspect: str = ""
    """Why the label is in doubt; empty where it is not."""
    smoke: bool = False
    """True for the part that quick runs take."""

    @property
    def rule(self) -> Rule:
        """Return how the case is scored."""
        return Rule(self.expected["type"])

    @property
    def system(self) -> str:
        """Return the system message, empty where there is none."""
        return next((str(m.get("content") or "") for m in self.messages if m["role"] == "system"), "")

    @property
    def primary_language(self) -> str:
        """Return the language without its region, lower case."""
        return self.language.partition("-")[0].lower()

    @property
    def functions(self) -> Mapping[str, Record]:
        """Return the tools by name."""
        return {tool["function"]["name"]: tool["function"] for tool in self.tools}


def arguments_of(function: Record) -> Record:
    """Return the arguments of a call in a message, which are an object or its JSON; empty for what is neither."""
    arguments = function.get("arguments") or {}
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return {}
    return arguments if isinstance(arguments, Mapping) else {}


def load_cases(paths: Iterable[Path], *, smoke: bool = False, limit: int | None = None) -> tuple[Case, ...]:
    """Return the cases of JSONL files, or of all in a folder, in order; raise ConfigurationInvalid for a bad line."""
    cases: dict[str, Case] = {}
    for file in _files(paths):
        for number, case in _cases(file):
            if case.id in cases:
                raise ConfigurationInvalid(f"{file}:{number}: the id {case.id!r} was there before; make ids unique")
            if case.smoke or not smoke:
                cases[case.id] = case
    return tuple(cases.values())[:limit]


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.exists():
            raise ConfigurationInvalid(f"there are no cases at {str(path)!r}")
        yield from sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


def _cases(file: Path) -> Iterator[tuple[int, Case]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield number, _case(json.loads(line))
                except (ValueError, KeyError, TypeError, AttributeError) as fault:
                    raise ConfigurationInvalid(f"{file}:{number}: no case of the known schema: {fault!r}") from fault


def _case(record: Record) -> Case:
    meta = record.get("meta") or {}
    case = Case(
        id=str(record["id"]),
        category=str(record.get("category", "uncategorised")),
        language=str(record.get("lang", "en")),
        messages=list(record["messages"]),
        tools=list(record["tools"]),
        expected=dict(record["expected"]),
        suspect=str(meta.get("suspect") or ""),
        smoke=bool(meta.get("smoke")),
    )
    _ = case.rule, case.functions  # both must be readable
    return case
