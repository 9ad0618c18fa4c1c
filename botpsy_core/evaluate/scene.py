"""What the product sees of a case: its home, its tools, the talk so far and the last words."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache

from botpsy_core.catalog import foreign_tool, load_tools
from botpsy_core.catalog.called import PREAMBLE
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import AssistantMessage, Message, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import Outcome, Risk, ToolCall, ToolResult, ToolSpec
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.case_home import home_of, identity_of, with_named_lists
from botpsy_core.evaluate.cases import Case, Record, arguments_of
from botpsy_core.evaluate.match import canonical_call
from botpsy_core.evaluate.prediction import Made

OWN_READS: Mapping[str, str] = {
    "GetLiveContext": "get_state",
    "HassGetState": "get_state",
    "GetDateTime": "get_time",
    "todo_get_items": "list_items",
    "calendar_get_events": "find_events",
}
"""Home Assistant's own reading tools, and ours that do the same."""

OWN = "own"
"""Key of a binding: which of our reading tools a case's tool is."""

_READING_WORDS = frozenset({
    "analyze", "analyse", "assess", "calculate", "calc", "check", "compare", "compute", "convert", "count", "describe",
    "detect", "determine", "discover", "display", "estimate", "evaluate", "explain", "explore", "extract", "factor",
    "factorize", "fetch", "find", "forecast", "generate", "get", "give", "identify", "inspect", "list", "locate",
    "look", "lookup", "measure", "multiply", "predict", "provide", "query", "read", "reckon", "recognize", "recommend",
    "retrieve", "search", "show", "simulate", "solve", "suggest", "summarize", "tell", "translate", "verify", "view",
})  # fmt: skip
"""First words of a name or a description that promise to change nothing; a case has no other sign of it."""
_RETURN = "return"
"""The same of a description alone: a tool that is called so may take things back."""
_STATED_TIME = re.compile(r"current (?:date|time)[^.]*? is ([A-Z][a-z]+ \d{1,2}, \d{4})", re.IGNORECASE)
_SOME_TIME = datetime(2026, 3, 23, 12, 0, tzinfo=UTC)
"""For a case that tells no time: the same for every run."""

_LONGEST_SYSTEM = 4_000
"""Characters of a case's own system text that a small machine reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A call that was made before the last words were answered, or whose result the case holds."""

    call: Made
    content: str
    past: bool
    """True for a call of the talk so far; making it again is no new call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One case, ready for a turn."""

    home: Home
    tools: tuple[ToolSpec, ...]
    transcript: Transcript
    utterance: str
    instructions: str
    recorded: tuple[Recorded, ...]
    now: datetime
    language: str

    def context(self) -> TurnContext:
        """Return the frame of the turn: somebody at home types."""
        return TurnContext(
            conversation_id="case",
            origin=Origin.CHAT,
            now=self.now,
            language=self.language,
            user_id="user",
            is_admin=True,
            deadline_s=600.0,
        )


def scene_of(case: Case) -> Scene:
    """Return what may be seen of a case."""
    home = with_named_lists(home_of(case), case.tools)
    last = max((i for i, m in enumerate(case.messages) if m["role"] == "user"), default=-1)
    answered = not home.entities and len(case.messages) > last + 1
    begun = len(case.messages) if answered else max(last, 0)
    return Scene(
        home=home,
        tools=specs_of(case.tools),
        transcript=Transcript(messages=tuple(_talk(case.messages[:begun]))),
        utterance=str(case.messages[last].get("content") or "") if last >= 0 else "",
        instructions="" if home.entities else case.system[:_LONGEST_SYSTEM],
        recorded=(*_past(case.messages[last + 1 :]), *_replayed(case)),
        now=_recorded_time(case) or _time_of(case.system),
        language=case.primary_language,
    )


def specs_of(tools: Sequence[Record]) -> tuple[ToolSpec, ...]:
    """Return a case's tools as the product reads other people's tools; they count as comfort, or as reading."""
    specs = []
    for tool in tools:
        try:
            specs.append(_spec_of(json.dumps(tool)))
        except ConfigurationInvalid:
            continue  # a name that the grammar reserves; such a tool can never be called
    return tuple(sorted(specs, key=lambda spec: spec.name))


@lru_cache(maxsize=2048)
def _spec_of(tool: str) -> ToolSpec:
    """Return the spec of a tool written as JSON, once, since many cases have the same tools."""
    return _spec(json.loads(tool))


