"""An act that was put off to a later time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from botpsy_core.domain.tools import ToolCall
from botpsy_core.domain.values import JsonObject

WHEN = "when"
"""What is asked about where a time leaves two readings; no argument of a tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAct:
    """One call, who wants it, and when."""

    id: str
    call: ToolCall
    at: datetime
    """Aware; when it is due."""
    act: str
    """The act in the asker's language, as it was read back."""
    language: str
    user_id: str | None = None
    device_id: str | None = None
    """The satellite or screen that it was asked from."""
    targets: tuple[str, ...] = ()
    """`Entity.id`s that it acts on."""
    begun: bool = False
    """True from just before it is done: one that was interrupted is never done twice."""

    def started(self) -> PlannedAct:
        """Return the act as it is written down before it is done."""
        return replace(self, begun=True)

    def to_json(self) -> JsonObject:
        """Return what is kept over a restart."""
        return {
            "id": self.id,
            "call": {"name": self.call.name, "args": dict(self.call.args)},
            "at": self.at.isoformat(),
            "act": self.act,
            "language": self.language,
            "user_id": self.user_id,
            "device_id": self.device_id,
            "targets": list(self.targets),
            "begun": self.begun,
        }


def planned_from(data: JsonObject) -> PlannedAct:
    """Return a kept act; raise ValueError, KeyError or TypeError for what is none."""
    call, targets = data["call"], data["targets"]
    if not isinstance(call, Mapping) or not isinstance(call["args"], Mapping) or not isinstance(targets, list | tuple):
        raise TypeError("no planned act")
    at = datetime.fromisoformat(str(data["at"]))
    if at.tzinfo is None:
        raise ValueError("a time without an offset")
    user_id, device_id = data.get("user_id"), data.get("device_id")
    return PlannedAct(
        id=str(data["id"]),
        call=ToolCall(id="call_1", name=str(call["name"]), args=call["args"]),
        at=at,
        act=str(data["act"]),
        language=str(data["language"]),
        user_id=None if user_id is None else str(user_id),
        device_id=None if device_id is None else str(device_id),
        targets=tuple(str(each) for each in targets),
        begun=bool(data.get("begun")),
    )
