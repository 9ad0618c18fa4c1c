"""What the way that was said leaves of a foreign tool's argument: yes or no, all of a list, one of its options."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from botpsy_core.catalog.adopt import SAME, ways_of
from botpsy_core.catalog.facts import name_words
from botpsy_core.catalog.foreign_words import is_named, stems
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.tongues import subtag, tongues_in
from botpsy_core.domain.tools import OPPOSITES, Argument, Direction, ToolSpec

SETTING = frozenset({Direction.SET, Direction.ADD, Direction.SEND})
"""Ways that leave a thing on: "set the lights to red"."""
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


DENIED = re.compile(r"\b(?:no|not|\w+n't|never|without|except|whether|or)\b", re.IGNORECASE)
"""What may make a no of a yes; tool texts are English, and so is what holds their words."""


def ways_said(clause: Clause, heard: Heard) -> frozenset[Direction]:
    """Return the ways that a clause says, those of its statements too."""
    inner = (d for c in heard.clauses if c.span.overlaps(clause.span) for d in c.directions)
    return frozenset(SAME.get(way, way) for way in (*inner,))


def yes_or_no(argument: Argument, clause: Clause, heard: Heard) -> tuple[Choice, ...]:
    """Return the one value of a boolean that the way that was said leaves; none where it leaves both."""
    yes = argument.way
    if yes is None:
        told = is_named(argument, stems(clause.text)) and not DENIED.search(clause.text)
        return (_choice(value=True, clause=clause),) if told else ()
    said, no = ways_said(clause, heard), OPPOSITES.get(yes)
    if yes in said or no in said:
        if (yes in said and no in said) or (yes is Direction.ON and no in said and said & SETTING):
            return ()
        return (_choice(value=yes in said, clause=clause),)
    return (_choice(value=True, clause=clause),) if yes is Direction.ON and said & SETTING else ()


def all_of(options: Sequence[str], clause: Clause, heard: Heard) -> tuple[Choice, ...]:
    """Return one choice that holds every option, where the clause says "all"; none otherwise."""
    everything = any(c.everything and c.span.overlaps(clause.span) for c in heard.clauses)
    return (Choice(label="all", value=list(options), span=clause.span),) if everything and options else ()


def of_the_way(options: Sequence[str], clause: Clause, heard: Heard) -> tuple[Choice, ...]:
    """Return the one option that goes the way that was said ("add" for "create"); none where it is none or several."""
    said = ways_said(clause, heard)
    going = [o for o in options if not said.isdisjoint(SAME.get(way, way) for way in ways_of(o.replace("_", " ")))]
    return (Choice(label=going[0], value=going[0], span=clause.span),) if len(going) == 1 else ()


def of_the_tongue(tags: Sequence[str], clause: Clause) -> tuple[Choice, ...]:
    """Return those of several tags ("zh-CN") whose language was named."""
    at, places = clause.span.start, tongues_in(clause.text)
    named = [(tag, places[subtag(tag)]) for tag in tags if subtag(tag) in places]
    return tuple(Choice(label=t, value=t, span=Span(start=at + a, end=at + b)) for t, (a, b) in named)


def is_another(tool: ToolSpec, text: str) -> bool:
    """Return True if the words are about the other thing of two: "the high beams" for a tool of the low beams."""
    own = name_words(tool.called)
    said = [word.lower() for word in re.findall(r"[^\W\d_]+", text)]
    told = name_words(f"{tool.called} {tool.description}")
    for word, next_ in pairwise(said):
        other = OTHERS.get(word)
        if other in own and word not in told and other not in said and name_words(next_) & own:
            return True
    return False


def only_switches(tool: ToolSpec, clause: Clause, heard: Heard) -> bool:
    """Return True for a tool that goes on or off and nothing else, where the words want a thing set to something."""
    ways = [a.way for a in tool.arguments]
    return bool(ways) and None not in ways and not tool.read_only and ways_said(clause, heard) == {Direction.SET}


def _choice(*, value: bool, clause: Clause) -> Choice:
    return Choice(label="true" if value else "false", value=value, span=clause.span)
