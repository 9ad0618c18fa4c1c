"""What the grammar lets the model choose from in one decision."""

from dataclasses import dataclass

from botpsy_core.domain.heard import Span
from botpsy_core.domain.tools import Argument, ToolSpec
from botpsy_core.domain.values import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One value that the model may pick by its label."""

    label: str
    value: JsonValue
    score: float = 1.0
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One argument, and where its value may come from.

    `choices` for a closed set; else `words`, a text whose runs of whole words are the only allowed values;
    else the argument's own JSON Schema.
    """

    argument: Argument
    choices: tuple[Choice, ...] = ()
    words: str = ""
    required: bool = False
    several: bool = False
    """True where the value is a list, and choices or words are what it may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """One tool that this utterance may mean, target slot first."""

    tool: ToolSpec
    slots: tuple[Slot, ...] = ()
    score: float = 0.0
    """How well the words fit the tool, 0 to 1, free of any model."""
    missing: tuple[str, ...] = ()
    """Arguments for which nothing was heard or two readings are left; a call of this tool can only be asked about."""
    at: tuple[Choice, ...] = ()
    """When to do it, for a delayable tool whose clause names a time that is no argument; two are two readings."""
    whole: bool = False
    """True if this tool and its slots make sense of every word that carries meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The tools of one decision, best first; the refusal and the question back are there unless `must_call`."""

    tools: tuple[OfferedTool, ...] = ()
    may_answer: bool = False
    """True where plain text is allowed as well."""
    must_call: bool = False
    """True where the model refused already and is asked which tool comes nearest all the same."""

    def tool(self, name: str) -> OfferedTool | None:
        """Return the offered tool of that name, or None."""
        return next((t for t in self.tools if t.tool.name == name), None)
