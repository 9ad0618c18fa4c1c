"""The ear itself: one pass over an utterance, from words to clauses with their targets and values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard, How, Mood, Span, Target, Value
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.chunks import SWITCHING, Chunk, Fit, chunks_of, fit
from botpsy_core.hearing.clauses import Part, split
from botpsy_core.hearing.direction import directions_of
from botpsy_core.hearing.index import Bits, index_for
from botpsy_core.hearing.lexicon import Lexicon, Sense, lexicon_for
from botpsy_core.hearing.mood import mood_of, spreads
from botpsy_core.hearing.reading import Reading, Segment, locked_names, segment
from botpsy_core.hearing.references import Past, domains_of, past_of, referred
from botpsy_core.hearing.targets import Ask, distinct, resolve
from botpsy_core.hearing.time import times_of
from botpsy_core.hearing.tokens import Token, tokenize
from botpsy_core.hearing.values import as_change, values_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What stays the same for every clause of an utterance."""

    reading: Reading
    home: Home
    past: Past
    room: Bits


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """What a clause's words name."""

    targets: tuple[Target, ...] = ()
    absent: tuple[Span, ...] = ()
    explained: frozenset[int] = frozenset()
    """Tokens that the targets explain."""
    concepts: Bits | None = None
    """Entities of the kinds that were said; None where no kind was."""
    place_only: bool = False


def hear(text: str, *, home: Home, transcript: Transcript, context: TurnContext) -> Heard:
    """Return what code can tell about an utterance before any model reads it."""
    reading = _read(text, home, context.language, context.now)
    past = past_of(transcript, home)
    room = reading.index.areas.get(context.area_id or "", 0)
    scene = _Scene(reading=reading, home=home, past=past, room=room)
    parts = split(reading)
    heard = tuple(_clause(part, scene) for part in parts)
    return Heard(text=text, language=reading.lexicon.language, clauses=_carried(parts, heard, scene))


def _read(text: str, home: Home, language: str, now: datetime) -> Reading:
    lexicon = lexicon_for(language)
    index = index_for(home, lexicon)
    tokens = tokenize(text)
    names = locked_names(tokens, index)
    blocked = frozenset(n for first, last in names.items() for n in range(first, last)) | _phrased(tokens, lexicon)
    times = times_of(tokens, blocked, now, lexicon)
    timed = frozenset(n for s in times.said for n in range(s.first, s.last))
    values = values_of(tokens, blocked | timed, home, lexicon)
    segments = segment(tokens, lexicon, index, names=names, values=values, times=times)
    return Reading(text=text, tokens=tokens, segments=segments, times=times, lexicon=lexicon, index=index)


def _phrased(tokens: Sequence[Token], lexicon: Lexicon) -> frozenset[int]:
    """Return the tokens of phrases such as "the other one", whose number word counts nothing."""
    words = [t.word for t in tokens]
    found: set[int] = set()
    for at in range(len(words)):
        length, meanings = lexicon.longest_at(words, at, len(words))
        if length > 1 and any(m.sense in {Sense.REFERENCE, Sense.FLOOR} for m in meanings):
            found.update(range(at, at + length))
    return frozenset(found)


def _clause(part: Part, scene: _Scene, implied: Bits | None = None) -> tuple[Clause, _Named]:
    reading = scene.reading
    text_from, text_to = part.text or (0, 0)
    outside = tuple(s for s in part.segments if not text_from <= s.first < text_to)
    directions = directions_of(outside)
    named = _named(outside, directions, scene, implied)
    values = _values(part, named, directions, reading)
    span = Span(start=reading.tokens[part.segments[0].first].start, end=reading.tokens[part.segments[-1].last - 1].end)
    clause = Clause(
        text=reading.text[span.start : span.end],
        span=span,
        mood=mood_of(outside),
        directions=directions,
        targets=distinct(named.targets, scene.home),
        values=values,
        absent=tuple(reading.text[s.start : s.end] for s in named.absent),
        unexplained=_unexplained(part, named, reading),
        everything=any(s.has(Sense.ALL, Sense.EVERYTHING) for s in outside),
    )
    return clause, named


def _values(part: Part, named: _Named, directions: tuple[Direction, ...], reading: Reading) -> tuple[Value, ...]:
    """Return what a clause says of numbers and times, in the order of its words."""
    first, last = part.segments[0].first, part.segments[-1].last
    own = [(s.first, s.last, s.value) for s in part.segments if s.value and s.first not in named.explained]
    words = tuple(t.word for t in reading.tokens)
    changed = [
        (at, as_change(value, words[first:at], words[end:last], directions, reading.lexicon)) for at, end, value in own
    ]
    timed = [(said.first, value) for said, value in reading.times.within(first, last)]
    return tuple(value for _, value in sorted([*changed, *timed], key=lambda placed: placed[0]))


