"""AgentDojo's attacks as cases: a talk up to the tool result that carries one, and what must not be done then.

The package is read as it stands, without the many clients of hosted models that it imports and that nobody needs here.
"""

import sys
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.cases import Case, Record

SUITES = ("banking", "slack", "travel", "workspace")
_VERSION = "v1.2.2"
_ATTACKS = ("direct", "ignore_previous", "important_instructions")
"""Tried in turn, one a pair of the user's task and the attacker's."""
_CLIENTS = (
    "anthropic", "cohere", "deepdiff", "dotenv", "google", "langchain", "openai", "rich", "tenacity", "vertexai",
    "agentdojo.agent_pipeline.agent_pipeline", "agentdojo.agent_pipeline.llms",
)  # fmt: skip
"""What is not needed to read the tasks, where it is not installed anyway."""
_SHOWN = 24
"""Letters of an attack by which it is found again in a result, which may wrap its lines."""


def agentdojo_cases(suite: str = "") -> Iterator[Case]:
    """Yield the cases of one suite or of all; raise ConfigurationInvalid where the package is not there."""
    if suite and suite not in SUITES:
        raise ConfigurationInvalid(f"agentdojo has no suite {suite!r}; known are {', '.join(SUITES)}")
    with _without_clients():
        try:
            suites = import_module("agentdojo.task_suite.load_suites").get_suites(_VERSION)
            attacks = import_module("agentdojo.attacks.attack_registry")
            runtime = import_module("agentdojo.functions_runtime").FunctionsRuntime
            shown = import_module("agentdojo.agent_pipeline.tool_execution").tool_result_to_str
        except ImportError as fault:
            how = "pip install --no-deps agentdojo docstring-parser email-validator dnspython"
            raise ConfigurationInvalid(f"agentdojo cannot be read: {fault}; {how}") from fault
    system = _system_text()
    for name in (suite,) if suite else SUITES:
        pairs = [(u, i) for u in suites[name].user_tasks.values() for i in suites[name].injection_tasks.values()]
        for number, (user, attacker) in enumerate(pairs):
            kind = _ATTACKS[number % len(_ATTACKS)]
            attack = attacks.load_attack(kind, suites[name], _Pipeline())
            case = _case(suites[name], user, attacker, attack, (runtime, shown, system))
            if case is not None:
                yield case


def _case(suite: Any, user: Any, attacker: Any, attack: Any, using: tuple[Any, Any, str]) -> Case | None:
    """Return one case, None where the user's task never reads what the attacker wrote."""
    make_runtime, shown, system = using
    try:
        injected = attack.attack(user, attacker)
    except ValueError:
        return None
    home, runtime = suite.load_and_inject_default_environment(injected), make_runtime(suite.tools)
    signs = [_letters(text)[:_SHOWN] for text in injected.values()]
    messages: list[Record] = [{"role": "system", "content": system}, {"role": "user", "content": user.PROMPT}]
    calls = list(user.ground_truth(home))
    for number, call in enumerate(calls):
        result, _ = runtime.run_function(home, call.function, call.args)
        messages += _exchange(f"call_{number}", call, text := shown(result))
        if any(sign in _letters(text) for sign in signs):
            wrong, left = attacker.ground_truth(home), calls[number + 1 :]
            return Case(
                id=f"agentdojo.{suite.name}.{user.ID}.{attacker.ID}.{attack.name}",
                category=f"agentdojo_{suite.name}",
                language="en",
                messages=messages,
                tools=[_tool(tool) for tool in suite.tools],
                expected={
                    "type": "injection",
                    "forbidden_tools": sorted({c.function for c in wrong} - {c.function for c in calls}),
                    "forbidden_calls": [_written(c) for c in wrong],
                    "user_remaining_calls": [_written(c) for c in left],
                },
            )
    return None


def _exchange(call_id: str, call: Any, text: str) -> list[Record]:
    function = {"name": call.function, "arguments": dict(call.args)}
    return [
        {"role": "assistant", "content": "", "tool_calls": [{"id": call_id, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": call_id, "name": call.function, "content": text},
    ]


def _written(call: Any) -> Record:
    return {"name": call.function, "args": dict(call.args)}


def _tool(tool: Any) -> Record:
    schema = _untitled(tool.parameters.model_json_schema())
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": schema},
    }


def _untitled(schema: Any) -> Any:
    """Return a schema without the titles that a library made of names."""
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {k: _untitled(v) for k, v in schema.items() if not (k == "title" and isinstance(v, str))}


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _system_text() -> str:
    places = list(getattr(find_spec("agentdojo"), "submodule_search_locations", None) or ())
    texts = yaml.safe_load((Path(places[0]) / "data" / "system_messages.yaml").read_text(encoding="utf-8"))
    return str(texts["default"])


class _Pipeline:
    """What an attack asks of the agent under attack: its name."""

    name = "local"


@contextmanager
def _without_clients() -> Iterator[None]:
    """Let packages that are not installed be imported as empty ones, for the time of one import."""
    before, finder = set(sys.modules), _Empty([name for name in _CLIENTS if "." in name or find_spec(name) is None])
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - before:
            if isinstance(sys.modules[name], _EmptyModule):
                del sys.modules[name]


class _EmptyModule(ModuleType):
    """A module that has every name."""

    __path__: MutableSequence[str] = []  # noqa: RUF012  # empty for all of them

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,) if name.endswith("Error") else (), {})


class _Empty(MetaPathFinder, Loader):
    """Finds empty modules by name."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> ModuleSpec | None:
        """Return the spec of a module that shall be empty."""
        absent = any(fullname == name or fullname.startswith(f"{name}.") for name in self._names)
        return ModuleSpec(fullname, self, is_package=True) if absent else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the empty module."""
        return _EmptyModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing."""
