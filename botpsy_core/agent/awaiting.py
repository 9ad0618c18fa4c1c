"""Read "when the dryer is done" as something to wait for, and the rest as the act; nothing is done for half of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from botpsy_core.agent.facts import Fact, as_number
from botpsy_core.agent.reply import Speech
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.cues import word_hits
from botpsy_core.domain.heard import Clause, Heard, Mood, Span, Value, ValueKind
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.plans import Awaited
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing import hear

PATIENCE = timedelta(hours=24)
"""How long something is waited for; what comes later has lost its sense."""
_LONGEST = 300
"""Characters in which something to wait for is looked for."""
_WORDS = 14
"""Words that what is waited for may have."""
_CLOCK = "23:59"
"""Stands for a time that nobody knows yet: the act is heard as one that is put off."""
_DONE = frozenset(
    {
        "off",
        "idle",
        "standby",
        "docked",
        "done",
        "finished",
        "complete",
        "completed",
        "end",
        "ended",
        "ready",
        "stopped",
    }
)
"""States of a thing that has come to its end by itself."""
_ENDLESS = frozenset(
    {"switch", "light", "fan", "input_boolean", "cover", "lock", "climate", "person", "device_tracker"}
)
"""Things that come to no end by themselves."""
_MEASURED = frozenset({ValueKind.NUMBER, ValueKind.TEMPERATURE, ValueKind.PERCENT})
_PEOPLE = frozenset({"person", "device_tracker"})
_EDGES = " ,.;!\u3002\uff0c\uff01\u3001\u0964"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """An act that waits for something, as the turn takes it: put off, until when it is waited for at the longest."""

    awaited: Awaited
    clause: Clause
    heard: Heard


def is_so(entity: Entity, way: str) -> bool | None:
    """Return whether a thing is as it is waited for; None where it cannot be so or nobody knows."""
    if entity.state is None:
        return None
    side, _, bound = way.partition(":")
    if bound:
        return _is_beyond(entity, side, float(bound))
    if way in {"home", "away"}:
        return (entity.state == "home") is (way == "home") if entity.domain in _PEOPLE else None
    if entity.domain in _PEOPLE:
        return None
    if way == "done":
        ends = entity.domain not in _ENDLESS and as_number(entity.state) is None
        return entity.state.lower() in _DONE if ends else None
    facts = {"id": entity.id, "name": entity.name, "state": entity.state}
    return Fact.of(facts, entity).fits(Direction(way))


def _is_beyond(entity: Entity, side: str, bound: float) -> bool | None:
    """Return whether what a thing measures is below or above a number; None for one that measures nothing."""
    measured = as_number(entity.attributes.get("current_temperature"))
    number = measured if measured is not None else as_number(entity.state)
    if number is None:
        return None
    return number < bound if side == "below" else number > bound


def _without(text: str, spans: Sequence[Span]) -> str:
    for span in sorted(spans, key=lambda s: -s.start):
        text = f"{text[: span.start]} {text[span.end :]}"
    return " ".join(text.split()).strip(_EDGES)


def waiting_in(text: str, speech: Speech, *, transcript: Transcript, context: TurnContext) -> Waiting | None:
    """Return the act and what it waits for, or None where the words do not leave exactly one of each."""
    if len(text) > _LONGEST or not isinstance(speech.phrases.find("awaits"), Mapping):
        return None
    reader = _Reader(speech=speech, transcript=transcript, context=context)
    for condition, act in reader.parts(text.strip(_EDGES)):
        awaited = reader.awaited(condition)
        found = reader.put_off(act, condition) if awaited is not None else None
        if awaited is not None and found is not None:
            return Waiting(awaited=awaited, clause=found[0], heard=found[1])
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """Reads one utterance."""

    speech: Speech
    transcript: Transcript
    context: TurnContext

    @property
    def home(self) -> Home:
        return self.speech.home

    def words(self, key: str) -> tuple[str, ...]:
        """Return the language's words for a part of such a sentence, longest first."""
        found = self.speech.phrases.find("awaits", key)
        return tuple(sorted(map(str, found), key=len, reverse=True)) if isinstance(found, list) else ()

    def parts(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield what may be waited for, and what is to be done then."""
        for after in word_hits(self.words("after"), text):
            head = text[: after.start]
            begins = next((w for w in self.words("when") if head.startswith(w)), "")
            yield head.removeprefix(begins).strip(_EDGES), text[after.end :].strip(_EDGES)
        for when in word_hits(self.words("when"), text):
            before, rest = text[: when.start].strip(_EDGES), text[when.end :].strip()
            cuts = self._cuts(rest)
            if before:
                yield rest, before
                yield from ((rest[:cut], f"{before} {rest[cut:].strip(_EDGES)}") for cut in sorted(cuts, reverse=True))
            else:
                yield from ((rest[:cut].strip(_EDGES), self._without_then(rest[cut:])) for cut in cuts)

    def _cuts(self, text: str) -> list[int]:
        """Return where what is waited for may end: at a comma, before "then", else after any word."""
        thens = {hit.start for hit in word_hits(self.words("then"), text)}
        cuts = [m.start() for m in re.finditer(r"[\s,\u3001\uff0c]+", text)][:_WORDS]
        marked = [cut for cut in cuts if not text[cut].isspace() or cut + 1 in thens]
        return [*marked, *(cut for cut in cuts if cut not in marked)]

    def _without_then(self, text: str) -> str:
        text = text.strip(_EDGES)
        then = next((w for w in self.words("then") if text.startswith(w)), "")
        return text.removeprefix(then).strip(_EDGES)

    def awaited(self, condition: str) -> Awaited | None:
        """Return what the words wait for: one thing, and how it will be."""
        number = self._number(condition)
        if number is not None:
            return number
        ways = self.speech.phrases.find("awaits", "ways")
        hits = [(s, way) for way, said in ways.items() for s in word_hits(tuple(said), condition)] if ways else []
        if not hits or self._heard(condition).clauses[0].mood in {Mood.NEGATED, Mood.QUESTION, Mood.EXPLANATION}:
            return None
        longest = max(hits, key=lambda hit: hit[0].end - hit[0].start)[0]
        rest = f"{condition[: longest.start]} {condition[longest.end :]}".strip(_EDGES)
        said = [way for span, way in hits if span == longest]
        fitting = [(e, way) for e in self._things(rest) for way in said if is_so(e, way) is not None]
        if len({e.id for e, _ in fitting}) != 1:
            return None
        entity, way = fitting[0]
        return Awaited(entity=entity.id, way=way, said=condition, seen=is_so(entity, way) is False)

    def _number(self, condition: str) -> Awaited | None:
        """Return what is to be below or above a number, where one thing that measures is named and one number."""
        values = [v for c in self._heard(condition).clauses for v in c.values]
        sides = self.speech.phrases.find("awaits", "bounds") or {}
        hits = [(hit, side) for side, said in sides.items() for hit in word_hits(tuple(said), condition)]
        if len(values) != 1 or not hits or not self._is_measure(values[0]):
            return None
        span, side = max(hits, key=lambda hit: hit[0].end - hit[0].start)
        rest = _without(condition, (span, values[0].span))
        ends = next((w for w in self.words("moves") if rest.endswith(f" {w}")), "")  # "... über 25 Grad steigt"
        way = f"{side}:{float(str(values[0].value)):g}"
        named = self._things(rest.removesuffix(ends).strip(_EDGES))
        fitting = {e.id: e for e in named if is_so(e, way) is not None}
        if len(fitting) != 1:
            return None
        (entity,) = fitting.values()
        return Awaited(entity=entity.id, way=way, said=condition, seen=is_so(entity, way) is False)

    def _is_measure(self, value: Value) -> bool:
        """Return True for a number in the unit that the home measures in."""
        if value.kind not in _MEASURED or value.relative or value.ambiguous:
            return False
        return value.kind is not ValueKind.TEMPERATURE or value.unit in {None, "\u00b0", self.home.temperature_unit}

    def _things(self, named: str) -> tuple[Entity, ...]:
        """Return the things that words name and nothing but name; the asker for "I"."""
        if named.casefold() in self.words("me"):
            own = self.home.entity(self.context.person_id or "")
            return (own,) if own is not None else ()
        clauses = self._heard(named).clauses if named else ()
        if len(clauses) != 1 or clauses[0].unexplained or clauses[0].absent or clauses[0].values:
            return ()
        best = max((t.score for t in clauses[0].targets), default=0.0)
        ids = dict.fromkeys(i for t in clauses[0].targets if t.score == best for i in t.entities)
        return tuple(e for i in ids if (e := self.home.entity(i)) is not None)

    def put_off(self, act: str, condition: str) -> tuple[Clause, Heard] | None:
        """Return the act as one that is put off to the end of all patience, or None where it is no one command."""
        phrases = self.speech.phrases
        heard = self._heard(f"{phrases.say('sun', 'at', clock=_CLOCK)} {self._as_message(act, condition)}")
        if len(heard.clauses) != 1 or heard.clauses[0].mood is not Mood.COMMAND:
            return None
        clause = heard.clauses[0]
        times = [v for v in clause.values if v.kind is ValueKind.TIME and str(v.value)[11:16] == _CLOCK]
        if len(times) != 1 or times[0].ambiguous:
            return None
        until = (self.speech.now + PATIENCE).isoformat(timespec="seconds")
        values: tuple[Value, ...] = tuple(replace(v, value=until) if v is times[0] else v for v in clause.values)
        clause = replace(clause, values=values)
        return clause, replace(heard, clauses=(clause,))

    def _as_message(self, act: str, condition: str) -> str:
        """Return "tell me when ..." as a message that says so, and "remind me ... to" as one that reminds."""
        phrases, lowered = self.speech.phrases, act.casefold()
        if lowered in self.words("tell"):
            return phrases.say("awaits", "tell_as", text=condition)
        begins = next((w for w in self.words("remind") if lowered.startswith(w)), "")
        return phrases.say("awaits", "tell_as", text=act[len(begins) :].strip(_EDGES)) if begins else act

    def _heard(self, text: str) -> Heard:
        return hear(text, home=self.home, transcript=self.transcript, context=self.context)
