"""What a chat template can hold, found out by rendering with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from botpsy_core.domain.messages import AssistantMessage, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Argument, Outcome, Role, ToolCall, ToolResult, ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Which parts of a talk the template writes itself; the others are put into plain text."""

    tools: bool = True
    """It lists tools."""
    system: bool = True
    """It has a system message, and before everything else."""
    calls: bool = True
    """It writes the calls of an assistant message, and as the family does."""
    results: bool = True
    """It has tool messages."""


SHAPES = tuple(
    Shape(tools=tools, system=system, calls=calls, results=results)
    for tools, system, calls, results in product((True, False), repeat=4)
)
"""Every shape, the most native first."""

SYSTEM, ASKED, OTHERWISE = "Qsystem", "Qasked", "Zotherwise"
"""Sentinels; the last two differ from their first character on."""

_EARLIER, _VALUE, _RESULT, _SAID = "Qearlier", "Qvalue", "Qresult", "Qsaid"

TOOL = ToolSpec(
    name="probe",
    description="Qdescription",
    arguments=(Argument(name="what", role=Role.TEXT, schema={"type": "string"}, required=True),),
)

CALL = ToolCall(id="call00001", name=TOOL.name, args={"what": _VALUE, "number": 7, "list": ["a"]})
_TALK = (
    UserMessage(text=_EARLIER),
    AssistantMessage(calls=(CALL,)),
    ResultMessage(call=CALL, result=ToolResult(call_id=CALL.id, outcome=Outcome.DONE, data={"found": _RESULT})),
    AssistantMessage(text=_SAID),
)
PROBES: tuple[tuple[Transcript, tuple[str, ...]], ...] = (
    (Transcript(), (SYSTEM, ASKED)),
    (Transcript(messages=_TALK), (SYSTEM, _EARLIER, _VALUE, _RESULT, _SAID, ASKED)),
)
"""Talks, and what must stand once in each, in this order."""


def stands_in_order(text: str, sentinels: Sequence[str]) -> bool:
    """Return True if each sentinel stands in the text once and they follow each other."""
    places = [text.find(sentinel) for sentinel in sentinels]
    return all(text.count(sentinel) == 1 for sentinel in sentinels) and places == sorted(places)
