"""The ear itself: one pass over an utterance, from words to clauses with their targets and values."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import COLORS, Clause, Complaint, Heard, Mood, Quality, Span, Value, ValueKind
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.carry import continues_talk, from_talk, hear_all
from botpsy_core.hearing.clauses import Part, split
from botpsy_core.hearing.compounds import mend
from botpsy_core.hearing.direction import SWITCHING, directions_of, settled
from botpsy_core.hearing.indexing import index_for
from botpsy_core.hearing.labels import distinct
from botpsy_core.hearing.lexicon import Lexicon, lexicon_for
from botpsy_core.hearing.mood import hedges, mood_of
from botpsy_core.hearing.naming import Named, name
from botpsy_core.hearing.quotes import quotes_in
from botpsy_core.hearing.reading import Reading, Segment, locked_names, says_both, segment
from botpsy_core.hearing.references import kind_of, past_of
from botpsy_core.hearing.scene import Hint, Scene
from botpsy_core.hearing.senses import SOUND, Sense
from botpsy_core.hearing.spelling import halves_of, put_right
from botpsy_core.hearing.texts import holds_text
from botpsy_core.hearing.time_reader import times_of
from botpsy_core.hearing.tokens import Token, tokenize
from botpsy_core.hearing.values import as_change, level_at, values_of

_UNCOUNTED = frozenset(
    {
        Sense.REFERENCE,
        Sense.PLACE,
        Sense.FLOOR,
        Sense.ASSENT,
        Sense.DENIAL,
        Sense.THANKS,
        Sense.LATER,
    }
)
"""Senses of phrases whose number words count nothing ("the other one", "grazie mille")."""


_SMALL = frozenset({Sense.ARTICLE, Sense.LINK, Sense.AND, Sense.OR, Sense.TO, Sense.THAT, Sense.TEXT, Sense.TAIL})
"""Senses of words that may frame a text."""
_SETTINGS = frozenset({ValueKind.PERCENT, ValueKind.TEMPERATURE, *COLORS})


def hear(text: str, *, home: Home, transcript: Transcript, context: TurnContext) -> Heard:
    """Return what code can tell about an utterance before any model reads it."""
    reading = _read(text, home, context.language, context.now)
    scene = Scene(
        reading=reading,
        home=home,
        past=past_of(transcript, home),
        room=reading.index.areas.get(context.area_id or "", 0),
    )
    parts = split(reading)
    clauses = hear_all(parts, lambda part, hint: _hear_one(part, scene, hint))
    heard = _without_reasons(_with_talk(clauses, parts, scene))
    return Heard(text=text, language=reading.lexicon.language, clauses=heard)


def _without_reasons(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Return the clauses without the complaints that a command beside them answers: "it's too dark. Turn on ..."."""
    if not any(c.mood is Mood.COMMAND and c.directions and c.targets for c in clauses):
        return clauses
    return tuple(c for c in clauses if c.complaint is None or c.mood is not Mood.STATEMENT)


def _read(text: str, home: Home, language: str, now: datetime) -> Reading:
    lexicon = lexicon_for(language)
    index = index_for(home, lexicon)
    apart = mend(tokenize(text), lambda word: halves_of(word, index, lexicon), index.heads, lexicon.known)
    tokens = put_right(apart, index, lexicon)
    names = locked_names(tokens, index)
    named = frozenset(n for first, last in names.items() for n in range(first, last))
    blocked = named | _phrased(tokens, lexicon, _UNCOUNTED) | _verbs(tokens, named, lexicon)
    times = times_of(tokens, blocked, now, lexicon, clock_24=home.clock_24)
    timed = frozenset(n for s in times.said for n in range(s.first, s.last))
    blocked |= timed | _phrased(tokens, lexicon, {Sense.ALL})
    values = values_of(tokens, blocked, home, lexicon)
    segments = segment(tokens, lexicon, names=names, values=values, times=times)
    quotes = quotes_in(text)
    return Reading(
        text=text, tokens=tokens, segments=segments, times=times, lexicon=lexicon, index=index, quotes=quotes
    )


def _phrased(tokens: Sequence[Token], lexicon: Lexicon, senses: AbstractSet[Sense]) -> frozenset[int]:
    """Return the tokens of phrases whose number words count nothing."""
    words = [t.word for t in tokens]
    found: set[int] = set()
    for at in range(len(words)):
        length, meanings = lexicon.longest_at(words, at, len(words))
        if length > 1 and any(m.sense in senses for m in meanings):
            found.update(range(at, at + length))
    return frozenset(found)


def _verbs(tokens: Sequence[Token], named: frozenset[int], lexicon: Lexicon) -> frozenset[int]:
    """Return the tokens of verbs of several words, in which a word that also counts counts nothing ("चला दो")."""
    words = [t.word for t in tokens]
    found: set[int] = set()
    at = 0
    while at < len(words):
        length, meanings = (0, ()) if at in named else lexicon.longest_at(words, at, len(words))
        if (level := level_at(words, at, lexicon)) > length:  # "au plus bas" is a value, though "plus bas" is a way
            length, meanings = level, ()
        if length > 1 and any(m.sense in {Sense.DIRECTION, Sense.VERB} for m in meanings):
            found.update(range(at, at + length))
        at += max(length, 1)
    return frozenset(found)


