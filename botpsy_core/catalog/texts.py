"""Which words of a clause a text argument may be made of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.domain.cues import listed_words, word_hits
from botpsy_core.domain.heard import Clause, How, Span, covered_by
from botpsy_core.domain.tools import Argument

WORD = re.compile(r"[\w\u0900-\u097f]+(?:['\u2019.\-][\w\u0900-\u097f]+)*|[\u3400-\u9fff]")
EDGES = " \t\n.,;:!?\"'\u2026\u3002\uff0c\uff01\uff1f\u3001\u201c\u201d\u201e\u00ab\u00bb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Where a text stands."""

    span: Span
    marked: bool = False
    """True where a word that introduces it stands before it ("that", "called")."""
    sure: bool = True
    """False where the words around it may not belong to it."""

    def holds(self, span: Span) -> bool:
        """Return True if the span lies within the text, with other words of it on both sides."""
        return self.span.start < span.start and span.end < self.span.end


def text_in(
    argument: Argument, *, clause: Clause, language: str, taken: Sequence[Span], cues: Sequence[Span]
) -> Text | None:
    """Return where in the utterance the text stands, or None where no words, or only "it", are left for it.

    `taken` are the spans that the tool's other arguments explain, `cues` those that the tool's own words explain.
    The text is the one run that quotes, a marker or verb and list set off. Else it follows one of the argument's
    `x-after` words where one stands before content, else it reaches from the first to the last content word that
    nothing else explains, else it is somewhere in the longest run of free words.
    """
    text = _text_in(argument, clause=clause, language=language, taken=taken, cues=cues)
    return None if text is not None and _only_points(text.span, clause) else text


def _only_points(span: Span, clause: Clause) -> bool:
    """Return True if all words of a span only point back to something else."""
    words = [Span(start=span.start + m.start(), end=span.start + m.end()) for m in WORD.finditer(_slice(span, clause))]
    return bool(clause.references) and all(covered_by(word, clause.references) for word in words)


def _text_in(
    argument: Argument, *, clause: Clause, language: str, taken: Sequence[Span], cues: Sequence[Span]
) -> Text | None:
    runs = _free_runs(clause, taken)
    if argument.required and (text := _written(clause, taken, cues)):
        return text
    if marked := _marked(argument, clause, language, runs):
        return Text(span=marked if argument.required else _first_words(marked, clause), marked=True)
    if "x-after" in argument.schema and not argument.required:
        return None
    if found := [s for run in runs if (s := _content(run, clause, cues))]:
        return Text(span=max(found, key=_length))
    if found := [s for run in runs if (s := _content(run, clause, ()))]:
        return Text(span=max(found, key=_length), sure=False)
    rest = [s for run in _free_runs(clause, [*taken, *cues]) if (s := _trimmed(run, clause)) and _several(s, clause)]
    return Text(span=max(rest, key=_length), sure=False) if rest and argument.required else None


def _written(clause: Clause, taken: Sequence[Span], cues: Sequence[Span]) -> Text | None:
    """Return the run that hearing tells to be the text, without the tool's own words at its edges.

    Where other arguments take a part of it ("dentist at eight"), it is no longer the one run.
    """
    run = clause.written
    if run is None or covered_by(run, taken):
        return None
    if not clause.marked:
        run = _without_edges(run, cues, clause)
    trimmed = _trimmed(run, clause) if run else None
    return Text(span=trimmed, marked=clause.marked, sure=clause.marked) if trimmed else None


def _first_words(span: Span, clause: Clause) -> Span:
    """Return the span up to the end of its first content words: a place is a few words, what follows is not it."""
    first = min((s for s in clause.unexplained if s.overlaps(span)), key=lambda s: s.start)
    return Span(start=span.start, end=min(first.end, span.end))


def _several(span: Span, clause: Clause) -> bool:
    """Return True for more words than a verb alone, or at the beginning than "let the"."""
    framing = 2 if span.start == clause.span.start else 1
    return len(WORD.findall(_slice(span, clause))) > framing


def _length(span: Span) -> int:
    return span.end - span.start


def words_in(span: Span, clause: Clause) -> str:
    """Return the words of a span, without the marks at its ends."""
    return _slice(span, clause).strip(EDGES)


