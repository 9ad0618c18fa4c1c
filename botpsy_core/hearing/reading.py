"""Reading: an utterance cut into the segments that the rest of the ear works on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from botpsy_core.domain.heard import COLORS, Span, Value
from botpsy_core.hearing.index import HomeIndex
from botpsy_core.hearing.lexicon import Lexicon
from botpsy_core.hearing.senses import BOTH, Meaning, Sense
from botpsy_core.hearing.time import Times
from botpsy_core.hearing.tokens import Token, is_unspaced

COLON = ":"
COMMAS = frozenset(",\u3001")
SENTENCE_ENDS = frozenset(".!?;\u3002\u0964")
_CONTENT = frozenset({Sense.KIND, Sense.PLACE, Sense.FLOOR})
_TRANSPARENT = frozenset(
    {
        *{Sense.FILLER, Sense.SUBJECT, Sense.DOER, Sense.ADJECTIVE, Sense.POLITE},
        *{Sense.NOUN, Sense.THAT, Sense.TO, Sense.ALSO, Sense.HEDGE, Sense.ADDRESSEE, Sense.GENITIVE, Sense.OWNER},
    }
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of tokens that stands for one thing."""

    first: int
    """Number of its first token."""
    last: int
    """Number of the token after its last."""
    meanings: tuple[Meaning, ...] = ()
    name: bool = False
    """True for a whole name of the home, said letter by letter."""
    value: Value | None = None
    time: bool = False
    """True for words of time; what they say is told for a whole clause at once."""
    mark: str = ""

    def has(self, *senses: Sense) -> bool:
        """Return True if one of these senses is among its meanings."""
        return any(m.sense in senses for m in self.meanings)

    def only(self, senses: Iterable[Sense]) -> bool:
        """Return True if it has meanings and all of them are of these senses."""
        return bool(self.meanings) and {m.sense for m in self.meanings} <= set(senses)

    @property
    def is_unknown(self) -> bool:
        """Return True for words that neither language nor home explain by themselves."""
        return not (self.meanings or self.name or self.value or self.time or self.mark)

    @property
    def is_transparent(self) -> bool:
        """Return True for a word that may stand anywhere and means little."""
        return self.only(_TRANSPARENT)

    @property
    def may_name(self) -> bool:
        """Return True if it can be part of what is acted on."""
        return self.name or self.is_unknown or self.has(*_CONTENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The utterance's tokens and segments, with the home and language that they were read in."""

    text: str
    tokens: tuple[Token, ...]
    segments: tuple[Segment, ...]
    times: Times
    lexicon: Lexicon
    index: HomeIndex
    quotes: tuple[Span, ...] = ()
    """Where quoted words stand."""

    def is_quoted(self, segment: Segment) -> bool:
        """Return True if a segment begins within a quotation."""
        at = self.tokens[segment.first].start
        return any(quote.start <= at < quote.end for quote in self.quotes)

    def words(self, segment: Segment) -> tuple[str, ...]:
        """Return a segment's folded words."""
        return tuple(t.word for t in self.tokens[segment.first : segment.last])


def locked_names(tokens: Sequence[Token], index: HomeIndex) -> Mapping[int, int]:
    """Return where whole names of two words or more stand: first token -> token after the last."""
    found: dict[int, int] = {}
    start = 0
    while start < len(tokens):
        most = min(index.longest, len(tokens) - start)
        stop = next((start + n for n in range(most, 1, -1) if _is_whole(tokens[start : start + n], index)), 0)
        if stop:
            found[start] = stop
        start = stop or start + 1
    return found


def _is_whole(tokens: Sequence[Token], index: HomeIndex) -> bool:
    return tuple(t.word for t in tokens) in index.wholes and not any(t.slip and not is_unspaced(t.word) for t in tokens)


def segment(
    tokens: Sequence[Token],
    lexicon: Lexicon,
    *,
    names: Mapping[int, int],
    values: Mapping[int, tuple[int, Value]],
    times: Times,
) -> tuple[Segment, ...]:
    """Cut tokens into names, values, times, phrases of the lexicon, marks and unknown words."""
    words = [t.word for t in tokens]
    timed = {s.first: s.last for s in times.said}
    taken = sorted({*names, *values, *timed, len(tokens)})
    found: list[Segment] = []
    at = 0
    while at < len(tokens):
        stop = next(t for t in taken if t > at)
        if at in names:
            found.append(Segment(at, names[at], name=True))
        elif at in values:
            last, value = values[at]
            colors = lexicon.longest_at(words, at, last)[1] if value.kind in COLORS else ()
            found.append(Segment(at, last, colors, value=value))
        elif at in timed:
            found.append(Segment(at, timed[at], time=True))
        elif tokens[at].is_mark:
            found.append(Segment(at, at + 1, mark=tokens[at].word))
        else:
            length, meanings = _phrase_at(words, at, stop, lexicon, found[-1] if found else None)
            found.append(Segment(at, at + max(length, 1), meanings))
        at = found[-1].last
    return with_parted(found, tokens, lexicon)


def with_parted(segments: Sequence[Segment], tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Segment, ...]:
    """Return the segments with phrases that open around their object ("schließ ... ab") put in."""
    found = list(segments)
    words = [t.word for t in tokens]
    for at, here in enumerate(segments):
        tails = lexicon.parted.get(tuple(words[here.first : here.last]))
        end = next((n for n in range(at + 1, len(found)) if found[n].mark in SENTENCE_ENDS), len(found))
        for last in range(end - 1, at, -1) if tails else ():
            meaning = _tail(found, last, words, tails or {})
            if meaning is not None:
                found[last] = replace(found[last], meanings=(meaning,), name=False)
                found[at] = replace(here, meanings=(Meaning(Sense.PARTICLE_VERB),))
                break
    return tuple(part for s in found for part in _without_tail(s, words, lexicon))


def _without_tail(here: Segment, words: Sequence[str], lexicon: Lexicon) -> Iterator[Segment]:
    """Yield a segment, or its words one by one where it is the end of a phrase that was not begun."""
    if not here.only({Sense.TAIL}):
        yield here
        return
    for at in range(here.first, here.last):
        meanings = lexicon.phrases.get((words[at],), ())
        yield Segment(at, at + 1, tuple(m for m in meanings if m.sense is not Sense.TAIL))


def _tail(
    found: Sequence[Segment], last: int, words: Sequence[str], tails: Mapping[tuple[str, ...], Meaning]
) -> Meaning | None:
    """Return what a parted phrase means if its end stands here, before no further thing."""
    after = found[last + 1] if last + 1 < len(found) else None
    if after is not None and (after.may_name or after.has(Sense.ARTICLE)):
        return None
    return tails.get(tuple(words[found[last].first : found[last].last]))


def _phrase_at(
    words: Sequence[str], at: int, stop: int, lexicon: Lexicon, before: Segment | None
) -> tuple[int, tuple[Meaning, ...]]:
    """Return the longest phrase; but in "the kitchen switch off" the switch is a thing and no verb."""
    length, meanings = lexicon.longest_at(words, at, stop)
    alone = lexicon.phrases.get((words[at],), ())
    is_thing = any(m.sense is Sense.KIND for m in alone) and before and (before.may_name or before.has(Sense.ARTICLE))
    if length > 1 and is_thing and not is_unspaced(words[at]) and all(m.sense is Sense.DIRECTION for m in meanings):
        return 1, alone
    return length, meanings


def neighbours(segments: Sequence[Segment], at: int) -> tuple[Segment | None, Segment | None]:
    """Return the segments before and after one, transparent words left out."""
    before = next((s for s in reversed(segments[:at]) if not s.is_transparent), None)
    after = next((s for s in segments[at + 1 :] if not s.is_transparent), None)
    return before, after


def is_verb(segments: Sequence[Segment], at: int) -> bool:
    """Return True if a word that is both a verb and a kind ("lock", "vacuum") is the verb here."""
    here = segments[at]
    if here.has(Sense.INITIAL) and not all(s.is_transparent for s in segments[:at]):
        return False
    if not here.has(Sense.KIND) or not here.has(Sense.DIRECTION, Sense.PARTICLE_VERB):
        return here.has(Sense.DIRECTION)
    before = segments[at - 1] if at else None
    if before and (before.may_name or before.has(Sense.ARTICLE, Sense.LINK, Sense.DIRECTION, Sense.ALL)):
        return False
    _, after = neighbours(segments, at)
    if after is None:
        return before is None
    return after.has(Sense.ARTICLE, Sense.ALL, Sense.EVERYTHING, Sense.PARTICLE, Sense.REFERENCE) or after.may_name


def says_both(segments: Sequence[Segment], reading: Reading) -> bool:
    """Return True if "both" speaks of two things of one kind; in "both the hall and the attic" it only adds up."""
    said = next((s for s in segments if any(m.sense is Sense.ALL and m.value == BOTH for m in s.meanings)), None)
    if said is None or any(s.has(Sense.AND) for s in segments):
        return False
    rest = [s for s in reading.segments if s.first >= said.last]
    joined = next((n for n, s in enumerate(rest) if s.has(Sense.AND, Sense.THEN)), None)
    if joined is None or any(is_verb(rest, n) for n in range(joined)):
        return True
    return any(is_verb(rest, n) for n in range(joined, len(rest))) or not any(s.may_name for s in rest[joined:])


def is_particle(segments: Sequence[Segment], at: int) -> bool:
    """Return True if a word such as "on" gives a direction here and is no preposition or article."""
    here = segments[at]
    if not here.has(Sense.PARTICLE) or here.only({Sense.PARTICLE}):
        return here.has(Sense.PARTICLE)
    before = segments[at - 1] if at else None
    after = segments[at + 1] if at + 1 < len(segments) else None
    if after is not None and here.has(Sense.TO) and after.value:
        return False
    if before is not None and before.has(Sense.PARTICLE_VERB) and not here.has(Sense.ARTICLE):
        return True
    senses = (Sense.ARTICLE, Sense.ALL, Sense.EVERYTHING, Sense.STATE)
    return not (after is not None and (after.may_name or after.has(*senses)))


def is_exception(segments: Sequence[Segment], at: int) -> bool:
    """Return True if what follows is left out: after "except", or after a "not" that denies a thing and no verb."""
    here, rest = segments[at], segments[at + 1 :]
    corrects = here.has(Sense.DENIAL) and bool(rest) and rest[0].mark in COMMAS  # "..., no, the hall"
    if not here.has(Sense.NEGATION) or corrects:
        return here.has(Sense.EXCEPT)
    acts = any(s.has(Sense.DIRECTION, Sense.PARTICLE, Sense.PARTICLE_VERB, Sense.VERB) for s in rest)
    named = any(s.may_name and not is_verb(segments, n) for n, s in enumerate(segments[:at]))
    return named and not acts and any(s.may_name for s in rest)
