"""From the payload of a request to a request, or to the reason why it is none."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from botpsy_core.domain.values import JsonObject, no_constant, unique_keys

MAX_BYTES = 16 * 1024
MAX_TEXT = 2000
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_TOOL = re.compile(r"[A-Za-z0-9_.-]{1,80}")
_KEYS = frozenset({"id", "text", "tool", "args", "answer", "to", "deadline"})


class Fault(StrEnum):
    """Why a request gets no turn."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    EXPIRED = "expired"
    RATE_LIMITED = "rate_limited"
    BUSY = "busy"
    REUSED_ID = "reused_id"
    RESPONSE_TOPIC = "response_topic_not_allowed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """Words, as if spoken."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UseTool:
    """A tool by name: skips understanding, never policy."""

    tool: str
    args: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person says to an open question."""

    accept: bool | None
    """None where a PIN was given."""
    pin: str | None = field(default=None, repr=False)
    to: str | None = None
    """The id of the request that asked, or of the question; None for the newest."""


type Ask = Say | UseTool | Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request; who asks comes from the topic, never from the payload."""

    id: str
    user: str
    """What the owner enabled: the key in the request topic."""
    ask: Ask
    deadline_s: float
    """Seconds that are left for the whole turn."""


class RequestFault(Exception):
    """Raised for a payload that is no request; carries the id where one could be read."""

    def __init__(self, fault: Fault, problem: str, request_id: str | None = None) -> None:
        super().__init__(problem)
        self.fault = fault
        self.problem = problem
        self.request_id = request_id


def parse_request(payload: bytes, *, user: str, now: datetime, longest_s: float) -> Request:
    """Return the request in a payload; raise RequestFault."""
    data = _object(payload)
    request_id = data.get("id")
    if not isinstance(request_id, str) or not _ID.fullmatch(request_id):
        raise RequestFault(Fault.MALFORMED, "`id` must be 1 to 64 letters, digits and _ . : -")
    try:
        return Request(id=request_id, user=user, ask=_ask(data), deadline_s=_left_s(data, now, longest_s))
    except RequestFault as fault:
        fault.request_id = request_id
        raise


def _object(payload: bytes) -> Mapping[str, Any]:
    """Return the JSON object of a payload."""
    if len(payload) > MAX_BYTES:
        raise RequestFault(Fault.TOO_LARGE, f"the payload has more than {MAX_BYTES} bytes")
    try:
        data = json.loads(payload.decode("utf-8"), parse_constant=no_constant, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise RequestFault(Fault.MALFORMED, "the payload is no JSON") from error
    if not isinstance(data, dict):
        raise RequestFault(Fault.MALFORMED, "the payload is no JSON object")
    return data


def _ask(data: Mapping[str, Any]) -> Ask:
    """Return what is asked; exactly one way of asking is allowed."""
    strangers = sorted(data.keys() - _KEYS)
    if strangers:
        raise RequestFault(Fault.MALFORMED, f"unknown key {strangers[0][:40]!r}")
    ways = [key for key in ("text", "tool", "answer") if key in data]
    if len(ways) != 1:
        raise RequestFault(Fault.MALFORMED, "give exactly one of `text`, `tool`, `answer`")
    if ("args" in data and ways != ["tool"]) or ("to" in data and ways != ["answer"]):
        raise RequestFault(Fault.MALFORMED, "`args` belongs to `tool`, `to` belongs to `answer`")
    match ways[0]:
        case "text":
            return _say(data["text"])
        case "tool":
            return _tool(data["tool"], data.get("args", {}))
        case _:
            return _answer(data["answer"], data.get("to"))


def _say(text: object) -> Say:
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_TEXT:
        raise RequestFault(Fault.MALFORMED, f"`text` must be 1 to {MAX_TEXT} characters")
    if any(ord(c) < 0x20 and c not in "\t\r\n" for c in text):
        raise RequestFault(Fault.MALFORMED, "`text` holds a control character")
    return Say(text=text.strip())


def _tool(tool: object, args: object) -> UseTool:
    if not isinstance(tool, str) or not _TOOL.fullmatch(tool):
        raise RequestFault(Fault.MALFORMED, "`tool` must be a tool's name")
    if not isinstance(args, dict):
        raise RequestFault(Fault.MALFORMED, "`args` must be an object")
    return UseTool(tool=tool, args=args)


def _answer(answer: object, to: object) -> Answer:
    if to is not None and (not isinstance(to, str) or not _ID.fullmatch(to)):
        raise RequestFault(Fault.MALFORMED, "`to` must be an id")
    if isinstance(answer, bool):
        return Answer(accept=answer, to=to)
    match answer:
        case "yes" | "no":
            return Answer(accept=answer == "yes", to=to)
        case str() if re.fullmatch(r"[0-9]{4,12}", answer, re.ASCII):
            return Answer(accept=None, pin=answer, to=to)
        case _:
            raise RequestFault(Fault.MALFORMED, "`answer` must be true, false, yes, no or a PIN as text")


def _left_s(data: Mapping[str, Any], now: datetime, longest_s: float) -> float:
    """Return how many seconds are left; a deadline is an absolute moment, so that a late delivery is seen."""
    deadline = data.get("deadline")
    if deadline is None:
        return longest_s
    until = _moment(deadline)
    if until is None:
        problem = "`deadline` must be ISO 8601 with an offset, or seconds since 1970"
        raise RequestFault(Fault.MALFORMED, problem)
    left_s = until - now.timestamp()
    if not math.isfinite(left_s) or left_s <= 0:
        raise RequestFault(Fault.EXPIRED, "the deadline has passed")
    return min(left_s, longest_s)


def _moment(deadline: object) -> float | None:
    """Return seconds since 1970, or None for what is no moment."""
    if isinstance(deadline, (int, float)) and not isinstance(deadline, bool):
        return float(deadline) if abs(deadline) < 1e12 else None
    if not isinstance(deadline, str):
        return None
    try:
        moment = datetime.fromisoformat(deadline)
    except ValueError:
        return None
    return moment.timestamp() if moment.tzinfo is not None else None