def _slice(span: Span, clause: Clause) -> str:
    return clause.text[span.start - clause.span.start : span.end - clause.span.start]


def _free_runs(clause: Clause, taken: Sequence[Span]) -> list[Span]:
    """Return the clause without what is taken."""
    runs: list[Span] = []
    at = clause.span.start
    for span in sorted(taken, key=lambda s: s.start):
        if span.start > at:
            runs.append(Span(start=at, end=span.start))
        at = max(at, span.end)
    if at < clause.span.end:
        runs.append(Span(start=at, end=clause.span.end))
    return [run for run in runs if WORD.search(_slice(run, clause))]


def _marked(argument: Argument, clause: Clause, language: str, runs: Sequence[Span]) -> Span | None:
    """Return what follows the first marker word that has content behind it in its run."""
    hits = word_hits(listed_words(argument.schema, "x-after", language), clause.text)
    for hit in hits:
        start = clause.span.start + _end_of_markers(hit, hits, clause)
        for run in runs:
            rest = Span(start=start, end=run.end)
            if run.start <= start < run.end and covered_by(rest, clause.unexplained):
                return _trimmed(rest, clause)
    return None


def _end_of_markers(hit: Span, hits: Sequence[Span], clause: Clause) -> int:
    """Return where the last of the markers ends that follow one another ("a message that")."""
    end = hit.end
    for other in hits:
        if other.start >= end and not clause.text[end : other.start].strip(EDGES):
            end = other.end
    return end


def _content(run: Span, clause: Clause, cues: Sequence[Span]) -> Span | None:
    """Return the run from its first to its last word that only this text can explain.

    A cue word that directly follows belongs to it: "dentist appointment".
    """
    unexplained = [_whole(s, run, clause) for s in clause.unexplained if s.overlaps(run)]
    own = [rest for s in unexplained if (rest := _without_lead(s, cues, clause))]
    if not own or _names_a_thing(own, clause):
        return None
    start, end = min(s.start for s in own), max(s.end for s in own)
    for cue in sorted(cues, key=lambda s: s.start):
        between = _slice(Span(start=end, end=max(end, cue.start)), clause)
        if end <= cue.start and cue.end <= run.end and not between.strip():
            end = cue.end
    return _trimmed(Span(start=start, end=end), clause)


def _whole(span: Span, run: Span, clause: Clause) -> Span:
    """Return the words of the name of nothing here ("toilet paper") that the span is a part of, within the run."""
    for name in clause.absent:
        for at in (clause.span.start + found.start() for found in re.finditer(re.escape(name), clause.text)):
            if at <= span.start and span.end <= at + len(name):
                return Span(start=max(at, run.start), end=min(at + len(name), run.end))
    return span


def _without_lead(span: Span, cues: Sequence[Span], clause: Clause) -> Span | None:
    """Return the span without cue words at its start, or None where nothing else is in it."""
    for cue in sorted(cues, key=lambda s: s.start):
        if cue.start <= span.start < cue.end:
            span = Span(start=min(cue.end, span.end), end=span.end)
            span = _trimmed(span, clause) or Span(start=span.end, end=span.end)
    return span if span.start < span.end else None


def _without_edges(span: Span, cues: Sequence[Span], clause: Clause) -> Span | None:
    """Return the span without cue words at its start and end, or None where nothing else is in it."""
    kept = _without_lead(span, cues, clause)
    for cue in sorted(cues, key=lambda s: -s.start):
        if kept is not None and cue.start < kept.end <= cue.end:
            kept = Span(start=kept.start, end=max(cue.start, kept.start))
            kept = _trimmed(kept, clause)
    return kept


def _names_a_thing(own: Sequence[Span], clause: Clause) -> bool:
    """Return True if the words are just the name of a thing, which is no text: "send Robo home"."""
    spans = [t.span for t in clause.targets if t.span and t.how in {How.NAME, How.ALIAS}]
    return any(span.start <= own[0].start and own[-1].end <= span.end for span in spans)


def _trimmed(span: Span, clause: Clause) -> Span | None:
    text = _slice(span, clause)
    kept = text.strip(EDGES)
    if not kept:
        return None
    start = span.start + text.index(kept)
    return Span(start=start, end=start + len(kept))
