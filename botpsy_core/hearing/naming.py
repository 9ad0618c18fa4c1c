"""Naming: which things of the home the words of one clause name, and which of its names this home lacks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from botpsy_core.domain.heard import How, Span, Target
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.chunks import Chunk, chunks_of
from botpsy_core.hearing.direction import SWITCHING
from botpsy_core.hearing.exceptions import exempted
from botpsy_core.hearing.fitting import Fit, Group, fit, within
from botpsy_core.hearing.index import Bits
from botpsy_core.hearing.owners import others_things
from botpsy_core.hearing.reading import Reading, Segment, is_verb
from botpsy_core.hearing.scene import Hint, Scene
from botpsy_core.hearing.senses import Meaning, Sense
from botpsy_core.hearing.targets import Implied, Phrase, resolve
from botpsy_core.hearing.texts import HOLDERS
from botpsy_core.hearing.unnamed import without_words

_FAINT = 0.6
"""Score below which a near miss says nothing where nothing is to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a clause's words name."""

    targets: tuple[Target, ...] = ()
    """Best first."""
    absent: tuple[Span, ...] = ()
    explained: frozenset[int] = frozenset()
    """Tokens that the targets explain."""
    kind: Implied | None = None
    """The kind that was said; None where none was."""
    bare_place: bool = False
    """True if nothing but a place was said."""


def name(segments: Sequence[Segment], directions: Sequence[Direction], scene: Scene, hint: Hint) -> Named:
    """Return the targets that a clause's segments name."""
    reading = scene.reading
    parts = exempted(segments)
    switching = bool(SWITCHING & set(directions or hint.directions))
    chunks = chunks_of(parts.base, reading, switching=switching)
    acting = bool(directions or hint.directions)
    if not acting:
        chunks = tuple(_kept(chunk, reading) for chunk in chunks)
    fits = {chunk: fit(chunk, reading) for chunk in chunks}
    excluded, missing = _excluded(parts.out, scene)
    hung = _hang(chunks, fits, reading, switching=switching, acting=acting)
    all_said = any(s.has(Sense.ALL, Sense.EVERYTHING) for s in segments)
    everything = all_said or (parts.marked and _takes_from(chunks, fits, excluded, reading))
    unknown = [_span_of((c,), reading) for c in chunks if not c.known] if everything and switching else []
    absent = tuple(dict.fromkeys((*others_things(parts.base, reading), *hung.absent, *missing, *unknown)))
    implied = _verb_kinds(segments, reading)
    phrase = Phrase(
        everything=everything,
        implied=implied or hint.kind,
        excluded=excluded,
        room=scene.room,
    )
    if absent:
        targets: Iterable[Target] = ()
    elif chunks:
        phrase = replace(phrase, fits=_there(segments, scene))
        whole = [_with_words(phrase, run, fits, reading) for run in hung.phrases]
        if len(whole) > 1 and any(s.has(Sense.OR) for s in segments):
            # "the hall or the attic" names one thing in two ways: the same words, so that it is asked which.
            both = _span_of([c for run in hung.phrases for c in run], reading)
            whole = [replace(w, span=both) for w in whole]
        meant = [resolve(w, reading) for w in whole]
        if not acting:
            meant = [() if all(_is_faint(t) for t in found) else found for found in meant]
            hung = _Hung(tuple(run for run, found in zip(hung.phrases, meant, strict=True) if found), ())
        targets = [t for found in meant for t in found]
        if not targets and implied is not None and not acting:  # "it's too dark to read"
            targets = without_words(segments, directions, scene, hint, phrase)
        elif implied is not None and not implied.bits and _bare(hung.phrases, fits):
            targets = ()  # "clean the kitchen", where nothing cleans
    else:
        targets = without_words(segments, directions, scene, hint, phrase)
    return Named(
        targets=_ranked(targets),
        absent=absent,
        explained=frozenset(n for run in hung.phrases for c in run for n in range(c.first, c.last)),
        kind=_kinds_said(segments, reading),
        bare_place=_bare(hung.phrases, fits),
    )


def _takes_from(
    chunks: Sequence[Chunk],
    fits: Mapping[Chunk, Fit],
    excluded: Sequence[tuple[str, Bits]],
    reading: Reading,
) -> bool:
    """Return True if what is left out is among what was named; "the TV but not the lamp" means no other TV."""
    named = reading.index.everything
    for chunk in chunks:
        bits = fits[chunk].singles
        for group in fits[chunk].groups:
            bits |= group.bits
        named &= bits
    return not excluded or any(named & bits for _, bits in excluded)


def _bare(phrases: Sequence[Sequence[Chunk]], fits: Mapping[Chunk, Fit]) -> bool:
    """Return True if nothing but places was said."""
    return bool(phrases) and all(fits[c].place_only for run in phrases for c in run)


def _kept(chunk: Chunk, reading: Reading) -> Chunk:
    """Return a chunk less what is looked for in the list or calendar that it names ("calendar events in town")."""
    if fit(chunk, reading).singles:
        return chunk
    holders = sum(1 << n for n, e in enumerate(reading.index.entities) if e.domain in HOLDERS)
    return within(chunk, holders, reading) or chunk


def _is_faint(target: Target) -> bool:
    """Return True for one word that only sounds like a part of a name; nobody asks for a thing like that."""
    return target.how is How.FUZZY and target.score < _FAINT


