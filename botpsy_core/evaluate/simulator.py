"""A home in memory: states that actions change, for chat, evaluation and tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from botpsy_core.agent import ListToolbox
from botpsy_core.catalog import Action, actions_of
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import BadArguments

_STATES: Mapping[str, str] = {
    "turn_on": "on",
    "turn_off": "off",
    "lock": "locked",
    "unlock": "unlocked",
    "open": "open",
    "open_cover": "open",
    "open_valve": "open",
    "close_cover": "closed",
    "close_valve": "closed",
    "media_play": "playing",
    "media_pause": "paused",
    "media_stop": "idle",
    "start": "cleaning",
    "start_mowing": "mowing",
    "return_to_base": "docked",
    "dock": "docked",
    "pause": "paused",
}
"""The state that an action ends in, whatever the domain."""

_ATTRIBUTES: Mapping[str, str] = {
    "brightness_pct": "brightness_pct",
    "temperature": "temperature",
    "humidity": "humidity",
    "percentage": "percentage",
    "position": "current_position",
    "color_name": "color",
    "color_temp_kelvin": "color_temp_kelvin",
    "hvac_mode": "hvac_mode",
    "is_volume_muted": "is_volume_muted",
}
"""A key of an action's data, and the attribute that shows it."""


class SimulatedHome:
    """A toolbox whose actions change its own states, as Home Assistant's would."""

    def __init__(self, home: Home, tools: Sequence[ToolSpec], *, now: Callable[[], datetime]) -> None:
        """Start from a home; `now` tells the local time."""
        self._home = home
        self._states = {e.id: e for e in home.entities}
        self._tools = {t.name: t for t in sorted(tools, key=lambda t: t.name)}
        self._now = now
        self._events: dict[str, list[JsonObject]] = {}
        self.items: dict[str, list[JsonObject]] = {}
        """By list, what is open on it."""
        self._lists = ListToolbox(_Lists(self), tools)
        self.sent: list[Action] = []
        """Actions that leave the home: notifications and announcements."""

    @property
    def home(self) -> Home:
        """Return the home as it is now."""
        return replace(self._home, entities=tuple(self._states[e.id] for e in self._home.entities))

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name."""
        return tuple(self._tools.values())

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return whether the targets exist and what the call would change."""
        spec = self._tools[call.name]
        targets = spec.targets_of(call)
        if spec.binding.get("kind") == "list":
            return await self._lists.check(call, context)
        try:
            changes = [self._changed(a, i) != self._states[i] for a in self._actions(call, context) for i in a.entities]
        except BadArguments as problem:
            return Readiness(available=False, problem=problem.problem)
        except KeyError:
            return Readiness(exposed=False)
        return Readiness(
            exposed=all(t in self._states for t in targets),
            already_so=bool(changes) and not any(changes) and not spec.read_only,
        )

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Carry the call out on the states in memory."""
        spec = self._tools[call.name]
        match spec.binding.get("kind"):
            case "clock":
                return ToolResult(call_id=call.id, outcome=Outcome.DONE, data={"now": self._now().isoformat()})
            case "state":
                return self._read(spec, call)
            case "list":
                return await self._lists.execute(call, context)
            case _:
                return self._act(spec, call, context)

    def _read(self, spec: ToolSpec, call: ToolCall) -> ToolResult:
        states: list[JsonValue] = [self._states[i].facts() for i in spec.targets_of(call) if i in self._states]
        outcome = Outcome.DONE if states else Outcome.FAILED
        return ToolResult(call_id=call.id, outcome=outcome, data={"states": states})

    def _act(self, spec: ToolSpec, call: ToolCall, context: TurnContext) -> ToolResult:
        response: dict[str, JsonValue] = {}
        changed = False
        for action in self._actions(call, context):
            listed = self._listed(action)
            if listed is not None:
                response |= listed
                changed = True
                continue
            if not action.entities:
                self.sent.append(action)
                changed = True
            for entity_id in action.entities:
                after = self._changed(action, entity_id)
                before = self._states[entity_id]
                changed = changed or after != before or action.domain == "notify"
                turned = after.state != before.state
                self._states[entity_id] = replace(after, changed=self._now().isoformat()) if turned else after
                if action.domain in {"notify", "assist_satellite"}:
                    self.sent.append(action)
        if response:
            return ToolResult(
                call_id=call.id, outcome=Outcome.DONE, data={"response": response}, untrusted=spec.untrusted_result
            )
        states = {i: self._states[i].state for i in spec.targets_of(call)}
        return ToolResult(
            call_id=call.id, outcome=Outcome.DONE if changed else Outcome.ALREADY_SO, data={"states": states}
        )

    def _actions(self, call: ToolCall, context: TurnContext) -> tuple[Action, ...]:
        spec = self._tools[call.name]
        if spec.binding.get("kind") != "action":
            return ()
        attributes = {i: self._states[i].attributes for i in spec.targets_of(call)}
        return actions_of(
            spec, call, now=self._now(), attributes=attributes, language=context.language.partition("-")[0]
        )

    def _changed(self, action: Action, entity_id: str) -> Entity:
        """Return what an entity is after an action."""
        entity = self._states[entity_id]
        state = _STATES.get(action.action, entity.state)
        if entity.domain == "climate" and action.action == "turn_on":
            state = "heat"
        attributes = {**entity.attributes, **_shown(action.data, entity)}
        if state == "off":
            attributes.pop("brightness_pct", None)
        mode = action.data.get("hvac_mode")
        return replace(entity, state=str(mode) if mode else state, attributes=attributes)

    def _listed(self, action: Action) -> dict[str, JsonValue] | None:
        """Do what concerns calendars and lists; None for any other action."""
        data = action.data
        match f"{action.domain}.{action.action}":
            case "calendar.create_event":
                return self._new_event(action)
            case "calendar.get_events":
                start, end = str(data.get("start_date_time")), str(data.get("end_date_time"))
                return {i: {"events": _between(self._events.get(i, []), start, end)} for i in self._of(action)}
            case "todo.add_item":
                for i in self._of(action):
                    self.items.setdefault(i, []).append({"summary": data.get("item"), "status": "needs_action"})
                return {}
            case "todo.get_items":
                return {i: {"items": list(self.items.get(i, []))} for i in self._of(action)}
            case _:
                return None

    def _of(self, action: Action) -> tuple[str, ...]:
        """Return what the action takes; the only thing of its domain where it names none."""
        return action.entities or tuple(i for i in self._states if i.startswith(f"{action.domain}."))[:1]

    def _new_event(self, action: Action) -> dict[str, JsonValue]:
        start = action.data.get("start_date_time") or action.data.get("start_date")
        end = action.data.get("end_date_time") or action.data.get("end_date")
        place = {"location": action.data["location"]} if action.data.get("location") else {}
        event = {"summary": action.data.get("summary"), "start": start, "end": end, **place}
        for i in self._of(action):
            self._events.setdefault(i, []).append(event)
        return {}


class _Lists:
    """The lists of a simulated home, and what is open on them."""

    def __init__(self, home: SimulatedHome) -> None:
        """Take the home."""
        self._home = home

    def lists(self, _context: TurnContext) -> Sequence[str]:
        """Return all lists."""
        return [e.id for e in self._home.home.entities if e.domain == "todo"]

    async def items(self, list_id: str, _context: TurnContext) -> Sequence[str]:
        """Return what is on a list."""
        return [str(item["summary"]) for item in self._home.items.get(list_id, [])]

    async def ready(self, list_ids: Sequence[str], _context: TurnContext) -> Readiness:
        """Return whether the lists exist."""
        return Readiness(exposed=set(list_ids) <= set(self.lists(_context)))

    async def add(self, list_id: str, written: str, _context: TurnContext) -> None:
        """Put an item on a list."""
        self._home.items.setdefault(list_id, []).append({"summary": written, "status": "needs_action"})

    async def complete(self, list_id: str, written: str, context: TurnContext) -> None:
        """Forget an item: nobody looks at what is done."""
        await self.remove(list_id, written, context)

    async def remove(self, list_id: str, written: str, _context: TurnContext) -> None:
        """Take an item off a list."""
        self._home.items[list_id] = [i for i in self._home.items[list_id] if i["summary"] != written]


def _shown(data: JsonObject, entity: Entity) -> dict[str, JsonValue]:
    shown = {_ATTRIBUTES[k]: v for k, v in data.items() if k in _ATTRIBUTES}
    step = data.get("brightness_step_pct")
    if isinstance(step, int | float):
        before = entity.attributes.get("brightness_pct")
        shown["brightness_pct"] = min(100, max(0, (before if isinstance(before, int | float) else 0) + step))
    volume = data.get("volume_level")
    if isinstance(volume, int | float):
        shown["volume_pct"] = round(volume * 100)
    return shown


def _between(events: Iterable[JsonObject], start: str, end: str) -> list[JsonValue]:
    """Return the events that last into a time; ISO 8601 of one zone sorts as text."""
    return [
        e for e in events if _sortable(e["start"]) < end[:19] and _sortable(e.get("end") or e["start"]) > start[:19]
    ]


def _sortable(moment: JsonValue) -> str:
    return f"{moment}T00:00:00"[:19]
