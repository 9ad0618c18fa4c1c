"""Text: the words of a clause that the user dictates; nothing in them is a command or a target."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from botpsy_core.domain.heard import Span
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.reading import COLON, SENTENCE_ENDS, Reading, Segment, is_verb
from botpsy_core.hearing.senses import Sense

HOLDERS = frozenset({"todo", "calendar"})
"""Domains of things that keep texts."""
RECEIVERS = frozenset({"notify", "person", "assist_satellite"})
"""Domains of things that texts are sent to."""
_KEEPING = frozenset({Direction.ADD, Direction.REMOVE})
_FRAME = frozenset(
    {
        *{Sense.ARTICLE, Sense.FILLER, Sense.POLITE, Sense.LINK, Sense.TO, Sense.AND, Sense.NOTE, Sense.SUBJECT},
        *{Sense.THAT, Sense.ADDRESSEE, Sense.ALSO, Sense.TAIL, Sense.PARTICLE, Sense.THEN},
    }
)
"""Senses of words that may stand around a text and are no part of it."""
_ASKING = frozenset({Sense.ASK, Sense.EXPLAIN, Sense.IF})


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What of a clause is text."""

    tokens: frozenset[int] = frozenset()
    """All tokens that may be: nothing in them is a command or a target."""
    span: Span | None = None
    """The one run of words that is the text; None where the words only tell that there is one."""
    marked: bool = False
    """True where quotes, a colon, a word such as "that" or a list that it goes to set it off."""


def is_open(current: Sequence[Segment], rest: Sequence[Segment], reading: Reading) -> bool:
    """Return True if what comes next may still belong to a text that was begun."""
    opener = _opener(current, reading)
    if opener is None:
        said = bool(rest) and not rest[0].mark and _is_marker(rest[0])
        return said and _sends(current, reading) is not None
    if not _keeps(current[opener]):
        return True
    if _holder(current, reading) is not None:
        return False
    stop = next((n for n, s in enumerate(rest) if s.mark in SENTENCE_ENDS), len(rest))
    ahead = _holder(rest[:stop], reading)
    if ahead is None:
        return current[opener].has(Sense.TEXT)
    begun_anew = next((n for n in range(ahead) if is_verb(rest, n) and _keeps(rest[n])), None)
    return begun_anew is None


def written_in(current: Sequence[Segment], reading: Reading) -> Written:
    """Return what of a clause is text to be written, sent or looked up in a list."""
    return _quoted(current, reading) or _kept(current, reading) or _sent(current, reading)


def holds_text(segments: Sequence[Segment], reading: Reading) -> bool:
    """Return True if segments name a list or a calendar."""
    return _holder(segments, reading) is not None


def _quoted(current: Sequence[Segment], reading: Reading) -> Written | None:
    """Return quoted words where something is written or sent; a quoted name of a thing is still that thing."""
    if not current or (_opener(current, reading) is None and _sends(current, reading) is None):
        return None
    start, end = reading.tokens[current[0].first].start, reading.tokens[current[-1].last - 1].end
    found = [q for q in reading.quotes if start <= q.start and q.end <= end]
    spans = [q for q in found if not _is_name(q, reading)] or found
    if not spans:
        return None
    whole = Span(start=spans[0].start, end=spans[-1].end) if _listed(spans, reading) else spans[0]
    inside = frozenset(n for n, t in enumerate(reading.tokens) if _within(t.start, (whole, *spans)))
    around = _kept(current, reading)
    return Written(tokens=inside | (around.tokens if around else frozenset()), span=whole, marked=True)


def _is_name(quote: Span, reading: Reading) -> bool:
    said = tuple(t.word for t in reading.tokens if quote.start <= t.start < quote.end and not t.is_mark)
    return said in reading.index.wholes


def _listed(spans: Sequence[Span], reading: Reading) -> bool:
    """Return True if nothing but "and" and commas stands between quotes."""
    between = [t for t in reading.tokens if spans[0].end <= t.start < spans[-1].start and not _within(t.start, spans)]
    known = reading.lexicon.phrases
    return all(t.is_mark or any(m.sense is Sense.AND for m in known.get((t.word,), ())) for t in between)


def _within(place: int, spans: Iterable[Span]) -> bool:
    return any(s.start <= place < s.end for s in spans)