def _ranked(targets: Iterable[Target]) -> tuple[Target, ...]:
    """Return targets best first; the same things only once."""
    best: dict[tuple[str, ...], Target] = {}
    for target in sorted(targets, key=lambda t: -t.score):
        best.setdefault(target.entities, target)
    return tuple(best.values())


def _with_words(phrase: Phrase, run: Sequence[Chunk], fits: Mapping[Chunk, Fit], reading: Reading) -> Phrase:
    return replace(phrase, fits=(*phrase.fits, *(fits[c] for c in run)), span=_span_of(run, reading))


def _there(segments: Sequence[Segment], scene: Scene) -> tuple[Fit, ...]:
    """Return the room that "there" means, as one more thing that must fit."""
    if not any(m.value == "there" for s in segments for m in s.meanings if m.sense is Sense.REFERENCE):
        return ()
    index = scene.reading.index
    areas = {e.area_id for n, e in enumerate(index.entities) if e.id in scene.past.entities}
    places = [p for p in index.places if p.id in areas and not p.floor]
    return tuple(Fit(p.bits, (Group(p.bits, places=(p,)),), ()) for p in places[:1])


@dataclass(frozen=True, slots=True)
class _Hung:
    """Chunks put together to phrases, and what no phrase of this home can be made of."""

    phrases: tuple[tuple[Chunk, ...], ...]
    absent: tuple[Span, ...]


def _hang(
    chunks: Sequence[Chunk], fits: Mapping[Chunk, Fit], reading: Reading, *, switching: bool, acting: bool
) -> _Hung:
    """Hang places on what they restrict; what fits nothing in this home is absent.

    Words of which neither home nor language know any are absent only where something is to be done with them: the
    capital of France is nothing that a home lacks.
    """
    places: list[Chunk] = []
    runs: list[list[Chunk]] = []
    for chunk in chunks:
        if chunk.joined and runs and (runs[-1][-1].known or switching):
            runs[-1].append(chunk)
        elif (place := fits[chunk].place_only) and (chunk.linked or chunk.leads or all(p.floor for p in place.places)):
            places.append(chunk)
        else:
            runs.append([chunk])
    phrases: list[tuple[Chunk, ...]] = []
    absent: list[Span] = []
    for run in runs:
        whole = (*run, *places) if not any(fits[c].place_only for c in run) else tuple(run)
        if _fits_all(whole, fits, reading):
            phrases.append(whole)
        elif any(c.known for c in run) or (run[0].linked and acting):
            absent.append(_span_of(run, reading))
    named_thing = any(not fits[c].place_only for run in phrases for c in run)
    if switching and not absent and not named_thing:
        absent += [_span_of(run, reading) for run in runs if not any(c.known for c in run)]
    if not runs or not (phrases or absent or switching):
        phrases += [(c,) for c in places]
    return _Hung(tuple(phrases), tuple(absent))


def _fits_all(run: Sequence[Chunk], fits: Mapping[Chunk, Fit], reading: Reading) -> bool:
    bits = reading.index.everything
    for chunk in run:
        bits &= fits[chunk].singles
    return bool(bits)


def _excluded(segments: Sequence[Segment], scene: Scene) -> tuple[tuple[tuple[str, Bits], ...], tuple[Span, ...]]:
    """Return what was excepted, by name, and the exceptions that name nothing of this home."""
    reading = scene.reading
    found: list[tuple[str, Bits]] = []
    missing: list[Span] = []
    for chunk in chunks_of(segments, reading, switching=True):
        fitting = fit(chunk, reading)
        place = fitting.place_only
        bits = (place.bits if place else 0) | fitting.singles
        span = _span_of((chunk,), reading)
        if bits:
            found.append((place.places[0].label if place else reading.text[span.start : span.end], bits))
        else:
            missing.append(span)
    if segments and not found and not missing:
        tokens = reading.tokens
        missing.append(Span(start=tokens[segments[0].first].start, end=tokens[segments[-1].last - 1].end))
    return tuple(found), tuple(missing)


def _verb_kinds(segments: Sequence[Segment], reading: Reading) -> Implied | None:
    """Return the kinds that a verb alone implies ("dim", "vacuum"), or None."""
    return _of_concepts((m.value for s in segments for m in s.meanings if m.sense is Sense.VERB_KIND), reading)


def _kinds_said(segments: Sequence[Segment], reading: Reading) -> Implied | None:
    kinds = (s for n, s in enumerate(segments) if s.has(Sense.KIND) and not is_verb(segments, n))
    said = [m.value for s in kinds for m in s.meanings if m.sense is Sense.KIND]
    locked = [m.value for s in segments if s.name for m in _last_meanings(s, reading) if m.sense is Sense.KIND]
    return _of_concepts((*locked, *said), reading)


def _last_meanings(segment: Segment, reading: Reading) -> tuple[Meaning, ...]:
    return reading.lexicon.phrases.get((reading.tokens[segment.last - 1].word,), ())


def _of_concepts(concepts: Iterable[str], reading: Reading) -> Implied | None:
    said = tuple(dict.fromkeys(concepts))
    bits: Bits = 0
    for concept in said:
        bits |= reading.index.concepts.get(concept, 0)
    return Implied(bits, said[-1]) if said else None


def _span_of(chunks: Sequence[Chunk], reading: Reading) -> Span:
    first, last = min(c.first for c in chunks), max(c.last for c in chunks)
    return Span(start=reading.tokens[first].start, end=reading.tokens[last - 1].end)
