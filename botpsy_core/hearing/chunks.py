"""Chunk: words next to each other that together name what is acted on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from botpsy_core.domain.heard import ValueKind
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.likeness import alike
from botpsy_core.hearing.reading import Reading, Segment, is_particle, is_verb
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.texts import HOLDERS
from botpsy_core.hearing.tokens import is_unspaced

LONGEST_CHUNK = 32
"""Words of the longest chunk that can name a thing."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbouring segments that name something, and how they hang on what went before."""

    first: int
    """Number of its first token."""
    last: int
    linked: bool
    """True after a word such as "in" or "of"."""
    joined: bool
    """True if that word follows another chunk."""
    known: bool
    """True if language or home know at least one of its words."""
    leads: bool = False
    """True where "all" follows it, and then what it is all of ("upstairs all lights")."""


def chunks_of(segments: Sequence[Segment], reading: Reading, *, switching: bool) -> tuple[Chunk, ...]:
    """Gather the segments that may name things into chunks."""
    found: list[Chunk] = []
    run: list[Segment] = []
    linked = joined = False
    for at, here in enumerate(segments):
        if names_something(segments, at, reading, switching=switching):
            run.append(here)
            continue
        if run:
            chunk = _chunk(run, reading, linked=linked, joined=joined, before=found)
            found.append(replace(chunk, leads=here.has(Sense.ALL)))
            run, linked, joined = [], False, False
        owned = here.has(Sense.OWNED) and at > 0 and segments[at - 1].may_name and not is_verb(segments, at - 1)
        if owned or (here.has(Sense.LINK) and not is_particle(segments, at)):
            linked, joined = True, bool(found) and _follows(segments[:at], found[-1])
        elif not (here.is_transparent or here.has(Sense.ARTICLE, Sense.ALL) or (here.value and here.value.relative)):
            linked = joined = False
    if run:
        found.append(_chunk(run, reading, linked=linked, joined=joined, before=found))
    return tuple(found)


def names_something(segments: Sequence[Segment], at: int, reading: Reading, *, switching: bool) -> bool:
    """Return True if a segment is part of the name of a thing or place here."""
    here = segments[at]
    if here.value and not here.has(Sense.COLOR):
        return _is_numeral_of_name(segments, at, reading, switching=switching)
    if here.has(Sense.EXCEPT, Sense.EVERYTHING) or is_particle(segments, at):
        return False
    if here.only({Sense.NOTE}):
        return not any(m.value == Direction.SEND for s in segments for m in s.meanings if m.sense is Sense.DIRECTION)
    if here.may_name:
        return not is_verb(segments, at)
    if _is_modifier(segments, at, reading):
        return True
    return here.only({Sense.COLOR, Sense.VERB_KIND, Sense.NOUN}) and reading.words(here) in reading.index.exact


def _is_modifier(segments: Sequence[Segment], at: int, reading: Reading) -> bool:
    """Return True for a word in the midst of a name ("the cool light", "the red lamp"), which narrows it."""
    here = segments[at]
    before = segments[at - 1] if at and segments[at - 1].last == here.first else None
    after = segments[at + 1] if at + 1 < len(segments) and segments[at + 1].first == here.last else None
    follows = before is not None and before.may_name and not is_verb(segments, at - 1)
    leads = after is not None and after.may_name
    if here.only({Sense.NOUN, Sense.VERB_KIND}) and after is not None and after.name:
        return False  # "the volume Kitchen Radio": what is set, before the name of what it is set of
    if here.only({Sense.ADJECTIVE}):
        return leads or (follows and reading.words(here)[0] in reading.index.name_words)
    article = before is not None and before.has(Sense.ARTICLE)
    if here.only({Sense.FILLER}):
        return article and leads
    senses = {Sense.NOUN, Sense.COLOR, Sense.STATE} | ({Sense.DIRECTION} if reading.lexicon.bare_modifiers else set())
    if not here.only(senses | {Sense.VERB_KIND, Sense.FILLER}) or here.only({Sense.VERB_KIND, Sense.FILLER}):
        return False
    return (article or follows) and leads


def _is_numeral_of_name(segments: Sequence[Segment], at: int, reading: Reading, *, switching: bool) -> bool:
    here = segments[at]
    bare = (
        here.value and here.value.kind is ValueKind.NUMBER and here.last - here.first == 1 and not here.value.relative
    )
    if not bare or not at or not segments[at - 1].may_name or is_verb(segments, at - 1):
        return False
    followed = at + 1 < len(segments) and segments[at + 1].may_name
    return followed or switching or reading.tokens[here.first].word in reading.index.name_words


def _follows(segments: Sequence[Segment], chunk: Chunk) -> bool:
    """Return True if nothing but small words stands between a chunk and the end of the segments."""
    between = [s for s in segments if s.first >= chunk.last]
    return all(s.is_transparent or s.has(Sense.PARTICLE, Sense.ARTICLE) for s in between)


def _chunk(run: Sequence[Segment], reading: Reading, *, linked: bool, joined: bool, before: Sequence[Chunk]) -> Chunk:
    first, last = run[0].first, run[-1].last
    if joined and _is_holder(first, last, reading) and _is_holder(before[-1].first, before[-1].last, reading):
        linked = joined = False  # "from this list onto that list": no list is in another
    told = any(s.name or (s.meanings and not s.only({Sense.NOTE})) for s in run)
    known = told or any(_is_known(n, last, reading) for n in range(first, last))
    adverb = all(s.only({Sense.FLOOR}) for s in run)  # "is it warm upstairs"
    return Chunk(first, last, linked or adverb, joined, known)


def _is_holder(first: int, last: int, reading: Reading) -> bool:
    """Return True for the whole name of a list or a calendar."""
    bits = reading.index.wholes.get(tuple(t.word for t in reading.tokens[first:last]), 0)
    return any(reading.index.entities[n].domain in HOLDERS for n in reading.index.members(bits))


def _is_known(at: int, last: int, reading: Reading) -> bool:
    words = [t.word for t in reading.tokens[at : min(last, at + LONGEST_CHUNK)]]
    if is_unspaced(words[0]):
        most = min(reading.index.longest, len(words))
        return any(tuple(words[:size]) in reading.index.units for size in range(1, most + 1))
    return bool(alike(words[0], reading.index, reading.lexicon))
