"""What code heard in an utterance, once a turn, before the model reads a word."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from botpsy_core.domain.tools import Direction
from botpsy_core.domain.values import JsonValue

PAIR = 2
"""Things that "both" speaks of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Characters `start` to `end` (exclusive) of the utterance."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Return True if the two share a character."""
        return self.start < other.end and other.start < self.end


def covered_by(span: Span, others: Iterable[Span]) -> bool:
    """Return True if the span shares a character with one of the others."""
    return any(span.overlaps(other) for other in others)


class Mood(StrEnum):
    """What kind of sentence a clause is."""

    COMMAND = "command"
    QUESTION = "question"
    NEGATED = "negated"
    """Told not to: "don't turn on ..."."""
    CONDITIONAL = "conditional"
    """"If it rains, ..."; nothing to do now."""
    REPORTED = "reported"
    """Somebody else's words, or a story."""
    STATEMENT = "statement"
    """No verb of command: "it's too dark to read"."""
    EXPLANATION = "explanation"
    """"how do I ...?", "why did you ...?", "shall I ...?": no state of the home answers it."""
    ASSENT = "assent"
    """"yes", "do it" and nothing more."""
    DENIAL = "denial"
    """"no", "cancel", "never mind" and nothing more."""
    THANKS = "thanks"


class How(StrEnum):
    """How a target was found; grounding trusts them in this order."""

    NAME = "name"
    ALIAS = "alias"
    KIND_IN_PLACE = "kind_in_place"
    """"the kitchen lights": every light of the kitchen."""
    PLACE = "place"
    """"the kitchen", with no kind said."""
    ALL = "all"
    """"all lights", said so."""
    KIND = "kind"
    """"the thermostat", and there is one, or several to choose from."""
    REFERENCE = "reference"
    """"it", "the other one": from the talk so far."""
    ROOM = "room"
    """"the light" said to a satellite in a room."""
    FUZZY = "fuzzy"
    """A near miss of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Things that some words may mean."""

    label: str
    """What prompt and grammar show; unique in its clause."""
    entities: tuple[str, ...]
    """`Entity.id`s, sorted."""
    score: float
    """0 to 1, 1 where the name was said letter by letter."""
    how: How
    span: Span | None = None
    """The words that named it; None for a reference that was left out."""


class ValueKind(StrEnum):
    """What a heard value measures."""

    NUMBER = "number"
    PERCENT = "percent"
    TEMPERATURE = "temperature"
    DURATION = "duration"
    TIME = "time"
    TIME_RANGE = "time_range"
    RECURRENCE = "recurrence"
    """An RFC 5545 rule ("FREQ=WEEKLY;BYDAY=MO,TH"); the TIME next to it is the first occurrence."""
    COLOR = "color"
    COLOR_TEMPERATURE = "color_temperature"
    """How warm or cold white light is, in kelvin; "warm white" is one."""


COLORS = frozenset({ValueKind.COLOR, ValueKind.COLOR_TEMPERATURE})


TIMES = frozenset({ValueKind.TIME, ValueKind.TIME_RANGE, ValueKind.DURATION})
"""Kinds of values that say when, or for how long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A number, time, duration or colour that was said."""

    kind: ValueKind
    value: JsonValue
    """A number; seconds; ISO 8601 with offset (a bare date for all day); `{"start", "end"}`; an English colour name."""
    span: Span
    unit: str | None = None
    """As said: "%", "°C", "°F", or None."""
    relative: bool = False
    """True for "10 % brighter", "two degrees warmer": a change, signed."""
    ambiguous: tuple[JsonValue, ...] = ()
    """The other readings, where the words leave more than one ("next Friday", "at three")."""


class Quality(StrEnum):
    """What a complaint is about."""

    LIGHT = "light"
    HEAT = "heat"
    SOUND = "sound"
    AIR = "air"
    """Fresh air."""
    HUMIDITY = "humidity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """That there is too much or too little of something: "it is too bright", "not warm enough"."""

    quality: Quality
    excess: Direction
    """UP where there is too much of it, DOWN where there is too little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One thing that was said."""

    text: str
    span: Span
    mood: Mood
    directions: tuple[Direction, ...] = ()
    targets: tuple[Target, ...] = ()
    """Best first."""
    values: tuple[Value, ...] = ()
    absent: tuple[str, ...] = ()
    """Names of things or places that were said and do not exist in this home, as said."""
    unexplained: tuple[Span, ...] = ()
    """Content words that no target, value, direction or function word explains."""
    references: tuple[Span, ...] = ()
    """Words that only point back ("it", "that one"); they are no text of their own."""
    everything: bool = False
    """True if "all", "every", "everything" was said."""
    both: bool = False
    """True if "both" was said of what are not two names; it speaks of two things and of no more."""
    complaint: Complaint | None = None
    """What a statement complains of; no direction was said."""
    written: Span | None = None
    """The one run of words that is to be written, sent or looked up; commands and names in it mean nothing."""
    marked: bool = False
    """True where quotes, a colon, a word such as "that", or verb and list around it tell that the run is the text."""
    hedged: bool = False
    """True if it was left open whether it is wanted at all: "maybe turn on the lamp"."""
    since: bool = False
    """True for a question that asks for a time: "when was the door opened", "how long has it been on"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """An utterance, understood as far as code can."""

    text: str
    language: str
    """BCP 47 primary subtag, lower case."""
    clauses: tuple[Clause, ...]
