"""Sense: what a phrase of a language does in a sentence."""

from dataclasses import dataclass
from enum import StrEnum


class Sense(StrEnum):
    """What a phrase of the lexicon does in a sentence."""

    ARTICLE = "article"
    FILLER = "filler"
    SUBJECT = "subject"
    """Who does it; a sentence that begins with it asks nothing."""
    DOER = "doer"
    """Who does it, where it is not the one who is spoken to ("he"); with its auxiliary it reaches on ("er will")."""
    ADJECTIVE = "adjective"
    """Narrows what it stands next to ("next", "home")."""
    NOUN = "noun"
    """A word for no thing in particular ("brightness", "home", "mode")."""
    INITIAL = "initial"
    """Makes a verb of its word only where it stands first ("para": stop, or for)."""
    TAIL = "tail"
    """The end of a phrase that opens around its object."""
    VERB = "verb"
    """A verb of command that gives no direction ("toggle")."""
    STATE = "state"
    """What a thing may be ("low", "playing")."""
    TO = "to"
    """What stands before the value that something shall have, or change by."""
    THAT = "that"
    """What begins a text after a verb of telling."""
    NOTE = "note"
    """A noun for what is sent ("message")."""
    ADDRESSEE = "addressee"
    """What stands before whom something is for ("to", "for")."""
    LINK = "link"
    AND = "and"
    OR = "or"
    THEN = "then"
    BUT = "but"
    ALL = "all"
    EVERYTHING = "everything"
    EXCEPT = "except"
    EXCEPT_AFTER = "except_after"
    """Stands after what is left out, alone or with a word before it."""
    ALSO = "also"
    """"too": the same again for another thing."""
    NEGATION = "negation"
    NO_NEGATION = "no_negation"
    POLITE = "polite"
    ASK = "ask"
    SINCE = "since"
    """Asks for a time ("when", "how long"): since when a thing is as it is."""
    QUESTION = "question"
    """A particle that makes a question wherever it stands."""
    EXPLAIN = "explain"
    """Begins a question for a way, a reason or a permission ("how do i", "why")."""
    COPULA = "copula"
    IF = "if"
    INVERTED = "inverted"
    """Makes a condition of its sentence only where it stands first ("should it rain, close the windows")."""
    LATER = "later"
    """Not now, though no clock tells when ("at sunset", "every morning")."""
    REPORTED = "reported"
    ASSENT = "assent"
    DENIAL = "denial"
    THANKS = "thanks"
    RETRACT = "retract"
    TEXT = "text"
    DIRECTION = "direction"
    COMPLAINT = "complaint"
    """That there is too much or too little of something ("too bright")."""
    CONDITION = "condition"
    """How a thing is ("locked"): a direction without a command."""
    PARTICLE = "particle"
    PARTICLE_VERB = "particle_verb"
    REFERENCE = "reference"
    KIND = "kind"
    VERB_KIND = "verb_kind"
    PLACE = "place"
    FLOOR = "floor"
    COLOR = "color"


BOTH = "both"
"""Value of a word for all that speaks of two things and of no more."""


class Count(StrEnum):
    """How many things a kind word speaks of."""

    ONE = "one"
    MANY = "many"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Meaning:
    """One sense of a phrase, with what goes with it."""

    sense: Sense
    value: str = ""
    """The direction, concept, reference, colour, or what kind of place it is."""
    count: Count = Count.ONE
