"""A talk as the prompt of one model, through the template in its own file."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from botpsy_core.dialect.defuse import Defuser
from botpsy_core.dialect.detect import family_of
from botpsy_core.dialect.families import Family
from botpsy_core.dialect.listing import describe_tools, list_tools
from botpsy_core.dialect.shape import ASKED, CALL, OTHERWISE, PROBES, SHAPES, SYSTEM, TOOL, Shape, stands_in_order
from botpsy_core.dialect.template import PLAIN_TEMPLATE, ChatTemplate
from botpsy_core.dialect.write import to_json, write_calls
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.engine import ModelInfo, Prompt
from botpsy_core.domain.messages import AssistantMessage, Message, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.errors import ModelFileInvalid

_LONGEST_RESULT = 600
"""Characters of one result that the model reads again; values from results are found by code."""

type _Entry = dict[str, Any]


@lru_cache(maxsize=2)
def renderer_of(info: ModelInfo) -> Renderer:
    """Return the model's one renderer, since its template takes long to compile; raise ModelFileInvalid."""
    return Renderer(info)


class Renderer:
    """Prompts for one model."""

    def __init__(self, info: ModelInfo) -> None:
        """Compile the template and find out what it can hold; raise ModelFileInvalid where it can hold no talk."""
        self.family: Family = family_of(info)
        self._template = ChatTemplate(info.template or PLAIN_TEMPLATE, bos=info.bos, eos=info.eos)
        self._defuse = Defuser((*info.special, *self.family.markers, info.bos, info.eos))
        self._prefixes: dict[tuple[str, str, bool], str] = {}
        self._shape = self._find_shape(info.name)

    def render(
        self,
        system: str,
        tools: Sequence[ToolSpec],
        transcript: Transcript,
        utterance: str,
        note: str = "",
        *,
        thinking: bool = False,
    ) -> Prompt:
        """Return the prompt; its prefix is the same for every utterance, note and history of one set of tools.

        An empty utterance asks for what follows the transcript's last message. Raises ModelFileInvalid where the
        template fails on this talk.
        """
        asked = "\n\n".join(part for part in (note, utterance.strip()) if part)
        talk = (*transcript.messages, UserMessage(text=asked)) if asked else transcript.messages
        text = self._written(self._shape, system, tools, talk, thinking=thinking)
        prefix = self._prefix(system, tools, thinking=thinking)
        if not text.startswith(prefix):
            prefix = ""  # a template that rewrites its beginning; slower, and still right
        return Prompt(prefix=prefix, tail=text[len(prefix) :])

    def _find_shape(self, name: str) -> Shape:
        fault = ModelFileInvalid(f"the chat template of {name!r} cannot hold a talk with tools")
        for shape in SHAPES:
            try:
                if self._holds(shape):
                    return shape
            except ModelFileInvalid as found:
                fault = found
        raise fault

    def _holds(self, shape: Shape) -> bool:
        """Return True if every probe keeps its parts in order behind one prefix with system text and tools."""
        prefix = self._common(shape, SYSTEM, (TOOL,), thinking=False)
        if SYSTEM not in prefix or TOOL.description not in prefix:
            return False
        for transcript, sentinels in PROBES:
            talk = (*transcript.messages, UserMessage(text=ASKED))
            text = self._written(shape, SYSTEM, (TOOL,), talk, thinking=False)
            if not (text.startswith(prefix) and stands_in_order(text, sentinels)):
                return False
            if transcript.messages and self._own(CALL) not in text:
                return False
        return True

    def _prefix(self, system: str, tools: Sequence[ToolSpec], *, thinking: bool) -> str:
        key = (system, to_json(list_tools(self.family, tools)), thinking)
        if key not in self._prefixes:
            while len(self._prefixes) >= 8:
                self._prefixes.pop(next(iter(self._prefixes)))
            self._prefixes[key] = self._common(self._shape, system, tools, thinking=thinking)
        return self._prefixes[key]

    def _common(self, shape: Shape, system: str, tools: Sequence[ToolSpec], *, thinking: bool) -> str:
        """Return what two prompts share that have nothing in common but system text and tools."""
        one, other = (
            self._written(shape, system, tools, (UserMessage(text=text),), thinking=thinking)
            for text in (ASKED, OTHERWISE)
        )
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
        return "".join(character for character, _ in shared).rstrip(" ")  # a space belongs to the word after it

    def _written(
        self, shape: Shape, system: str, tools: Sequence[ToolSpec], talk: Sequence[Message], *, thinking: bool
    ) -> str:
        listed = list_tools(self.family, tools) if shape.tools else []
        if tools and not shape.tools:
            system = f"{system}\n\n{describe_tools(self.family, tools)}".lstrip()
        entries = list(self._entries(shape, talk))
        if system and shape.system:
            entries.insert(0, {"role": "system", "content": system})
        elif system and entries:
            entries[0] = {**entries[0], "content": f"{system}\n\n{entries[0]['content']}"}
        return self._template.render(entries, listed, thinking=thinking)

    def _entries(self, shape: Shape, talk: Sequence[Message]) -> Iterator[_Entry]:
        """Yield the template's messages; what was said beside calls comes after their results."""
        said = ""
        for message in talk:
            if said and not isinstance(message, ResultMessage):
                yield {"role": "assistant", "content": said}
                said = ""
            match message:
                case UserMessage(text=text):
                    yield {"role": "user", "content": self._defuse(text)}
                case AssistantMessage(text=text, calls=()):
                    yield {"role": "assistant", "content": self._defuse(text)}
                case AssistantMessage(text=text, calls=calls):
                    said = self._defuse(text)
                    yield self._calls(shape, calls)
                case ResultMessage():
                    yield self._result(shape, message)
        if said:
            yield {"role": "assistant", "content": said}

    def _calls(self, shape: Shape, calls: Sequence[ToolCall]) -> _Entry:
        if not shape.calls:
            return {"role": "assistant", "content": self._own(*calls)}
        listed = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": dict(call.args)}}
            for call in calls
        ]
        return {"role": "assistant", "content": "", "tool_calls": listed}

    def _own(self, *calls: ToolCall) -> str:
        return write_calls(self.family, [RawCall(name=call.name, args=call.args) for call in calls])

    def _result(self, shape: Shape, message: ResultMessage) -> _Entry:
        call, result = message.call, message.result
        content = self._defuse(to_json({"outcome": result.outcome.value, **result.data}))[:_LONGEST_RESULT]
        if shape.results:
            return {"role": "tool", "name": call.name, "tool_call_id": call.id, "content": content}
        return {"role": "user", "content": f"{call.name}: {content}"}
