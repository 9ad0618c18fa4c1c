"""A toolbox that writes down what it is asked to do, and answers from what a case has recorded."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from botpsy_core.catalog import foreign_args
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.evaluate.case_home import listed_things
from botpsy_core.evaluate.match import canonical_call, folded, listed
from botpsy_core.evaluate.prediction import Made
from botpsy_core.evaluate.programs import ERROR, Simulation
from botpsy_core.evaluate.scene import OWN, Recorded, Scene


class CaseToolbox:
    """The tools of one case; nothing happens but notes, and what a simulation of its functions does."""

    def __init__(
        self, scene: Scene, tools: Sequence[ToolSpec] | None = None, simulation: Simulation | None = None
    ) -> None:
        """Take the scene's tools, or others in its home, and what they act on where a talk needs a state."""
        self._scene = scene
        self._simulation = simulation
        self._specs = {spec.name: spec for spec in (scene.tools if tools is None else tools)}
        self.made: list[Made] = []
        """Every call that was let through, in the case's own words."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name."""
        return tuple(self._specs.values())

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:  # noqa: ARG002  # the port's signature
        """Return what a simulation says would go wrong, else that everything is ready."""
        if self._simulation is None or not self._simulation.knows(call.name):
            return Readiness()
        if self._lacks(call):
            return Readiness()  # what is missing is asked for before anything else can be told
        return Readiness(unmet=tuple(t for m in self.written(call) for t in self._simulation.unmet(m.name, m.args)))

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:  # noqa: ARG002  # the same
        """Note the call and return its recorded result, an empty one where there is none."""
        found: Recorded | None = None
        for made in self.written(call):
            found = self._recorded(made)
            if found is None or not found.past:
                self.made.append(made)
            if self._simulation is not None and self._simulation.knows(made.name):
                return _performed(call, self._simulation.perform(made.name, made.args))
        if (own := self._own(call.name)) is not None:
            return self._read(call, own, found)
        data = {"result": found.content} if found is not None else {}
        return ToolResult(call_id=call.id, outcome=Outcome.DONE, data=data, untrusted=True)

    def _lacks(self, call: ToolCall) -> bool:
        spec = self._specs.get(call.name)
        return spec is not None and any(a.required and a.name not in call.args for a in spec.arguments)

    def written(self, call: ToolCall) -> tuple[Made, ...]:
        """Return a call as the case's own tools take it, one for each thing that it acts on."""
        spec = self._specs.get(call.name)
        if spec is None or self._own(call.name) is not None:
            return (Made(name=call.name),)
        return tuple(Made(name=call.name, args=args) for args in foreign_args(spec, call.args, self._scene.home))

    def _recorded(self, made: Made) -> Recorded | None:
        same = [r for r in self._scene.recorded if canonical_call(r.call) == canonical_call(made)]
        alike = sorted(
            (r for r in self._scene.recorded if r.call.name == made.name and self._own(made.name) is not None),
            key=lambda r: len(r.call.args),
        )
        return next(iter((*same, *alike)), None)

    def _own(self, name: str) -> str | None:
        """Return which of our reading tools a tool is, None for all others."""
        spec = self._specs.get(name)
        own = None if spec is None else spec.binding.get(OWN)
        return own if isinstance(own, str) else None

    def _read(self, call: ToolCall, own: str, found: Recorded | None) -> ToolResult:
        """Return what Home Assistant's own reading tools tell, as facts."""
        if own == "get_time":
            return _done(call, {"now": self._scene.now.isoformat()})
        ids = [str(i) for key in ("target", "list", "calendar") for i in listed(call.args.get(key))]
        if own in _LISTS:
            told = _result(found.content) if found is not None else []
            return _done(call, {"response": {ids[0] if ids else call.name: {_LISTS[own]: told}}})
        things = [e for e in self._scene.home.entities if e.id in ids]
        live = listed_things(found.content) if found is not None else ()
        states: list[JsonValue] = [_facts(entity, live) for entity in things]
        return _done(call, {"states": states})


_LISTS: Mapping[str, str] = {"list_items": "items", "find_events": "events"}
"""Our tools that read lists, and what they call them."""


def _result(content: str) -> list[JsonValue]:
    """Return the list that Home Assistant's tool answered, as it wrote it."""
    try:
        told = json.loads(content)
    except ValueError:
        return []
    if isinstance(told, Mapping):
        told = told.get("result")
    return [item if isinstance(item, Mapping) else {"summary": str(item)} for item in told or ()]


def _performed(call: ToolCall, told: Mapping[str, Any]) -> ToolResult:
    failed = ERROR in told
    outcome = Outcome.FAILED if failed else Outcome.DONE
    detail = str(told[ERROR]) if failed else ""
    return ToolResult(call_id=call.id, outcome=outcome, data=dict(told), detail=detail, untrusted=True)


def _done(call: ToolCall, data: Mapping[str, JsonValue]) -> ToolResult:
    return ToolResult(call_id=call.id, outcome=Outcome.DONE, data=data, untrusted=True)


def _facts(entity: Entity, live: Sequence[Mapping[str, Any]]) -> dict[str, JsonValue]:
    facts: dict[str, JsonValue] = {"id": entity.id, "name": entity.name, "state": entity.state}
    thing = next((t for t in live if _is(t, entity)), None)
    if thing is not None:
        attributes = thing.get("attributes")
        shown = dict(attributes) if isinstance(attributes, Mapping) else {}
        state = thing.get("state")
        facts |= {"state": None if state is None else str(state), "attributes": shown}
        facts["unit"] = shown.get("unit_of_measurement")
    return facts


def _is(thing: Mapping[str, Any], entity: Entity) -> bool:
    return folded(entity.name) in [folded(n) for n in str(thing["names"]).split(",")] and (
        thing.get("domain") == entity.domain
    )
