"""Which of the numbers that were said a foreign argument may be."""

from botpsy_core.catalog.foreign_measures import counts, in_unit, labelled, spans_of_time
from botpsy_core.catalog.foreign_options import DIGITS
from botpsy_core.catalog.foreign_said import OPEN_SCORE, Said
from botpsy_core.catalog.foreign_words import WORD, Figure, stems
from botpsy_core.domain.heard import Span
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.tools import Argument, Direction, Role, ToolSpec
from botpsy_core.domain.values import JsonObject

_ENDS = frozenset({Direction.OFF, Direction.CLOSE})
_BEGINS = frozenset({Direction.ON, Direction.OPEN, Direction.SET, Direction.UP, Direction.DOWN})


def numbers_in(argument: Argument, tool: ToolSpec, said: Said) -> tuple[Choice, ...]:
    """Return the numbers that were said; for a needed one also those that its description names, and 0 for "off".

    What counts another argument's own word ("3 guests") is none of this one's.
    """
    if argument.required and argument.schema.get("minimum") == 0 and _is_ended(said):
        return (Choice(label="0", value=0, span=said.clause.span),)
    found: dict[float, Choice] = {}
    named = labelled(argument, said.figures, said.clause, said.heard)
    others = [a for a in tool.arguments_of(Role.NUMBER) if a.name != argument.name]
    free = [f for f in said.figures if not any(counts(f, a, said.heard) for a in others)]
    own = in_unit(named or free, argument, said.heard)
    for figure in (*own, *(() if named else spans_of_time(said.clause, said.heard, argument))):
        if fits(figure, argument.schema):
            found.setdefault(figure.value, choice_of(figure, argument.schema))
    if argument.required and not named:
        for digits in DIGITS.findall(argument.description):
            told = Figure(float(digits), Span(start=0, end=0))
            if fits(told, argument.schema):
                choice = choice_of(told, argument.schema)
                found.setdefault(told.value, Choice(label=choice.label, value=choice.value, score=OPEN_SCORE))
    return tuple(found.values())


def _is_ended(said: Said) -> bool:
    """Return True if a clause says "off" or "close", and no number of its own says how far."""
    ways = frozenset(said.clause.directions)
    own = any(f.span.overlaps(said.clause.span) for f in said.figures)
    return not own and bool(ways & _ENDS) and not ways & _BEGINS


def choice_of(figure: Figure, schema: JsonObject, *, listed: bool = False) -> Choice:
    """Return a choice; an item of a list of floats is written as one, since nothing else tells its type."""
    float_item = listed and schema.get("format") in {"float", "double"}
    final = figure.value if float_item or not figure.value.is_integer() else int(figure.value)
    return Choice(label=f"{final!r}", value=final, span=figure.span)


def fits(figure: Figure, schema: JsonObject) -> bool:
    """Return True for a number that the schema's type allows."""
    return schema.get("type") != "integer" or figure.value.is_integer()


def tells_how_many(figure: Figure, about: frozenset[str], text: str) -> bool:
    """Return True for a number word before what a list holds: "the two numbers" says how many there are."""
    word = text[figure.span.start : figure.span.end]
    after = WORD.match(text[figure.span.end :].lstrip())
    return not word[-1:].isdigit() and after is not None and not about.isdisjoint(stems(after[0]))
