"""An act that was put off to a later time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from botpsy_core.domain.tools import ToolCall
from botpsy_core.domain.values import JsonObject, JsonValue

WHEN = "when"
"""What is asked about where a time leaves two readings; no argument of a tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """What an act waits for: one thing, and how it will be."""

    entity: str
    """`Entity.id`."""
    way: str
    """A `Direction`'s value, or `done`, `home` or `away`; `below:20` or `above:20` of what is measured."""
    said: str
    """The user's words for it."""
    seen: bool = False
    """True once it was seen to be otherwise: only a change is what was waited for."""
    stale: bool = False
    """True from a restart until it is seen again: what changed meanwhile changed at a time that nobody knows."""
    lost: bool = False
    """True where it happened while nobody looked."""

    def to_json(self) -> JsonObject:
        """Return what is kept over a restart."""
        return {"entity": self.entity, "way": self.way, "said": self.said, "seen": self.seen, "lost": self.lost}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAct:
    """One call, who wants it, and when."""

    id: str
    call: ToolCall
    at: datetime
    """Aware; when it is due, or until when it waits for something."""
    act: str
    """The act in the asker's language, as it was read back."""
    language: str
    user_id: str | None = None
    device_id: str | None = None
    """The satellite or screen that it was asked from."""
    targets: tuple[str, ...] = ()
    """`Entity.id`s that it acts on."""
    on: Awaited | None = None
    """What it waits for, where that is not a time."""
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
            **({} if self.on is None else {"on": self.on.to_json()}),
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
        on=_awaited_from(data.get("on")),
    )


def _awaited_from(data: JsonValue) -> Awaited | None:
    """Return what an act waits for, as it is taken up after a restart."""
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise TypeError("nothing to wait for")
    return Awaited(
        entity=str(data["entity"]),
        way=str(data["way"]),
        said=str(data["said"]),
        seen=bool(data.get("seen")),
        stale=True,
        lost=bool(data.get("lost")),
    )
