"""Public suites by name, read from the packages that carry them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate import bfcl_talks
from botpsy_core.evaluate.agentdojo import agentdojo_cases
from botpsy_core.evaluate.cases import Case, Record, load_cases

_BFCL = "bfcl_eval"
_BFCL_CATEGORIES = (
    "simple_python",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
    "live_relevance",
    "live_irrelevance",
    "irrelevance",
)
"""Those of one decision, which `bfcl` alone means; talks of several turns are asked for by name."""

_TYPES: Mapping[str, Mapping[str, str]] = {
    "float": {"type": "number", "format": "float"},
    "dict": {"type": "object"},
    "tuple": {"type": "array", "x-bfcl-type": "tuple"},
    "any": {"type": "string"},
}


def load_suite(name: str) -> tuple[Case, ...]:
    """Return the cases of `bfcl`, `bfcl:category`, `agentdojo`, `agentdojo:suite` or a path.

    Raises ConfigurationInvalid where they are not there.
    """
    suite, _, category = name.partition(":")
    if suite == "agentdojo":
        return tuple(agentdojo_cases(category))
    if suite != "bfcl":
        return load_cases([Path(name)])
    chosen = (category,) if category else _BFCL_CATEGORIES
    known = (*_BFCL_CATEGORIES, *bfcl_talks.CATEGORIES)
    if unknown := sorted(set(chosen) - set(known)):
        raise ConfigurationInvalid(f"bfcl has no category {unknown[0]!r}; known are {', '.join(known)}")
    folder = _data(_BFCL, "bfcl-eval")
    if category in bfcl_talks.CATEGORIES:
        return tuple(bfcl_talks.talk_cases(folder, category, bfcl_function))
    return tuple(case for one in chosen for case in _bfcl(folder, one))


def _data(package: str, distribution: str) -> Path:
    spec = find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise ConfigurationInvalid(f"{package} is not installed: pip install --no-deps {distribution}")
    return Path(places[0]) / "data"


def _bfcl(folder: Path, category: str) -> Iterator[Case]:
    truths = {
        t["id"]: t["ground_truth"] for t in bfcl_talks.lines_of(folder / "possible_answer" / f"BFCL_v4_{category}.json")
    }
    for record in bfcl_talks.lines_of(folder / f"BFCL_v4_{category}.json"):
        yield Case(
            id=f"bfcl.{record['id']}",
            category=category,
            language="en",
            messages=record["question"][0],
            tools=[{"type": "function", "function": bfcl_function(f)} for f in record["function"]],
            expected=_expected(category, truths.get(record["id"], ())),
        )


def bfcl_function(function: Record) -> dict[str, Any]:
    """Return one of the suite's functions as an OpenAI function with JSON Schema's types."""
    return {
        "name": _name(function["name"]),
        "description": function["description"],
        "parameters": _schema(function["parameters"]),
    }


def bfcl_calls(truth: Sequence[Mapping[str, Mapping[str, Any]]]) -> list[Record]:
    """Return the suite's true calls as cases hold them."""
    return [{"name": _name(name), "accepted_args": dict(args)} for call in truth for name, args in call.items()]


def _expected(category: str, truth: Sequence[Mapping[str, Mapping[str, Any]]]) -> Record:
    if category.endswith("irrelevance"):
        return {"type": "no_call"}
    if category.endswith("relevance"):
        return {"type": "any_call"}
    return {"type": "calls", "match": "bfcl_ast", "calls": bfcl_calls(truth)}


def _name(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]


def _schema(schema: Any) -> Any:
    """Return the same with every type as JSON Schema names it."""
    if isinstance(schema, list):
        return [_schema(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    mapped = {key: _schema(value) for key, value in schema.items() if not (key == "optional" and value is True)}
    kind = mapped.get("type")
    return {**mapped, **_TYPES[kind]} if isinstance(kind, str) and kind in _TYPES else mapped