def _kept(current: Sequence[Segment], reading: Reading) -> Written | None:
    """Return what a verb of adding or removing and the list that it ends with hold between them."""
    opener = _opener(current, reading)
    held = _holder(current, reading) if opener is not None and _keeps(current[opener]) else None
    if opener is None or held is None:
        return None
    start = _chunk_start(current, held)
    inside = {*range(start, held + 1), opener}
    run = _framed(current, opener, start, held + 1, reading)
    if run is None and start < held:
        run = _framed(current, opener, held, held + 1, reading)
    text = [run] if run else []
    verbs = {n for n, s in enumerate(current) if _keeps(s) and not _within(reading.tokens[s.first].start, text)}
    rest = (s for n, s in enumerate(current) if n not in inside | verbs)
    return Written(tokens=_tokens(rest), span=run, marked=run is not None)


def _sent(current: Sequence[Segment], reading: Reading) -> Written:
    """Return what follows a word such as "that", or what a verb of sending and whom it is for leave over."""
    opener, verb = _opener(current, reading), _sends(current, reading)
    begins = min((n for n in (opener, verb) if n is not None), default=None)
    if begins is None:
        return Written()
    if verb is not None and (title := _title(current, verb, reading)):
        return _beside_title(current, title, reading)
    mark = next((n for n in range(begins, len(current)) if _is_marker(current[n])), None)
    opens = opener is not None and current[opener].has(Sense.TEXT, Sense.THAT)
    if mark is not None and (opens or verb is not None):
        return _after(current, mark, reading)
    if opener is not None and opens:
        return Written(tokens=_tokens(current[opener + 1 :]))
    return _addressed(current, verb, reading) if verb is not None else Written()


def _after(current: Sequence[Segment], mark: int, reading: Reading) -> Written:
    """Return all that follows a marker and those that stand directly after it ("a message that says:")."""
    begin = mark + 1
    while begin < len(current) and (_is_marker(current[begin]) or current[begin].mark):
        begin += 1
    if begin == len(current):
        return Written(tokens=_tokens(current[mark:]))
    return Written(tokens=_tokens(current[begin:]), span=_span(current[begin:], reading), marked=True)


def _title(current: Sequence[Segment], verb: int, reading: Reading) -> range | None:
    """Return the segments of a title and the word before it, which end with a receiver or the word before the text."""
    text = next(
        (n for n in range(verb, len(current)) if _is_marker(current[n]) and not current[n].has(Sense.TITLED)), None
    )
    stop = len(current) if text is None else text
    start = next((n for n in range(verb, stop) if current[n].has(Sense.TITLED)), None)
    if start is None:
        return None
    ends = (n for n in range(start + 2, stop) if current[n].has(Sense.ADDRESSEE) or current[n].mark)
    end = next(ends, stop)
    return range(start, end) if end > start + 1 and not reading.is_quoted(current[start]) else None


def _beside_title(current: Sequence[Segment], title: range, reading: Reading) -> Written:
    """Return the text of a message that has a title; nothing in the title is a command or a target either."""
    mark = next((n for n in range(title.stop, len(current)) if _is_marker(current[n])), None)
    text = Written() if mark is None else _after(current, mark, reading)
    return replace(text, tokens=text.tokens | _tokens(current[n] for n in title[1:]))


def _addressed(current: Sequence[Segment], verb: int, reading: Reading) -> Written:
    """Return the text of "send dinner is ready to Anna's phone", which no word sets off."""
    if any(s.has(*_ASKING) for s in current):
        return Written()
    receivers = [n for n, s in enumerate(current) if _is_of(s, RECEIVERS, reading)]
    if not receivers:
        return Written()
    to = [n for n in receivers if n and current[n - 1].has(Sense.ADDRESSEE)]
    held = to[-1] if to else receivers[0]
    runs = _runs(current, verb, held, held + 1)
    if verb < held and not to:
        runs = runs[1:2]  # without "to" it is spoken of: "the battery of Anna's phone"
    if any(s.only({Sense.PARTICLE_VERB}) for s in current[:verb]):
        runs = runs[:2]  # "let ... know" begins before its verb, and no text before that
    span = next((s for run in runs if (s := _content(run, reading))), None)
    if span is None:
        return Written()
    return Written(tokens=_tokens(s for s in current if _within(reading.tokens[s.first].start, [span])), span=span)


