"""The model's text, piece by piece, into calls, speech and what is neither."""

import json
from collections.abc import Iterator, Sequence

from botpsy_core.dialect.families import Family, Values
from botpsy_core.dialect.lenient import read_leniently
from botpsy_core.dialect.read import read_block
from botpsy_core.dialect.signals import Incomplete, Unreadable
from botpsy_core.dialect.suspects import looks_like_call
from botpsy_core.domain.decisions import Item, Malformed, RawCall, Said, Thought
from botpsy_core.domain.tools import RESERVED_NAMES, ToolSpec
from botpsy_core.domain.values import JsonValue


class Parser:
    """An incremental reader of one generation.

    An item comes out once its end was seen, so that any split of the text into pieces gives the same items. Whatever
    might be a call and is none comes out as Malformed, never as speech.
    """

    def __init__(
        self,
        family: Family,
        names: frozenset[str],
        *,
        thinking: bool = False,
        tools: Sequence[ToolSpec] = (),
        lenient: bool = False,
    ) -> None:
        """Read calls of these names.

        `thinking` where the prompt opened a thought, `tools` to type raw values, `lenient` to take calls in any JSON
        dress, which serves to measure untaught models and never to act.
        """
        self._family = family
        self._names = names | RESERVED_NAMES
        self._tools = {tool.name: tool for tool in tools}
        self._lenient = lenient
        self._text = ""
        self._inside = family.think_open if thinking else ""
        self._tried = 0

    def feed(self, text: str) -> tuple[Item, ...]:
        """Return the items that end within what was fed so far."""
        self._text += text
        return tuple(self._items())

    def finish(self) -> tuple[Item, ...]:
        """Return what is left over at the end of the generation."""
        rest, self._text = self._text, ""
        if self._inside == self._family.think_open:
            return (Thought(text=rest),) if rest else ()
        if self._inside and not self._lenient:
            return (Malformed(text=self._inside + rest),)
        rest = self._inside + rest
        return tuple(self._spoken(rest, last=True))

    def _items(self) -> Iterator[Item]:
        while (found := self._step()) is not None:
            yield from found

    def _step(self) -> tuple[Item, ...] | None:
        """Consume up to the next marker; None where the rest of the text is needed."""
        if self._inside == self._family.think_open:
            return self._in_thought()
        if self._inside:
            return self._in_block()
        return self._outside()

    def _outside(self) -> tuple[Item, ...] | None:
        f = self._family
        places = [(at, m) for m in (f.opening, f.think_open, f.think_close) if (at := self._text.find(m)) >= 0]
        if not places:
            return None
        at, marker = min(places)
        before, self._text = self._text[:at], self._text[at + len(marker) :]
        if marker == f.think_close:
            return (Thought(text=before),) if before else ()
        self._inside, self._tried = marker, 0
        return tuple(self._spoken(before))

    def _in_thought(self) -> tuple[Item, ...] | None:
        thought, marker, rest = self._text.partition(self._family.think_close)
        if not marker:
            return None
        self._text, self._inside = rest, ""
        return (Thought(text=thought),) if thought else ()

    def _in_block(self) -> tuple[Item, ...] | None:
        """Try every closing marker in turn, since one may stand inside a value."""
        f = self._family
        while (at := self._text.find(f.closing, self._tried)) >= 0:
            end = at + len(f.closing)
            try:
                calls = read_block(f, self._text[:at] if f.begin else f.opening + self._text[:end])
            except Incomplete:
                self._tried = end
                continue
            except Unreadable:
                calls = ()
            whole = self._inside + self._text[:end]
            self._text, self._inside = self._text[end:], ""
            known = bool(calls) and all(call.name in self._names for call in calls)
            if self._lenient and not known:
                return read_leniently(whole, self._names)
            return tuple(self._typed(call) for call in calls) if known else (Malformed(text=whole),)
        return None

    def _spoken(self, text: str, *, last: bool = False) -> Iterator[Item]:
        if not text.strip():
            return
        if self._lenient:
            yield from read_leniently(text, self._names)
            return
        suspect = looks_like_call(text) or (last and _ends_in_half(text, self._family.markers))
        yield Malformed(text=text) if suspect else Said(text=text.strip())

    def _typed(self, call: RawCall) -> RawCall:
        """Return the call with raw text turned into what its argument's schema asks for."""
        tool = self._tools.get(call.name)
        if tool is None or self._family.values not in {Values.RAW, Values.CDATA}:
            return call
        kinds = {argument.name: argument.schema.get("type") for argument in tool.arguments}
        return RawCall(name=call.name, args={key: _as_kind(value, kinds.get(key)) for key, value in call.args.items()})


def _ends_in_half(text: str, markers: Sequence[str]) -> bool:
    """Return True if the text breaks off inside a marker."""
    return any(text.endswith(marker[:size]) for marker in markers for size in range(2, len(marker)))


def _as_kind(value: JsonValue, kind: JsonValue) -> JsonValue:
    if not isinstance(value, str) or kind == "string":
        return value
    try:
        found: JsonValue = json.loads(value.lower() if kind == "boolean" else value)
    except ValueError, RecursionError:
        return value
    fits = {
        "integer": isinstance(found, int) and not isinstance(found, bool),
        "number": isinstance(found, (int, float)) and not isinstance(found, bool),
        "boolean": isinstance(found, bool),
        "array": isinstance(found, list),
        "object": isinstance(found, dict),
    }
    return found if isinstance(kind, str) and fits.get(kind, False) else value
