"""Fill the arguments of a foreign tool, of which only the schema is known."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from botpsy_core.catalog.foreign_measures import counts, in_unit, labelled, spans_of_time
from botpsy_core.catalog.foreign_pairs import in_order
from botpsy_core.catalog.foreign_ways import all_of, of_the_tongue, of_the_way, yes_or_no
from botpsy_core.catalog.foreign_words import WORD, Figure, figures, is_named, is_spoken_of, moments, names_in, stems
from botpsy_core.catalog.options import mark_of, told_codes, told_opposites
from botpsy_core.domain.cues import word_hits
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.offer import Choice, Slot
from botpsy_core.domain.tongues import subtag
from botpsy_core.domain.tools import Argument, Direction, Role, ToolSpec
from botpsy_core.domain.values import JsonObject, texts_of

DIGITS = re.compile(r"-?\d+(?:\.\d+)?")
OPEN_SCORE = 0.5
"""The score of an option or number that nobody said."""
MANY = frozenset({"integer", "number"})
_ENDS = frozenset({Direction.OFF, Direction.CLOSE})
_BEGINS = frozenset({Direction.ON, Direction.OPEN, Direction.SET, Direction.UP, Direction.DOWN})


@dataclass(frozen=True, slots=True)
class _Said:
    """One utterance, read once for all arguments of a tool."""

    clause: Clause
    heard: Heard
    figures: tuple[Figure, ...]
    stems: frozenset[str]
    names: int

    @classmethod
    def of(cls, clause: Clause, heard: Heard) -> _Said:
        return cls(clause, heard, figures(clause, heard), stems(clause.text), len(names_in(clause.text)))


def foreign_slots(tool: ToolSpec, *, clause: Clause, heard: Heard) -> list[Slot]:
    """Return the slots of a foreign tool's arguments; an optional one only where the words may have something for it.

    A part that says fewer numbers than the tool takes has those of the whole utterance too, for what it needs or names.
    Texts are written freely and traced to the words afterwards: words that a grammar forces cannot be told from words
    that were meant. An optional argument that this part names with one number ("three children") has to hold it.
    """
    own = wide = _Said.of(clause, heard)
    if len(own.figures) < len(tool.arguments_of(Role.NUMBER)):
        others = (f for c in heard.clauses for f in figures(c, heard) if not f.span.overlaps(clause.span))
        wide = replace(own, figures=(*own.figures, *others))
    slots: list[Slot] = []
    for argument in (a for a in tool.arguments if a.role is not Role.TARGET):
        named = labelled(argument, wide.figures, clause, heard) if argument.role is Role.NUMBER else ()
        said = wide if argument.required or named else own
        slot = _slot(argument, tool, said)
        if slot.required or _worth(slot, tool, said):
            told = len(slot.choices) == 1 and any(f.span.overlaps(clause.span) for f in named)
            slots.append(replace(slot, required=True) if told else slot)
    return in_order(slots)


def _slot(argument: Argument, tool: ToolSpec, said: _Said) -> Slot:
    schema = argument.schema
    told = _told(argument, said.clause)
    match argument.role:
        case role if told or role is Role.NUMBER:
            return _plain(argument, choices=told or _numbers(argument, tool, said))
        case Role.OPTION:
            return _plain(argument, choices=_options(argument, schema, said, tool))
        case Role.TIME if times := tuple(_times(argument, said)):
            return _plain(argument, choices=times)
        case _ if schema.get("type") == "array":
            return _list(argument, tool, said)
        case _ if schema.get("type") == "boolean":
            choices = yes_or_no(argument, said.clause, said.heard)
            return _plain(argument if choices else replace(argument, role=Role.FREE), choices=choices)
        case _:
            return _plain(replace(argument, role=Role.FREE))


def _plain(argument: Argument, *, choices: tuple[Choice, ...] = ()) -> Slot:
    return Slot(argument=argument, choices=choices, required=argument.required)


def _list(argument: Argument, tool: ToolSpec, said: _Said) -> Slot:
    """Return a slot for a list of options or numbers; what it holds otherwise only its schema tells."""
    items = argument.schema.get("items")
    held: JsonObject = items if isinstance(items, Mapping) else {}
    choices: tuple[Choice, ...] = ()
    if "enum" in held:
        if every := all_of(texts_of(held.get("enum")), said.clause, said.heard):
            return _plain(argument, choices=every)
        choices = _options(argument, held, said, tool)
    elif mark := mark_of(argument):
        if marked := _marked(mark, said.clause):
            return _plain(argument, choices=(marked,))
    elif held.get("type") in MANY:
        about = stems(f"{argument.name} {argument.description}")
        inside = (f for f in said.figures if _fits(f, held) and not _counts(f, about, said.heard.text))
        choices = tuple(_number(f, held, listed=True) for f in inside)
    return Slot(argument=argument, choices=choices, required=argument.required, several=True)


def _marked(mark: str, clause: Clause) -> Choice | None:
    """Return the words of a clause that begin with a mark, as one list."""
    hits = list(re.finditer(rf"(?<!\w){re.escape(mark)}\w+", clause.text))
    if not hits:
        return None
    words = [m[0] for m in hits]
    at = clause.span.start
    span = Span(start=at + hits[0].start(), end=at + hits[-1].end())
    return Choice(label=" ".join(words), value=words, span=span)


def _worth(slot: Slot, tool: ToolSpec, said: _Said) -> bool:
    """Return True for an optional argument that the words may speak of: by its name, an option, or a value to spare."""
    match slot.argument.role:
        case Role.OPTION | Role.TIME:
            return bool(slot.choices)
        case _ if slot.argument.schema.get("x-form"):
            return False
        case Role.NUMBER:
            open_ = (a for a in tool.arguments if a.required and not _told(a, said.clause))
            enough = len(said.figures) > sum(a.role is Role.NUMBER for a in open_)
            spent = any(True for _ in spans_of_time(said.clause, said.heard, slot.argument))
            named = labelled(slot.argument, said.figures, said.clause, said.heard)
            return bool(slot.choices) and (enough or spent or bool(named or _told(slot.argument, said.clause)))
        case _ if slot.choices and (slot.several or mark_of(slot.argument)):
            return True
    if slot.argument.schema.get("type") == "boolean":
        whole = stems(said.heard.text)  # it may be said once for all parts
        return is_spoken_of(slot.argument, tool, whole) or is_named(slot.argument, whole)
    text = slot.argument.schema.get("type") == "string" and not slot.several
    return (text and said.names > 0) or is_spoken_of(slot.argument, tool, said.stems)


def _fits(figure: Figure, schema: JsonObject) -> bool:
    return schema.get("type") != "integer" or figure.value.is_integer()


def _counts(figure: Figure, about: frozenset[str], text: str) -> bool:
    """Return True for a number word before what a list holds: "the two numbers" says how many there are."""
    word = text[figure.span.start : figure.span.end]
    after = WORD.match(text[figure.span.end :].lstrip())
    return not word[-1:].isdigit() and after is not None and not about.isdisjoint(stems(after[0]))


def _number(figure: Figure, schema: JsonObject, *, listed: bool = False) -> Choice:
    """Return a choice; an item of a list of floats is written as one, since nothing else tells its type."""
    float_item = listed and schema.get("format") in {"float", "double"}
    final = figure.value if float_item or not figure.value.is_integer() else int(figure.value)
    return Choice(label=f"{final!r}", value=final, span=figure.span)


def _numbers(argument: Argument, tool: ToolSpec, said: _Said) -> tuple[Choice, ...]:
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
        if _fits(figure, argument.schema):
            found.setdefault(figure.value, _number(figure, argument.schema))
    if argument.required and not named:
        for digits in DIGITS.findall(argument.description):
            told = Figure(float(digits), Span(start=0, end=0))
            if _fits(told, argument.schema):
                choice = _number(told, argument.schema)
                found.setdefault(told.value, Choice(label=choice.label, value=choice.value, score=OPEN_SCORE))
    return tuple(found.values())


def _is_ended(said: _Said) -> bool:
    """Return True if a clause says "off" or "close", and no number of its own says how far."""
    ways = frozenset(said.clause.directions)
    own = any(f.span.overlaps(said.clause.span) for f in said.figures)
    return not own and bool(ways & _ENDS) and not ways & _BEGINS


def _times(argument: Argument, said: _Said) -> Iterable[Choice]:
    """Yield the heard times in the shape that the argument wants."""
    form = str(argument.schema.get("x-form") or "%Y-%m-%d")
    heard = moments(said.clause, said.heard)
    if argument.required and not heard:
        heard = tuple(m for clause in said.heard.clauses for m in moments(clause, said.heard))
    days = any(not isinstance(moment, datetime) for moment, _ in heard)  # then a time of the clock tells no day
    seen: set[str] = set()
    for moment, span in heard:
        clock = isinstance(moment, datetime)
        if ("%d" not in form and not clock) or ("%H" not in form and clock and days):
            continue
        written = moment.strftime(form)
        if written not in seen:
            yield Choice(label=written, value=written, span=span)
        seen.add(written)


def _options(argument: Argument, schema: JsonObject, said: _Said, tool: ToolSpec) -> tuple[Choice, ...]:
    """Return the options that were said, else all where one is needed, or where it is yes or no and spoken of."""
    options = texts_of(schema.get("enum"))
    found = [Choice(label=o, value=o, span=s) for o in options if (s := _place(o, said.clause))]
    if not found:
        found = [Choice(label=o, value=o, span=s) for o in options if (s := _like(o, options, said.clause))]
    if not found and all(subtag(o) for o in options):
        found = list(of_the_tongue(options, said.clause))
    if not found and argument.required:
        found = list(of_the_way(options, said.clause, said.heard))
    yes_or_no = {"true", "false"} <= {o.lower() for o in options} and is_spoken_of(argument, tool, said.stems)
    if found or not (argument.required or yes_or_no):
        return tuple(found)
    return tuple(Choice(label=o, value=o, score=OPEN_SCORE) for o in options)


def _like(option: str, options: Sequence[str], clause: Clause) -> Span | None:
    """Return where a word of an option that none of the others has was said, in another form."""
    own = stems(option) - stems(" ".join(o for o in options if o != option))
    hit = next((m for m in WORD.finditer(clause.text) if not own.isdisjoint(stems(m[0]))), None)
    at = clause.span.start
    return None if hit is None else Span(start=hit.start() + at, end=hit.end() + at)


def _told(argument: Argument, clause: Clause) -> tuple[Choice, ...]:
    """Return the one number that a description gives for words that were said: "'2' for ironing"."""
    if argument.schema.get("type") not in MANY:
        return ()
    enum = argument.schema.get("enum")
    coded = told_codes(argument.description)
    told = {code: words for code, words in coded if not isinstance(enum, Sequence) or int(code) in enum}
    found = {code: s for code, words in told.items() if (s := _like(words, tuple(told.values()), clause))}
    found = found or _not_nothing(argument.description, clause)
    if len(found) != 1:
        return ()
    ((code, span),) = found.items()
    return (Choice(label=code, value=int(code), span=span),)


def _not_nothing(description: str, clause: Clause) -> dict[str, Span]:
    """Return the number of two of which the other denies: of "not pressed" and "fully pressed" what "press" says."""
    meant = told_opposites(description)
    at = None if meant is None or DIGITS.search(clause.text) else _like(meant[1], (meant[1],), clause)
    return {} if meant is None or at is None else {meant[0]: at}


def _place(option: str, clause: Clause) -> Span | None:
    hits = word_hits([option.replace("_", " ").lower()], clause.text)
    at = clause.span.start
    return Span(start=hits[0].start + at, end=hits[0].end + at) if hits else None