def _hear_one(part: Part, scene: Scene, hint: Hint) -> tuple[Clause, Named]:
    reading, told = scene.reading, part.told
    directions = settled(directions_of(told), keeps_text=holds_text(told, reading))
    named = name(told, directions, scene, hint)
    first, last = reading.tokens[part.segments[0].first], reading.tokens[part.segments[-1].last - 1]
    directions = _less_sound(told, directions)
    values = _values(part, named, directions, reading)
    mood = mood_of(told, pro_drop=reading.lexicon.pro_drop)
    if mood is Mood.STATEMENT and not directions and named.targets and _sets(told, values):
        mood, directions = Mood.COMMAND, (Direction.SET,)
    clause = Clause(
        text=reading.text[first.start : last.end],
        span=Span(start=first.start, end=last.end),
        mood=mood,
        directions=directions,
        targets=distinct(named.targets, scene.home, reading.lexicon),
        values=values,
        absent=tuple(reading.text[s.start : s.end] for s in named.absent),
        unexplained=_unexplained(part, named, reading),
        references=tuple(
            Span(start=reading.tokens[s.first].start, end=reading.tokens[s.last - 1].end)
            for s in part.segments
            if s.has(Sense.REFERENCE)
        ),
        everything=any(s.has(Sense.ALL, Sense.EVERYTHING) for s in told),
        both=says_both(told, reading),
        complaint=None if any(v.kind in _SETTINGS for v in values) else _complaint(told, mood, directions),
        written=part.written.span,
        marked=part.written.marked,
        hedged=hedges(told),
        since=mood is Mood.QUESTION and any(s.has(Sense.SINCE) for s in told),
    )
    return clause, named


def _less_sound(told: Sequence[Segment], directions: tuple[Direction, ...]) -> tuple[Direction, ...]:
    """Return the ways that a thing itself shall go: "the sound of the TV off" leaves the TV on."""
    sound = any(m.sense is Sense.NOUN and m.value == SOUND for s in told if not s.name for m in s.meanings)
    return tuple(d for d in directions if d not in SWITCHING) if sound else directions


def _complaint(told: Sequence[Segment], mood: Mood, directions: Sequence[Direction]) -> Complaint | None:
    """Return the one thing that is complained of; "make it very loud" complains of nothing."""
    said = {m.value for s in told for m in s.meanings if m.sense is Sense.COMPLAINT}
    if len(said) != 1 or not (mood is Mood.STATEMENT or (mood is Mood.COMMAND and directions)):
        return None
    quality, _, excess = said.pop().partition(".")
    return Complaint(quality=Quality(quality), excess=Direction(excess))


def _sets(told: Sequence[Segment], values: Sequence[Value]) -> bool:
    """Return True for "kitchen lights at half brightness": a thing, a value and no verb at all."""
    measured = any(s.has(Sense.VERB_KIND) for s in told)  # "TV volume to 50"
    kinds = _SETTINGS | ({ValueKind.NUMBER} if measured else set())
    said = any(v.kind in kinds and not v.relative for v in values)
    return said and not any(s.is_unknown or (s.has(Sense.COPULA, Sense.SUBJECT) and not s.has(Sense.TO)) for s in told)


def _values(part: Part, named: Named, directions: Sequence[Direction], reading: Reading) -> tuple[Value, ...]:
    """Return what a clause says of numbers and times, in the order of its words."""
    first, last = part.segments[0].first, part.segments[-1].last
    words = tuple(t.word for t in reading.tokens)
    placed = [(said.first, value) for said, value in reading.times.within(first, last)]
    for here in part.segments:
        if here.value and here.first not in named.explained:
            before, after = words[first : here.first], words[here.last : last]
            placed.append((here.first, as_change(here.value, before, after, directions, reading.lexicon)))
    return tuple(value for _, value in sorted(placed, key=lambda pair: pair[0]))


def _unexplained(part: Part, named: Named, reading: Reading) -> tuple[Span, ...]:
    """Return the content words that nothing explains, neighbours as one span."""
    spans: list[Span] = []
    previous = -1
    for here in part.segments:
        unknown = here.is_unknown or here.only({Sense.NOTE}) or _is_written(here, part)
        if not unknown or here.first in named.explained:
            continue
        first, last = reading.tokens[here.first], reading.tokens[here.last - 1]
        if spans and previous == here.first:
            spans[-1] = Span(start=spans[-1].start, end=last.end)
        else:
            spans.append(Span(start=first.start, end=last.end))
        previous = here.last
    return tuple(spans)


def _is_written(here: Segment, part: Part) -> bool:
    """Return True for a word of a dictated text that the language knows; there it means itself and nothing else."""
    said = (here.meanings or here.name) and not (here.value or here.time or here.is_transparent)
    return bool(said) and here.first in part.written.tokens and not here.has(*_SMALL)


def _with_talk(clauses: Sequence[Clause], parts: Sequence[Part], scene: Scene) -> tuple[Clause, ...]:
    """Let clauses that only add a thing or a value go the way of the last utterance."""
    found = list(clauses)
    for number, (clause, part) in enumerate(zip(clauses, parts, strict=True)):
        if not continues_talk(clause, part, clauses[number - 1] if number else None) or not scene.past.utterance:
            continue
        again = _hear_one(part, scene, Hint(kind=kind_of(scene.past, scene.reading)))[0]
        said = _read(scene.past.utterance, scene.home, scene.reading.lexicon.language, scene.reading.times.now)
        last = [_hear_one(p, replace(scene, reading=said), Hint())[0] for p in split(said)]
        commands = [c for c in last if c.mood is Mood.COMMAND]
        if commands:
            found[number] = from_talk(again, commands[-1].directions, commands[-1].values, scene.past)
    return tuple(found)
