"""Fill the arguments of a foreign tool, of which only the schema is known."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from botpsy_core.catalog.foreign_measures import labelled, spans_of_time
from botpsy_core.catalog.foreign_numbers import choice_of, fits, numbers_in, tells_how_many
from botpsy_core.catalog.foreign_options import MANY, options_in, told_number
from botpsy_core.catalog.foreign_pairs import in_order
from botpsy_core.catalog.foreign_said import Said
from botpsy_core.catalog.foreign_ways import all_of, yes_or_no
from botpsy_core.catalog.foreign_words import figures, is_named, is_spoken_of, moments, stems
from botpsy_core.catalog.options import mark_of
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.offer import Choice, Slot
from botpsy_core.domain.tools import Argument, Role, ToolSpec
from botpsy_core.domain.values import mapping_of, texts_of


def foreign_slots(tool: ToolSpec, *, clause: Clause, heard: Heard) -> list[Slot]:
    """Return the slots of a foreign tool's arguments; an optional one only where the words may have something for it.

    A part that says fewer numbers than the tool takes has those of the whole utterance too, for what it needs or names.
    Texts are written freely and traced to the words afterwards: words that a grammar forces cannot be told from words
    that were meant. An optional argument that this part names with one number ("three children") has to hold it.
    """
    own = wide = Said.of(clause, heard)
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


def _slot(argument: Argument, tool: ToolSpec, said: Said) -> Slot:
    schema = argument.schema
    told = told_number(argument, said.clause)
    match argument.role:
        case role if told or role is Role.NUMBER:
            return _plain(argument, choices=told or numbers_in(argument, tool, said))
        case Role.OPTION:
            return _plain(argument, choices=options_in(argument, schema, said, tool))
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


def _list(argument: Argument, tool: ToolSpec, said: Said) -> Slot:
    """Return a slot for a list of options or numbers; what it holds otherwise only its schema tells."""
    held = mapping_of(argument.schema.get("items"))
    choices: tuple[Choice, ...] = ()
    if "enum" in held:
        if every := all_of(texts_of(held.get("enum")), said.clause, said.heard):
            return _plain(argument, choices=every)
        choices = options_in(argument, held, said, tool)
    elif mark := mark_of(argument):
        if marked := _marked(mark, said.clause):
            return _plain(argument, choices=(marked,))
    elif held.get("type") in MANY:
        about = stems(f"{argument.name} {argument.description}")
        inside = (f for f in said.figures if fits(f, held) and not tells_how_many(f, about, said.heard.text))
        choices = tuple(choice_of(f, held, listed=True) for f in inside)
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


def _worth(slot: Slot, tool: ToolSpec, said: Said) -> bool:
    """Return True for an optional argument that the words may speak of: by its name, an option, or a value to spare."""
    match slot.argument.role:
        case Role.OPTION | Role.TIME:
            return bool(slot.choices)
        case _ if slot.argument.schema.get("x-form"):
            return False
        case Role.NUMBER:
            open_ = (a for a in tool.arguments if a.required and not told_number(a, said.clause))
            enough = len(said.figures) > sum(a.role is Role.NUMBER for a in open_)
            spent = any(True for _ in spans_of_time(said.clause, said.heard, slot.argument))
            named = labelled(slot.argument, said.figures, said.clause, said.heard)
            return bool(slot.choices) and (enough or spent or bool(named or told_number(slot.argument, said.clause)))
        case _ if slot.choices and (slot.several or mark_of(slot.argument)):
            return True
    if slot.argument.schema.get("type") == "boolean":
        whole = stems(said.heard.text)  # it may be said once for all parts
        return is_spoken_of(slot.argument, tool, whole) or is_named(slot.argument, whole)
    text = slot.argument.schema.get("type") == "string" and not slot.several
    return (text and said.names > 0) or is_spoken_of(slot.argument, tool, said.stems)


def _times(argument: Argument, said: Said) -> Iterable[Choice]:
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
