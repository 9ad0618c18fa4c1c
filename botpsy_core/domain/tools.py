"""What a tool is: data that grammar, gate, toolbox, docs and tests derive from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from botpsy_core.domain.values import JsonObject, JsonValue

NO_SUITABLE_TOOL = "no_suitable_tool"
"""The grammar's refusal branch; never the name of a real tool."""

ASK_USER = "ask_user"
"""The grammar's branch for a question back; never the name of a real tool."""

RESERVED_NAMES = frozenset({NO_SUITABLE_TOOL, ASK_USER})

TOLD_DEFAULT = "x-default"
"""The key of an argument's schema for a default that only its description tells."""


class Risk(StrEnum):
    """How bad a wrong act is, from harmless to not expressible."""

    READ = "read"
    COMFORT = "comfort"
    COST = "cost"
    SECURITY = "security"
    HAZARD = "hazard"
    FORBIDDEN = "forbidden"

    @property
    def rank(self) -> int:
        """Return the place in the order above, 0 for READ."""
        return list(Risk).index(self)


class Role(StrEnum):
    """What an argument means, whatever it is called."""

    TARGET = "target"
    """Things of the home; the value is a list of `Entity.id`."""
    NUMBER = "number"
    """A number in the unit that the argument's schema names (`x-unit`)."""
    TIME = "time"
    """An absolute local time, ISO 8601 with offset, or a date for all-day."""
    DURATION = "duration"
    """Whole seconds."""
    TEXT = "text"
    """Words taken from the utterance as they were said."""
    OPTION = "option"
    """One of the schema's `enum`."""
    FREE = "free"
    """A foreign tool's argument that only its JSON Schema describes."""


class Direction(StrEnum):
    """Which way an act goes; the call must agree with the words."""

    ON = "on"
    OFF = "off"
    OPEN = "open"
    CLOSE = "close"
    LOCK = "lock"
    UNLOCK = "unlock"
    UP = "up"
    DOWN = "down"
    START = "start"
    STOP = "stop"
    ARM = "arm"
    """An alarm is set to watch; that is no mere switching on."""
    DISARM = "disarm"
    ADD = "add"
    REMOVE = "remove"
    SET = "set"
    SEND = "send"


OPPOSITES: Mapping[Direction, Direction] = {
    a: b
    for pair in (
        (Direction.ON, Direction.OFF),
        (Direction.OPEN, Direction.CLOSE),
        (Direction.LOCK, Direction.UNLOCK),
        (Direction.UP, Direction.DOWN),
        (Direction.START, Direction.STOP),
        (Direction.ARM, Direction.DISARM),
        (Direction.ADD, Direction.REMOVE),
    )
    for a, b in (pair, pair[::-1])
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a tool."""

    name: str
    role: Role
    schema: JsonObject
    """JSON Schema of the final value (for TARGET: a list of ids)."""
    required: bool = False
    description: str = ""
    """One line for the model; empty where the name says it."""
    kinds: frozenset[str] = frozenset()
    """For TARGET: what may be acted on, as `domain` or `domain.device_class`; empty for anything."""
    way: Direction | None = None
    """For a yes or no: the way that a yes goes, where it goes one."""

    @property
    def implied_kinds(self) -> frozenset[str]:
        """Return the kinds of which the one there is may be meant without a name; a person never is."""
        return self.kinds - {"person"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One tool, as `tool_schemas/` or another integration describes it."""

    name: str
    description: str
    """One short line for the model, in English; says what the tool is not for where that helps."""
    title: str = ""
    """Its name in words where `name` says nothing (`function_3`); else empty."""
    arguments: tuple[Argument, ...] = ()
    risk: Risk = Risk.HAZARD
    """The floor; the policy may raise it by target. Unsafe until declared safe."""
    direction: Direction | None = None
    also: frozenset[Direction] = frozenset()
    """Other ways that the same tool goes, as its own text says: one that turns on, opens and locks."""
    target: str | None = None
    """`Entity.id` of the one thing this tool acts on, where it takes no target argument."""
    cues: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """By language: groups of words; the tool is grounded in words when every group has a hit."""
    binding: JsonObject = field(default_factory=dict)
    """How the toolbox carries it out; read by the toolbox alone."""
    examples: tuple[str, ...] = ()
    """Own English sentences that mean this tool."""
    untrusted_result: bool = False
    """True where the result holds text that others may have written."""
    delayable: bool = False
    """True where a delayed act may call it."""

    @property
    def called(self) -> str:
        """Return the name that says what the tool does; never what it is looked up by."""
        return self.title or self.name

    @property
    def directions(self) -> frozenset[Direction]:
        """Return every way that the tool goes."""
        return self.also | ({self.direction} if self.direction else set())

    @property
    def read_only(self) -> bool:
        """Return True if the tool changes nothing."""
        return self.risk is Risk.READ

    def argument(self, name: str) -> Argument | None:
        """Return the argument of that name, or None."""
        return next((a for a in self.arguments if a.name == name), None)

    def arguments_of(self, role: Role) -> tuple[Argument, ...]:
        """Return the arguments that have this role, in order."""
        return tuple(a for a in self.arguments if a.role is role)

    def targets_of(self, call: ToolCall) -> tuple[str, ...]:
        """Return the ids of everything that a call of this tool acts on, in order."""
        ids = [] if self.target is None else [self.target]
        for argument in self.arguments_of(Role.TARGET):
            value = call.args.get(argument.name)
            if isinstance(value, Sequence):
                ids += [value] if isinstance(value, str) else [str(v) for v in value]
        return tuple(dict.fromkeys(ids))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call whose arguments are final: targets are ids, times are absolute."""

    id: str
    name: str
    args: Mapping[str, JsonValue] = field(default_factory=dict)


class Outcome(StrEnum):
    """What became of a call; the spoken sentence comes from it."""

    DONE = "done"
    ALREADY_SO = "already_so"
    ACCEPTED = "accepted"
    """The device took it; its effect was not seen."""
    UNCONFIRMED = "unconfirmed"
    """Sent, no answer; it may still happen."""
    REFUSED_BY_DEVICE = "refused_by_device"
    NOT_SENT = "not_sent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a toolbox reports about one call."""

    call_id: str
    outcome: Outcome
    data: JsonObject = field(default_factory=dict)
    """Facts: for a read what was read, for an act what changed. Never a secret."""
    detail: str = ""
    """A short reason code or text for the log and the reply's placeholder; may be empty."""
    untrusted: bool = False
    """True if `data` holds text that somebody else may have written."""
