"""The same cases with every tool and argument under another name: what is known by name alone does not help there.

Only the names go. What has no description gets the words of its old name as one, since nothing else would tell a
reader, man or machine, what it is; and Home Assistant's own tools stay its own, as a host knows whose a tool is.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from botpsy_core.evaluate.case_home import IDENTITY
from botpsy_core.evaluate.cases import Case, Record, arguments_of
from botpsy_core.evaluate.prediction import Made, Prediction
from botpsy_core.evaluate.programs import RENAMED
from botpsy_core.evaluate.run import Predictor


@dataclass(frozen=True, slots=True)
class Renamed:
    """A predictor that sees other names, and whose answers come back in the true ones."""

    inner: Predictor

    async def predict(self, case: Case) -> Prediction:
        """Return the answer to a case of the same meaning."""
        names = _Names(case)
        answer = await self.inner.predict(names.case())
        turns = None if answer.turns is None else tuple(tuple(map(names.true, turn)) for turn in answer.turns)
        return replace(answer, calls=tuple(map(names.true, answer.calls)), turns=turns)


class _Names:
    """The other names of one case's tools and arguments."""

    def __init__(self, case: Case) -> None:
        self._case = case
        later = [t for turn in case.expected.get("turns", ()) for t in turn.get("tools_added", ())]
        tools = [tool["function"] for tool in (*case.tools, *later)]
        self._tools = {f["name"]: f"function_{i}" for i, f in enumerate(tools, 1)}
        keys = dict.fromkeys(key for f in tools for key in _properties(f))
        self._keys = {key: f"value_{i}" for i, key in enumerate(keys, 1)}
        self._true_tools = {other: name for name, other in self._tools.items()}
        self._true_keys = {other: key for key, other in self._keys.items()}

    def case(self) -> Case:
        """Return the case under its other names, labels left as they are."""
        expected = dict(self._case.expected)
        if "recorded_results" in expected:
            expected["recorded_results"] = [self._recorded(entry) for entry in expected["recorded_results"]]
        if "turns" in expected:
            expected[RENAMED] = {"tools": self._true_tools, "keys": self._true_keys}
            expected["turns"] = [
                {**turn, "tools_added": [self._tool(t) for t in turn.get("tools_added", ())]}
                for turn in expected["turns"]
            ]
        return replace(
            self._case,
            tools=[self._tool(tool) for tool in self._case.tools],
            messages=[self._message(message) for message in self._case.messages],
            expected=expected,
        )

    def true(self, call: Made) -> Made:
        """Return a call under the true names."""
        args = {self._true_keys.get(key, key): value for key, value in call.args.items()}
        return Made(name=self._true_tools.get(call.name, call.name), args=args)

    def _tool(self, tool: Record) -> Record:
        function = _described(tool["function"]["name"], tool["function"])
        parameters = dict(function.get("parameters") or {})
        properties = {key: _described(key, schema) for key, schema in _properties(function).items()}
        parameters["properties"] = self._args(properties)
        if "required" in parameters:
            parameters["required"] = [self._keys.get(key, key) for key in parameters["required"]]
        renamed = {**function, "name": self._tools[function["name"]], "parameters": parameters}
        return {**tool, IDENTITY: function["name"], "function": renamed}

    def _message(self, message: Record) -> Record:
        changed = dict(message)
        if message.get("tool_calls"):
            changed["tool_calls"] = [self._call(call) for call in message["tool_calls"]]
        if message["role"] == "tool" and "name" in message:
            changed["name"] = self._tools.get(message["name"], message["name"])
        return changed

    def _call(self, call: Record) -> Record:
        function = dict(call["function"])
        function["name"] = self._tools.get(function["name"], function["name"])
        function["arguments"] = json.dumps(self._args(arguments_of(function)))
        return {**call, "function": function}

    def _recorded(self, entry: Record) -> Record:
        args = self._args(entry.get("args") or {})
        return {**entry, "name": self._tools.get(entry["name"], entry["name"]), "args": args}

    def _args(self, args: Mapping[str, Any]) -> dict[str, Any]:
        return {self._keys.get(key, key): value for key, value in args.items()}


def _described(name: str, thing: Any) -> dict[str, Any]:
    """Return a tool or an argument's schema with a description, the words of its name where it has none."""
    if not isinstance(thing, Mapping):
        return {}
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_.\-]", " ", name).capitalize()
    return {**thing, "description": str(thing.get("description") or words)}


def _properties(function: Record) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = (function.get("parameters") or {}).get("properties") or {}
    return properties