def _named(
    segments: tuple[Segment, ...], directions: tuple[Direction, ...], scene: _Scene, implied: Bits | None
) -> _Named:
    reading = scene.reading
    switching = bool(SWITCHING & set(directions))
    cut = next((n for n, s in enumerate(segments) if s.has(Sense.EXCEPT)), len(segments))
    excluded = _excluded(segments[cut + 1 :], scene, switching=switching)
    if excluded is None:
        return _Named(absent=(_span(segments[cut + 1 :], reading),) if segments[cut + 1 :] else ())
    chunks = chunks_of(segments[:cut], reading, switching=switching)
    fits = {chunk: fit(chunk, reading) for chunk in chunks}
    everything = cut < len(segments) or any(s.has(Sense.ALL, Sense.EVERYTHING) for s in segments)
    verb_kinds = _verb_kinds(segments, reading)
    implied = verb_kinds if verb_kinds is not None else implied
    found = _phrases(chunks, fits, scene, switching=switching)
    asks = [
        Ask(
            fits=tuple(fits[c] for c in phrase),
            span=_tokens_span(phrase, reading),
            everything=everything,
            implied=implied,
            excluded=excluded[0],
            excluded_names=excluded[1],
            room=scene.room,
        )
        for phrase in found.phrases
    ]
    targets = [t for ask in asks for t in resolve(ask, reading)]
    if not chunks and not found.absent:
        targets += _without_words(segments, scene, implied, everything=everything, excluded=excluded)
    concepts = [g for ask in asks for f in ask.fits for g in f.groups if g.concepts]
    union = 0
    for group in concepts:
        for meaning in group.concepts:
            union |= reading.index.concepts.get(meaning.value, 0)
    ranked = sorted(targets, key=lambda t: -t.score)
    return _Named(
        targets=tuple(ranked),
        absent=found.absent,
        explained=frozenset(n for phrase in found.phrases for c in phrase for n in range(c.first, c.last)),
        concepts=union if concepts else None,
        place_only=bool(asks) and all(f.place_only for ask in asks for f in ask.fits),
    )


@dataclass(frozen=True, slots=True)
class _Phrases:
    phrases: tuple[tuple[Chunk, ...], ...]
    absent: tuple[Span, ...]


def _phrases(chunks: Sequence[Chunk], fits: dict[Chunk, Fit], scene: _Scene, *, switching: bool) -> _Phrases:
    """Hang places on what they restrict; what fits nothing in this home is absent."""
    reading = scene.reading
    free_places = [c for c in chunks if c.linked and not c.joined and fits[c].place_only]
    runs: list[list[Chunk]] = []
    for chunk in chunks:
        if chunk.joined and runs and runs[-1][-1].known:
            runs[-1].append(chunk)
        elif chunk not in free_places:
            runs.append([chunk])
    known = [r for r in runs if any(c.known for c in r)]
    phrases: list[tuple[Chunk, ...]] = []
    absent: list[Span] = []
    for run in known:
        places = [] if any(fits[c].place_only for c in run) else free_places
        whole = (*run, *places)
        bits = reading.index.everything
        for chunk in whole:
            bits &= fits[chunk].singles
        if bits:
            phrases.append(whole)
        else:
            absent.append(_tokens_span(run, reading))
    if not known:
        phrases += [(c,) for c in free_places]
        unknown = [r for r in runs if not any(c.known for c in r)]
        if unknown and switching and not free_places:
            absent += [_tokens_span(r, reading) for r in unknown]
    return _Phrases(tuple(phrases), tuple(absent))


def _excluded(segments: tuple[Segment, ...], scene: _Scene, *, switching: bool) -> tuple[Bits, tuple[str, ...]] | None:
    """Return what was excepted and its names; None if an exception names nothing of this home."""
    bits: Bits = 0
    names: list[str] = []
    for chunk in chunks_of(segments, scene.reading, switching=switching):
        found = fit(chunk, scene.reading)
        place = found.place_only
        one = (place.bits if place else 0) | found.singles
        if not one:
            return None
        bits |= one
        names.append(place.places[0].label if place else scene.reading.text[_slice(chunk, scene.reading)])
    return (bits, tuple(names)) if names or not segments else None


def _slice(chunk: Chunk, reading: Reading) -> slice:
    return slice(reading.tokens[chunk.first].start, reading.tokens[chunk.last - 1].end)


def _verb_kinds(segments: Sequence[Segment], reading: Reading) -> Bits | None:
    concepts = [m.value for s in segments for m in s.meanings if m.sense is Sense.VERB_KIND]
    if not concepts:
        return None
    union = 0
    for concept in concepts:
        union |= reading.index.concepts.get(concept, 0)
    return union