def _spec(tool: Record) -> ToolSpec:
    name = str(tool["function"]["name"])
    own = next((t for t in load_tools() if t.name == OWN_READS.get(identity_of(tool))), None)
    spec = foreign_tool(tool)
    if own is not None:
        return replace(own, name=name, binding={**spec.binding, OWN: own.name}, untrusted_result=True)
    reads = _promises_to_read(name, spec.description)
    reads = reads and not spec.binding.get("slots")  # what points at things of the home acts on them
    return replace(spec, risk=Risk.READ if reads or spec.read_only else Risk.COMFORT)


def _promises_to_read(name: str, description: str) -> bool:
    """Return True if the first word of a tool's name or the verb of its description changes nothing."""
    first = re.split(r"[_.\-]|(?<=[a-z])(?=[A-Z])", name)[0].lower()
    said = description.lower()
    preamble = PREAMBLE.match(said)
    verb = next(iter(re.findall(r"[a-z]+", said[preamble.end() if preamble else 0 :])), "")
    forms = {verb, verb.removesuffix("s"), verb.removesuffix("es"), verb.removesuffix("ing")}
    forms |= {verb[:-3] + "y"} if verb.endswith("ies") else {verb[:-3] + "e"} if verb.endswith("ing") else set()
    return _RETURN in forms or not _READING_WORDS.isdisjoint({first, *forms})


def _talk(messages: Sequence[Record]) -> Iterator[Message]:
    calls: dict[str, ToolCall] = {}
    for message in messages:
        match message["role"]:
            case "user":
                yield UserMessage(text=str(message.get("content") or ""))
            case "assistant":
                made = tuple(_called(message))
                calls |= {call.id: call for call in made}
                yield AssistantMessage(text=str(message.get("content") or ""), calls=made)
            case "tool" if (call := calls.get(str(message.get("tool_call_id")))) is not None:
                data = {"result": str(message.get("content") or "")}
                yield ResultMessage(
                    call=call, result=ToolResult(call_id=call.id, outcome=Outcome.DONE, data=data, untrusted=True)
                )
            case _:
                continue


def _past(messages: Sequence[Record]) -> Iterator[Recorded]:
    calls = {call.id: call for message in messages for call in _called(message)}
    contents = {str(m.get("tool_call_id")): str(m.get("content") or "") for m in messages if m["role"] == "tool"}
    for call_id, call in calls.items():
        yield Recorded(call=Made(name=call.name, args=call.args), content=contents.get(call_id, ""), past=True)


def _replayed(case: Case) -> Iterator[Recorded]:
    for entry in case.expected.get("recorded_results", ()):
        result = entry.get("result")
        content = result.get("result") if isinstance(result, Mapping) else result
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        yield Recorded(call=Made(name=str(entry["name"]), args=entry.get("args") or {}), content=text, past=False)


def recorded_answer(case: Case, call: Made) -> str | None:
    """Return what a case has recorded for a call: of the same arguments, else of the same tool, else None."""
    alike = [r for r in _replayed(case) if r.call.name == call.name]
    same = [r for r in alike if canonical_call(r.call) == canonical_call(call)]
    return next((r.content for r in (*same, *alike)), None)


def _called(message: Record) -> Iterator[ToolCall]:
    for i, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        yield ToolCall(id=str(call.get("id", i)), name=str(function["name"]), args=arguments_of(function))


def _recorded_time(case: Case) -> datetime | None:
    """Return the time that the case's own clock shows, which a home knows without asking."""
    for entry in case.expected.get("recorded_results", ()):
        shown = (entry.get("result") or {}).get("result")
        if entry["name"] == "GetDateTime" and isinstance(shown, Mapping):
            zone = str(shown.get("timezone", "UTC+00:00")).removeprefix("UTC") or "+00:00"
            try:
                return datetime.fromisoformat(f"{shown['date']}T{shown['time']}{zone}")
            except KeyError, ValueError:
                return None
    return None


def _time_of(system: str) -> datetime:
    stated = _STATED_TIME.search(system)
    if stated is None:
        return _SOME_TIME
    try:
        return datetime.strptime(stated[1], "%B %d, %Y").replace(hour=12, tzinfo=UTC)
    except ValueError:
        return _SOME_TIME
