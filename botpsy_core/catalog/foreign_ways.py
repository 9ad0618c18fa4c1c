"""What the way that was said leaves of a foreign tool's argument: yes or no, all of a list, a number's own unit."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from botpsy_core.catalog.adopt import ways_of
from botpsy_core.catalog.facts import name_words
from botpsy_core.catalog.foreign_words import Figure
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.tools import OPPOSITES, Argument, Direction, ToolSpec

SAME: Mapping[Direction, Direction] = {Direction.START: Direction.ON, Direction.STOP: Direction.OFF}
"""Ways that a switch does not tell apart: cruise control is started or turned on."""
SETTING = frozenset({Direction.SET, Direction.ADD, Direction.SEND})
"""Ways that leave a thing on: "set the lights to red"."""
UNITS: Sequence[frozenset[str]] = (
    frozenset({"liter", "litre", "gallon"}),
    frozenset({"mile", "kilometer", "kilometre", "meter", "metre", "foot", "feet", "yard"}),
    frozenset({"kilogram", "pound", "gram", "ounce"}),
    frozenset({"celsius", "fahrenheit", "kelvin"}),
    frozenset({"psi", "bar", "kilopascal"}),
)
"""Units of one measure, none of which may be read as another."""
ABBREVIATED: Mapping[str, str] = {
    "l": "liter", "gal": "gallon", "km": "kilometer", "mi": "mile", "m": "meter", "kg": "kilogram", "lb": "pound",
    "lbs": "pound", "g": "gram", "oz": "ounce", "kpa": "kilopascal", "litres": "liter", "metres": "meter",
}  # fmt: skip
OTHERS: Mapping[str, str] = {
    a: b
    for pair in (
        ("high", "low"), ("front", "rear"), ("left", "right"), ("upper", "lower"), ("inside", "outside"),
        ("indoor", "outdoor"), ("interior", "exterior"), ("inner", "outer"), ("driver", "passenger"), ("day", "night"),
        ("summer", "winter"), ("hot", "cold"), ("incoming", "outgoing"), ("first", "last"),
    )
    for a, b in (pair, pair[::-1])
}  # fmt: skip
"""Words that tell two things of a kind from each other."""
COUNTED = re.compile(r"\s*(?:degrees?\s+)?([^\W\d_]+)")
"""The word behind a number."""
LABELLED = re.compile(r"\b(zip|postal|post)[ -]?(?:code)?[\s:#]*$", re.IGNORECASE)
"""What makes the digits behind it the name of a place."""


def ways_said(clause: Clause, heard: Heard) -> frozenset[Direction]:
    """Return the ways that a clause says, those of its statements too."""
    inner = (d for c in heard.clauses if c.span.overlaps(clause.span) for d in c.directions)
    return frozenset(SAME.get(way, way) for way in (*inner,))


def yes_or_no(argument: Argument, clause: Clause, heard: Heard) -> tuple[Choice, ...]:
    """Return the one value of a boolean that the way that was said leaves; none where it leaves both."""
    yes = _way_of(argument)
    if yes is None:
        return ()
    said, no = ways_said(clause, heard), OPPOSITES.get(yes)
    if yes in said or no in said:
        if (yes in said and no in said) or (no in said and said & SETTING):
            return ()
        return (_choice(value=yes in said, clause=clause),)
    return (_choice(value=True, clause=clause),) if yes is Direction.ON and said & SETTING else ()


def all_of(options: Sequence[str], clause: Clause, heard: Heard) -> tuple[Choice, ...]:
    """Return one choice that holds every option, where the clause says "all"; none otherwise."""
    everything = any(c.everything and c.span.overlaps(clause.span) for c in heard.clauses)
    return (Choice(label="all", value=list(options), span=clause.span),) if everything and options else ()


def of_its_measure(figure: Figure, argument: Argument, heard: Heard) -> bool:
    """Return False for a number in another unit than the argument's, or one that names a place by its post."""
    about = units_of(f"{argument.name} {argument.description}")
    if LABELLED.search(heard.text[: figure.span.start]):
        return not name_words(f"{argument.name} {argument.description}").isdisjoint(
            {"zip", "zipcode", "post", "postal", "code"}
        )
    said = unit_behind(figure, heard)
    kin = frozenset(unit for measure in UNITS if not measure.isdisjoint(said) for unit in measure)
    return not said or not said.isdisjoint(about) or kin.isdisjoint(about)


def is_another(tool: ToolSpec, text: str) -> bool:
    """Return True if the words are about the other thing of two: "the high beams" for a tool of the low beams."""
    own = name_words(tool.name)
    said = [word.lower() for word in re.findall(r"[^\W\d_]+", text)]
    told = name_words(f"{tool.name} {tool.description}")
    for word, next_ in pairwise(said):
        other = OTHERS.get(word)
        if other in own and word not in told and other not in said and name_words(next_) & own:
            return True
    return False


def only_switches(tool: ToolSpec, clause: Clause, heard: Heard) -> bool:
    """Return True for a tool that goes on or off and nothing else, where the words want a thing set to something."""
    ways = [_way_of(a) for a in tool.arguments]
    return bool(ways) and None not in ways and not tool.read_only and ways_said(clause, heard) == {Direction.SET}


def _way_of(argument: Argument) -> Direction | None:
    """Return the way that a boolean goes where it is true, as its name or its description says."""
    name = name_words(argument.name)
    for word in (Direction.ON, Direction.OFF):
        if name == {word.value}:
            return word
    told = argument.description.lower().partition("false")[0]
    ways = [SAME.get(w, w) for w in (ways_of(" ".join(sorted(name))) or ways_of(told)) if w in OPPOSITES]
    return ways[0] if len(set(ways)) == 1 else None


def _choice(*, value: bool, clause: Clause) -> Choice:
    return Choice(label="true" if value else "false", value=value, span=clause.span)


def unit_behind(figure: Figure, heard: Heard) -> frozenset[str]:
    """Return the unit that a number was said in; empty for none."""
    behind = COUNTED.match(heard.text, figure.span.end)
    return units_of(behind[1]) if behind else frozenset()


def units_of(text: str) -> frozenset[str]:
    """Return the units that a text names, in the singular."""
    words = (ABBREVIATED.get(word, word) for word in re.findall(r"[^\W\d_]+", text.lower().replace("_", " ")))
    known = frozenset(unit for measure in UNITS for unit in measure)
    return frozenset(w if w in known else w.removesuffix("s") for w in words) & known