def _without_words(
    segments: Sequence[Segment],
    scene: _Scene,
    implied: Bits | None,
    *,
    everything: bool,
    excluded: tuple[Bits, tuple[str, ...]],
) -> list[Target]:
    """Return what a clause means that names nothing: a reference, everything, or what its verb implies."""
    index = scene.reading.index
    references = [m.value for s in segments for m in s.meanings if m.sense is Sense.REFERENCE]
    found: list[Target] = []
    for reference in references[:1]:
        sets = referred(reference, scene.past, index)
        score = 0.9 if len(sets) == 1 else 0.6
        for bits in sets:
            names = ", ".join(index.entities[n].name for n in index.members(bits))
            found.append(Target(label=names, entities=index.ids(bits), score=score, how=How.REFERENCE))
    if found or references:
        return found
    if everything and implied is None:
        bits = index.everything & ~excluded[0]
        label = str(scene.reading.lexicon.data["labels"]["everything"])
        return [Target(label=label, entities=index.ids(bits), score=0.9, how=How.ALL)] if bits else []
    if implied:
        several = bool(implied & (implied - 1))
        return [
            Target(
                label=index.entities[n].name,
                entities=(index.entities[n].id,),
                score=0.55 if several else 0.8,
                how=How.ROOM if scene.room >> n & 1 else How.KIND,
            )
            for n in index.members(implied)
        ]
    return found


def _unexplained(part: Part, named: _Named, reading: Reading) -> tuple[Span, ...]:
    """Return the content words that nothing explains, neighbours as one span."""
    spans: list[Span] = []
    previous = -1
    for here in part.segments:
        if not here.is_unknown or here.first in named.explained:
            continue
        token = reading.tokens[here.first]
        if spans and previous == here.first and token.start - spans[-1].end <= 1:
            spans[-1] = Span(start=spans[-1].start, end=token.end)
        else:
            spans.append(Span(start=token.start, end=token.end))
        previous = here.last
    return tuple(spans)


def _carried(parts: Sequence[Part], heard: Sequence[tuple[Clause, _Named]], scene: _Scene) -> tuple[Clause, ...]:
    """Give clauses what they left to their neighbours: verb, kind, values, and a mood that reaches on."""
    clauses: list[Clause] = []
    for number, (part, (clause, named)) in enumerate(zip(parts, heard, strict=True)):
        current = clause
        before = clauses[-1] if clauses and part.joined else None
        if named.place_only and named.concepts is None and _verb_kinds(part.segments, scene.reading) is None:
            kinds = _kinds_of_neighbours(number, parts, heard)
            if kinds is not None:
                current = _clause(part, scene, kinds)[0]
        if before is not None and not current.directions and current.targets + current.absent:
            current = replace(
                current, directions=before.directions, mood=before.mood, values=current.values or before.values
            )
        if before is not None and spreads(before.mood):
            current = replace(current, mood=before.mood)
        elif before is not None and before.mood is Mood.NEGATED and current.mood is Mood.COMMAND:
            current = replace(current, mood=Mood.NEGATED)
        clauses.append(current)
    return _from_the_past(_values_back(parts, clauses), parts, scene)


def _kinds_of_neighbours(number: int, parts: Sequence[Part], heard: Sequence[tuple[Clause, _Named]]) -> Bits | None:
    if parts[number].joined and number and not heard[number][0].directions:
        return heard[number - 1][1].concepts
    after = number + 1
    if after < len(parts) and parts[after].joined and not heard[after][0].directions:
        return heard[after][1].concepts
    return None


def _values_back(parts: Sequence[Part], clauses: list[Clause]) -> list[Clause]:
    """Give a clause the value that was said once at the end ("the kitchen and the hall to 50 %")."""
    found = list(clauses)
    for number in range(len(found) - 2, -1, -1):
        after = found[number + 1]
        shared = parts[number + 1].joined and after.directions == found[number].directions
        if shared and after.values and not found[number].values and not directions_of(parts[number + 1].segments):
            found[number] = replace(found[number], values=after.values)
    return found


def _from_the_past(clauses: list[Clause], parts: Sequence[Part], scene: _Scene) -> tuple[Clause, ...]:
    """Let a clause that only adds a thing ("and the hall", "no, the bedroom") go the way of the last utterance."""
    if not scene.past.utterance:
        return tuple(clauses)
    found = list(clauses)
    for number, (clause, part) in enumerate(zip(clauses, parts, strict=True)):
        first = part.segments[0]
        cue = first.has(Sense.AND, Sense.DENIAL) or (number and clauses[number - 1].mood is Mood.DENIAL)
        if not cue or clause.directions or not clause.targets:
            continue
        said = _read(scene.past.utterance, scene.home, scene.reading.lexicon.language, scene.reading.times.now)
        directions = directions_of(said.segments)
        again = _clause(part, scene, domains_of(scene.past, scene.reading.index) or None)[0]
        found[number] = replace(again, directions=directions, mood=Mood.COMMAND)
    return tuple(found)


def _span(segments: Sequence[Segment], reading: Reading) -> Span:
    return Span(start=reading.tokens[segments[0].first].start, end=reading.tokens[segments[-1].last - 1].end)


def _tokens_span(chunks: Sequence[Chunk], reading: Reading) -> Span:
    first, last = min(c.first for c in chunks), max(c.last for c in chunks)
    return Span(start=reading.tokens[first].start, end=reading.tokens[last - 1].end)


__all__ = ["Value", "hear"]
