"""Read "on for ten minutes", "on until eight", "on, and off again at nine" as an act now and its opposite later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from botpsy_core.agent.phrases import Phrases
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.cues import word_hits
from botpsy_core.domain.heard import Clause, Heard, Mood, Value, ValueKind
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import OPPOSITES, Direction
from botpsy_core.hearing import hear

_WAYS = frozenset({Direction.ON, Direction.OFF, Direction.START, Direction.STOP, Direction.OPEN, Direction.CLOSE})
"""Ways whose opposite puts everything back."""
_TO_REST = frozenset({Direction.OFF, Direction.STOP, Direction.CLOSE})
_TIMES = frozenset({ValueKind.TIME, ValueKind.TIME_RANGE, ValueKind.RECURRENCE, ValueKind.DURATION})
type Ways = tuple[Direction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """An act for a while."""

    now: tuple[Clause, Heard]
    back: tuple[Clause, Heard]
    """Its opposite, put off to the end."""

    @property
    def rests(self) -> bool:
        """Return True where it ends in what was at rest before: what was off already is not turned on afterwards."""
        return _TO_REST.issuperset(self.now[0].directions)


def spell_in(
    clause: Clause, *, phrases: Phrases, home: Home, transcript: Transcript, context: TurnContext
) -> Spell | None:
    """Return what a clause asks for now and what after it, or None where it asks for no such thing."""
    if clause.mood is not Mood.COMMAND or any(v.kind not in _TIMES for v in clause.values):
        return None
    timed = [v for v in clause.values if v.kind in _TIMES]
    if len(timed) != 1 or (timed[0].ambiguous and timed[0].kind is not ValueKind.TIME_RANGE):
        return None
    (value,) = timed
    text, ways, end = _rest(clause, value, phrases), _ways(clause, value, phrases), _end(value, context.now)
    if text is None or ways is None or end is None:
        return None

    def heard(said: str) -> tuple[Clause, Heard] | None:
        found = hear(said, home=home, transcript=transcript, context=context)
        return (found.clauses[0], found) if len(found.clauses) == 1 else None

    here = heard(text)
    later = heard(f"{phrases.say('sun', 'at', clock='23:59')} {text}")
    if here is None or later is None or here[0].mood is not Mood.COMMAND or here[0].values:
        return None
    times = [v for v in later[0].values if v.kind is ValueKind.TIME]
    if len(times) != 1 or len(later[0].values) != 1:
        return None
    put_off = replace(later[0], directions=ways[1], values=(replace(times[0], value=end, ambiguous=()),))
    return Spell(
        now=_with(here[1], replace(here[0], directions=ways[0])),
        back=_with(later[1], put_off),
    )


def _with(heard: Heard, clause: Clause) -> tuple[Clause, Heard]:
    return clause, replace(heard, clauses=(clause,))


def _end(value: Value, now: datetime) -> str | None:
    if value.kind is ValueKind.DURATION and isinstance(value.value, int | float) and value.value > 0:
        return (now + timedelta(seconds=float(value.value))).isoformat(timespec="seconds")
    if value.kind is ValueKind.TIME_RANGE:
        return _until(value, now)
    return str(value.value) if value.kind is ValueKind.TIME and "T" in str(value.value) else None


def _until(value: Value, now: datetime) -> str | None:
    """Return the end of a time that begins now: "until eight" is the next eight there is."""
    ranges = [r for r in (value.value, *value.ambiguous) if isinstance(r, Mapping)]
    starts = [datetime.fromisoformat(str(r["start"])) for r in ranges if "T" in str(r["start"])]
    ends = [str(r["end"]) for r in ranges if "T" in str(r["end"])]
    begun = all(abs(start - now) < timedelta(minutes=1) for start in starts)
    ahead = [end for end in ends if datetime.fromisoformat(end) > now]
    if not ahead or not begun or len(starts) != len(ranges):
        return None
    return min(ahead, key=datetime.fromisoformat)


def _ways(clause: Clause, value: Value, phrases: Phrases) -> tuple[Ways, Ways] | None:
    """Return the ways now and back; where both were said, the time must stand with the second."""
    said = clause.directions
    if not said or not _WAYS.issuperset(said):
        return None
    both = any(OPPOSITES[way] in said for way in said)
    if value.kind in {ValueKind.DURATION, ValueKind.TIME_RANGE} and not both:
        return said, tuple(OPPOSITES[way] for way in said)
    if value.kind is ValueKind.TIME and both and len(said) == 2:
        joins = _places(_and(phrases), clause.text)
        apart = bool(joins) and joins[-1] < value.span.start - clause.span.start
        return (said[:1], said[1:]) if apart else None
    return None


def _rest(clause: Clause, value: Value, phrases: Phrases) -> str | None:
    """Return the clause without its time; a while needs its own word where the language has one."""
    start, end = value.span.start - clause.span.start, value.span.end - clause.span.start
    before, after = clause.text[:start].rstrip(), clause.text[end:].lstrip()
    if value.kind is ValueKind.DURATION:
        heads, tails = (sorted(phrases.find("while", key) or (), key=len, reverse=True) for key in ("before", "after"))
        head = next((w for w in heads if before.casefold().endswith(f" {w}") or before.casefold() == w), None)
        tail = next((w for w in tails if after.casefold().startswith(w)), None)
        said = clause.text[start:end].casefold()
        inside = any(said.startswith(f"{w} ") for w in heads) or any(said.endswith(w) for w in tails)
        if not (head or tail or inside) and (heads or tails):
            return None
        before = before[: len(before) - len(head or "")].rstrip()
        after = after[len(tail or "") :].lstrip()
    return f"{before} {after}".strip()


def _and(phrases: Phrases) -> str:
    return phrases.say("and", most="", last="")


def _places(word: str, text: str) -> Sequence[int]:
    return [hit.start for hit in word_hits([word], text)]
