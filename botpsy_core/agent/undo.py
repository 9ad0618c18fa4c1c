"""What the last acts changed, and the calls that put it back where a tool can."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard, How, Mood, Span, Target
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.offer import Choice, OfferedTool, Slot
from botpsy_core.domain.tools import OPPOSITES, Argument, Direction, Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.ports import Clock

_KEPT_S = 600.0
_MOST_TALKS = 16
_WAYS: Mapping[str, Direction] = {
    "on": Direction.ON,
    "off": Direction.OFF,
    "open": Direction.OPEN,
    "closed": Direction.CLOSE,
    "locked": Direction.LOCK,
    "unlocked": Direction.UNLOCK,
    "playing": Direction.START,
    "paused": Direction.STOP,
    "cleaning": Direction.START,
}
"""The way that leads to a state."""
_AT_REST = frozenset({"off", "closed", "locked"})
"""States in which no value is to be restored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One call that went out, and its things as they were at the start of its turn."""

    call: ToolCall
    spec: ToolSpec
    before: tuple[Entity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoring:
    """What puts some acts back."""

    calls: tuple[tuple[ToolCall, ToolSpec], ...]
    stuck: tuple[Act, ...]
    """Acts that no tool can put back, or not all of what they changed."""


class UndoBook:
    """The acts of each person's newest turn that acted, for some minutes."""

    def __init__(self, clock: Clock) -> None:
        """Take the clock that counts."""
        self._clock = clock
        self._acts: dict[tuple[str | None, str], tuple[float, tuple[Act, ...]]] = {}

    def note(self, context: TurnContext, acts: Sequence[Act]) -> None:
        """Remember what a turn did in place of what was done before; a turn that did nothing changes nothing."""
        if not acts:
            return
        self._acts.pop(_talk(context), None)
        self._acts[_talk(context)] = (self._clock.monotonic() + _KEPT_S, tuple(acts))
        while len(self._acts) > _MOST_TALKS:
            del self._acts[next(iter(self._acts))]

    def kept(self, user_id: str | None) -> Mapping[str, tuple[Act, ...]]:
        """Return what a user can still put back, by the conversation or device in which it was done."""
        now = self._clock.monotonic()
        return {talk: acts for (whose, talk), (until, acts) in self._acts.items() if whose == user_id and now < until}

    def take(self, context: TurnContext) -> tuple[Act, ...]:
        """Return the acts of this person's newest turn and forget them; empty where there are none."""
        until, acts = self._acts.pop(_talk(context), (0.0, ()))
        return acts if self._clock.monotonic() < until else ()


def _talk(context: TurnContext) -> tuple[str | None, str]:
    """Return whose acts these are: those of one user at one device, or in one conversation."""
    return context.user_id, context.device_id or context.conversation_id


def restoring(acts: Sequence[Act], *, home: Home, tools: Sequence[ToolSpec]) -> Restoring:
    """Return the calls that bring everything back to what it was, latest act first; what is so already needs none."""
    calls: list[tuple[ToolCall, ToolSpec]] = []
    stuck: list[Act] = []
    seen: set[str] = set()
    for act in reversed(acts):
        opposite = _opposite(act, tools)
        if opposite is not None:
            calls.append(opposite)
            continue
        whole = bool(act.before)
        for before in act.before:
            if before.id in seen:
                continue
            seen.add(before.id)
            steps = _steps(before, home.entity(before.id), tools)
            whole = whole and steps is not None
            calls += steps or ()
        if not whole:
            stuck.append(act)
    numbered = tuple((replace(call, id=f"undo_{n}"), spec) for n, (call, spec) in enumerate(calls, 1))
    return Restoring(calls=numbered, stuck=tuple(stuck))


def _opposite(act: Act, tools: Sequence[ToolSpec]) -> tuple[ToolCall, ToolSpec] | None:
    """Return the call that takes back what was added: of the opposite direction, on the same kinds of things."""
    way = act.spec.direction
    if way not in {Direction.ADD, Direction.REMOVE}:
        return None
    for tool in tools:
        names = {a.name for a in tool.arguments}
        opposite = tool.direction is OPPOSITES[way] and _kinds(tool) == _kinds(act.spec)
        if opposite and all(n in act.call.args for n in names if _needed(tool, n)):
            args = {name: value for name, value in act.call.args.items() if name in names}
            return ToolCall(id="", name=tool.name, args=args), tool
    return None


