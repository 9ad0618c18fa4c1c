"""References: "it", "them", "there", "the other one", and what was left out, from the talk so far."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import AssistantMessage, ResultMessage, Transcript, UserMessage
from botpsy_core.domain.tools import ToolCall
from botpsy_core.hearing.index import Bits, HomeIndex
from botpsy_core.hearing.reading import Reading
from botpsy_core.hearing.targets import Implied


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What the talk so far was about."""

    entities: tuple[str, ...] = ()
    """Targets of the last calls that had any."""
    utterance: str = ""
    """The last thing that the user said before."""


def past_of(transcript: Transcript, home: Home) -> Past:
    """Return the last acted-on entities that still exist, and the last utterance."""
    known = frozenset(e.id for e in home.entities)
    utterance = next((m.text for m in reversed(transcript.messages) if isinstance(m, UserMessage)), "")
    for turn in _turns(transcript):
        entities = {e for call in turn for e in _entities(call, known)}
        if entities:
            return Past(entities=tuple(sorted(entities)), utterance=utterance)
    return Past(utterance=utterance)


def _turns(transcript: Transcript) -> Iterator[tuple[ToolCall, ...]]:
    """Yield the calls of each turn, newest turn first."""
    calls: dict[str, ToolCall] = {}
    for message in reversed(transcript.messages):
        match message:
            case ResultMessage(call=call):
                calls[call.id] = call
            case AssistantMessage(calls=made):
                calls |= {c.id: c for c in made}
            case UserMessage():
                yield tuple(calls.values())
                calls = {}
    yield tuple(calls.values())


def _entities(call: ToolCall, known: frozenset[str]) -> Iterator[str]:
    for value in call.args.values():
        if isinstance(value, str):
            yield from (value,) if value in known else ()
        elif isinstance(value, Sequence):
            yield from (v for v in value if isinstance(v, str) and v in known)


def referred(reference: str, past: Past, index: HomeIndex) -> tuple[Bits, ...]:
    """Return the sets of entities that a reference may mean, likeliest first."""
    last = index.bits_of(past.entities)
    if not last:
        return ()
    if reference == "there":
        areas = {index.entities[n].area_id for n in index.members(last)} - {None}
        return tuple(index.areas[a] for a in sorted(map(str, areas)) if index.areas.get(a))
    if reference == "other":
        return tuple(1 << n for n in index.members(others(last, index)))
    return (last,)


def others(last: Bits, index: HomeIndex) -> Bits:
    """Return the things of the same kind that were not meant before, those of the same room where there are any."""
    members = [index.entities[n] for n in index.members(last)]
    domains, areas = {e.domain for e in members}, {e.area_id for e in members if e.area_id}
    alike = sum(1 << n for n, e in enumerate(index.entities) if e.domain in domains) & ~last
    nearby = sum(1 << n for n, e in enumerate(index.entities) if e.area_id in areas) & alike
    return nearby or alike


def kind_of(past: Past, reading: Reading) -> Implied | None:
    """Return the kind that was acted on last, or None."""
    domains = {e.partition(".")[0] for e in past.entities}
    bits = sum(1 << n for n, e in enumerate(reading.index.entities) if e.domain in domains)
    concept = next((c for c, kinds in reading.lexicon.kinds.items() if kinds == domains), "")
    return Implied(bits, concept) if bits else None