def _framed(current: Sequence[Segment], opener: int, start: int, stop: int, reading: Reading) -> Span | None:
    return next((s for run in _runs(current, opener, start, stop) if (s := _content(run, reading))), None)


def _runs(current: Sequence[Segment], verb: int, start: int, stop: int) -> list[Sequence[Segment]]:
    """Return where a text may stand: between a verb and the thing from `start` to `stop`, after both, before both."""
    first, last = (verb + 1, start) if verb < start else (stop, verb)
    return [current[first:last], current[max(stop, verb + 1) :], current[: min(start, verb)]]


def _content(run: Sequence[Segment], reading: Reading) -> Span | None:
    """Return a run without the words that only frame it; None where nothing else is in it."""
    marked = next((n for n, s in enumerate(run) if _is_marker(s) and any(not x.mark for x in run[n + 1 :])), None)
    kept, frames = (list(run), _frames) if marked is None else (list(run[marked + 1 :]), attrgetter("mark"))
    while kept and frames(kept[0]):
        kept.pop(0)
    while kept and frames(kept[-1]):
        kept.pop()
    return _span(kept, reading) if any(not s.time for s in kept) else None


def _frames(here: Segment) -> bool:
    if here.mark or here.has(Sense.NOTE, Sense.ADDRESSEE, Sense.TO):
        return True
    return here.only(_FRAME | {Sense.NOUN, Sense.DOER, Sense.REFERENCE})


def _span(segments: Sequence[Segment], reading: Reading) -> Span:
    return Span(start=reading.tokens[segments[0].first].start, end=reading.tokens[segments[-1].last - 1].end)


def _is_marker(here: Segment) -> bool:
    """Return True for what a text follows: "that", "saying", "called", a colon."""
    if here.mark:
        return here.mark == COLON
    return here.has(Sense.THAT) or (here.has(Sense.TEXT) and not here.has(Sense.DIRECTION))


def _opener(current: Sequence[Segment], reading: Reading) -> int | None:
    """Return the number of the segment that begins a text, or may begin one."""
    for n, here in enumerate(current):
        noun = n > 0 and here.has(Sense.NOTE) and current[n - 1].has(Sense.ARTICLE)
        begins = (here.has(Sense.TEXT) and not noun) or (is_verb(current, n) and _keeps(here))
        if begins and not reading.is_quoted(here):
            return n
    if _sends(current, reading) is None:
        return None
    said = (n for n, s in enumerate(current) if s.has(Sense.THAT) or s.mark == COLON)
    return next((n for n in said if not reading.is_quoted(current[n])), None)


def _sends(current: Sequence[Segment], reading: Reading) -> int | None:
    """Return the number of the verb that sends something to somebody, or None."""
    verbs = (n for n, s in enumerate(current) if Direction.SEND in _said(s) and is_verb(current, n))
    return next((n for n in verbs if not reading.is_quoted(current[n])), None)


def _said(here: Segment) -> set[str]:
    return {m.value for m in here.meanings if m.sense is Sense.DIRECTION}


def _keeps(here: Segment) -> bool:
    """Return True for a verb of adding or removing, which ends with the list that it names."""
    said = _said(here)
    return bool(said & _KEEPING) and Direction.SEND not in said


def _holder(current: Sequence[Segment], reading: Reading) -> int | None:
    """Return the number of the last segment that names a list or a calendar, or None."""
    found = (n for n in range(len(current) - 1, -1, -1) if _holds(current[n], reading))
    return next((n for n in found if not reading.is_quoted(current[n])), None)


def _holds(here: Segment, reading: Reading) -> bool:
    if here.name:
        return _is_of(here, HOLDERS, reading)
    return any(m.sense is Sense.KIND and reading.lexicon.kinds[m.value] & HOLDERS for m in here.meanings)


def _is_of(here: Segment, domains: frozenset[str], reading: Reading) -> bool:
    """Return True if a segment is the whole name of a thing of one of these domains."""
    bits = reading.index.wholes.get(reading.words(here), 0)
    return any(reading.index.entities[n].domain in domains for n in reading.index.members(bits))


def _chunk_start(current: Sequence[Segment], holder: int) -> int:
    start = holder
    while start and current[start - 1].may_name and current[start - 1].last == current[start].first:
        start -= 1
    return start


def _tokens(segments: Iterable[Segment]) -> frozenset[int]:
    return frozenset(n for s in segments for n in range(s.first, s.last))