def _kinds(tool: ToolSpec) -> set[str]:
    return {kind for argument in tool.arguments_of(Role.TARGET) for kind in argument.kinds}


def _needed(tool: ToolSpec, name: str) -> bool:
    argument = tool.argument(name)
    return argument is not None and argument.required


def _steps(before: Entity, now: Entity | None, tools: Sequence[ToolSpec]) -> list[tuple[ToolCall, ToolSpec]] | None:
    """Return the calls that bring one thing back, or None where no tool can."""
    if now is None or before.state is None:
        return None
    values = [] if before.state in _AT_REST else list(_values(before, now, tools))
    if before.state == now.state or any("position" in a.name for _, spec in values for a in spec.arguments):
        return values if values or before.state == now.state else None
    state = _state(before, tools)
    return None if state is None else [state, *values]


def _state(before: Entity, tools: Sequence[ToolSpec]) -> tuple[ToolCall, ToolSpec] | None:
    way = _WAYS.get(before.state or "")
    for tool, target in _acting_on(before, tools):
        others = [a for a in tool.arguments if a.required and a is not target]
        if way is not None and tool.direction is way and not others:
            return _call(tool, target, before), tool
        if len(others) == 1 and before.state in _options(others[0]):
            return _call(tool, target, before, {others[0].name: before.state}), tool
    return None


def _values(before: Entity, now: Entity, tools: Sequence[ToolSpec]) -> Iterator[tuple[ToolCall, ToolSpec]]:
    """Yield a call for each number that is another now, by the tools that set one."""
    for tool, target in _acting_on(before, tools):
        others = [a for a in tool.arguments if a.required and a is not target]
        if len(others) != 1 or others[0].role is not Role.NUMBER or others[0].schema.get("x-relative"):
            continue
        shown = _shown_as(tool, others[0])
        name = next((n for n in shown if isinstance(before.attributes.get(n), int | float)), None)
        if name is not None and before.attributes[name] != now.attributes.get(name):
            yield _call(tool, target, before, {others[0].name: before.attributes[name]}), tool


def _shown_as(tool: ToolSpec, argument: Argument) -> tuple[str, ...]:
    """Return the attributes that may show an argument: its own name, and that of the data that it fills."""
    data = tool.binding.get("data")
    filled = [k for k, v in data.items() if v == f"${argument.name}"] if isinstance(data, Mapping) else []
    return tuple(f"{prefix}{name}" for name in (argument.name, *filled) for prefix in ("", "current_"))


def _acting_on(entity: Entity, tools: Sequence[ToolSpec]) -> Iterator[tuple[ToolSpec, Argument]]:
    for tool in tools:
        for target in () if tool.read_only else tool.arguments_of(Role.TARGET):
            if not target.kinds.isdisjoint((entity.domain, entity.kind)):
                yield tool, target


def _options(argument: Argument) -> Sequence[JsonValue]:
    options = argument.schema.get("enum")
    return options if isinstance(options, list | tuple) else ()


def _call(tool: ToolSpec, target: Argument, entity: Entity, args: Mapping[str, JsonValue] | None = None) -> ToolCall:
    return ToolCall(id="", name=tool.name, args={target.name: [entity.id], **(args or {})})


def as_if_said(call: ToolCall, spec: ToolSpec, *, home: Home, language: str) -> tuple[Clause, Heard, OfferedTool]:
    """Return a call as if the user had said exactly it, for the gate to judge: who undoes means what is undone."""
    texts = [str(call.args[a.name]) for a in spec.arguments_of(Role.TEXT) if a.name in call.args]
    text = " ".join([spec.name, *texts])
    span = Span(start=0, end=len(text))
    entities = [e for i in spec.targets_of(call) if (e := home.entity(i)) is not None]
    clause = Clause(
        text=text,
        span=span,
        mood=Mood.COMMAND,
        directions=(spec.direction,) if spec.direction else (),
        targets=tuple(Target(label=e.name, entities=(e.id,), score=1.0, how=How.NAME, span=span) for e in entities),
    )
    slots = tuple(
        Slot(argument=a, choices=(Choice(label=str(call.args[a.name]), value=call.args[a.name], span=span),))
        for a in spec.arguments
        if a.name in call.args
    )
    heard = Heard(text=text, language=language, clauses=(clause,))
    return clause, heard, OfferedTool(tool=spec, slots=slots, score=1.0)
