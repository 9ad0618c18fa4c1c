"""Fill a tool's arguments with what was heard: which values each may take, and what that leaves open."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from botpsy_core.catalog.amounts import value_choices
from botpsy_core.catalog.places import Things, everyone, implied_choices, own_choices, target_choices
from botpsy_core.catalog.texts import Text, text_in, words_in
from botpsy_core.domain.cues import beside, cue_hits, listed_words, word_hits
from botpsy_core.domain.heard import Clause, Heard, Span, Target, covered_by
from botpsy_core.domain.home import Entity
from botpsy_core.domain.offer import Choice, Slot
from botpsy_core.domain.tools import Argument, Direction, Role, ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """One tool's slots and what they explain."""

    slots: tuple[Slot, ...]
    missing: tuple[str, ...]
    named: bool
    """True if a thing that the tool acts on was named."""
    implied: bool
    """True if the tool's things were not named but follow from the tool itself."""
    cued: bool
    """True if the tool has words of its own and they were said, not just somewhere within a text."""
    taken: tuple[Span, ...]
    """Where in the utterance the words stand that its arguments come from, or that name its one thing."""
    given: tuple[Span, ...]
    """Of those, the words of values and texts."""
    cues: tuple[Span, ...]
    """Where its own words stand."""
    sure: bool = True
    """False where a text may not be exactly these words, or where it may be for somebody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the slots of one clause are filled from."""

    clause: Clause
    heard: Heard
    things: Things
    today: str = ""
    """The date; a state that is read now is that of today as well."""
    later: bool = False
    """True where the caller can put an act off to the time that was said."""
    found: dict[tuple[frozenset[str], bool], tuple[Choice, ...]] = field(default_factory=dict)
    """Named things by the kinds that are asked for, since many tools ask for the same."""

    def named(self, argument: Argument, *, reading: bool) -> tuple[Choice, ...]:
        """Return what was named and the argument takes."""
        key = (argument.kinds, reading)
        if key not in self.found:
            self.found[key] = target_choices(argument, self.clause, self.things, reading=reading)
        return self.found[key]

    def stands_right(self, argument: Argument, choice: Choice) -> bool:
        """Return True if one thing stands behind words that an argument asks for ("to the list"), or before some."""
        after, before = (listed_words(argument.schema, key, self.heard.language) for key in ("x-after", "x-before"))
        if not (after or before):
            return True
        if choice.span is None or not isinstance(choice.value, list) or len(choice.value) != 1:
            return False
        at, text = self.clause.span.start, self.clause.text
        head, tail = text[: choice.span.start - at], text[choice.span.end - at :]
        return _is_near(after, head, last=True) or _is_near(before, tail, last=False)

    def spans(self, groups: tuple[tuple[Span, ...], ...]) -> tuple[Span, ...]:
        """Return spans of the clause as spans of the utterance."""
        at = self.clause.span.start
        return tuple(Span(start=s.start + at, end=s.end + at) for group in groups for s in group)


def fill(tool: ToolSpec, words: Words) -> Filling:
    """Return the tool's slots, its target first."""
    groups = cue_hits(tool.cues, words.clause.text, words.heard.language)
    cued = bool(groups) and all(groups)
    cues = (*words.spans(groups), *_naming(tool, words))
    slots: dict[str, Slot] = {}
    for argument in tool.arguments_of(Role.TARGET):
        slots[argument.name] = _target_slot(argument, tool, words, cued=cued)
    meant = _meant(tuple(slots.values()), words)
    for argument in tool.arguments:
        if argument.role in {Role.NUMBER, Role.TIME, Role.DURATION, Role.OPTION}:
            slots[argument.name] = _value_slot(argument, tool, words, meant)
    texts = _fill_texts(tool, words, groups, slots)
    said = bool(groups) and all(any(not any(t.holds(s) for t in texts) for s in words.spans((g,))) for g in groups)
    filling = _filling(tool, slots, words, cues=cues, cued=said, texts=tuple(t.span for t in texts))
    addressed = tool.direction is not Direction.SEND or not filling.implied or all(t.marked for t in texts)
    return replace(filling, sure=addressed and all(t.sure for t in texts))


def _fill_texts(
    tool: ToolSpec, words: Words, groups: tuple[tuple[Span, ...], ...], slots: dict[str, Slot]
) -> list[Text]:
    """Add the text slots, the optional ones first, and return where their texts stand."""
    used = [s for slot in slots.values() for s in _spans(slot)]
    texts: list[Text] = []
    for argument in sorted(tool.arguments_of(Role.TEXT), key=lambda a: a.required):
        dictated = () if argument.required else _dictated(tool, words.clause)
        text = text_in(
            argument,
            clause=words.clause,
            language=words.heard.language,
            taken=[*used, *dictated, *(t.span for t in texts)],
            cues=(*_leading(words, groups, used), *_naming(tool, words)),
        )
        if text and not (text.sure or argument.required):
            text = None
        said = words_in(text.span, words.clause) if text else ""
        slots[argument.name] = Slot(argument=argument, words=said, required=argument.required)
        texts += [text] if text else []
    return texts


def _dictated(tool: ToolSpec, clause: Clause) -> tuple[Span, ...]:
    """Return where the message stands that is sent: its words are nothing but that."""
    set_off = tool.direction is Direction.SEND and clause.marked and clause.written is not None
    return (clause.written,) if set_off and clause.written else ()


def _filling(
    tool: ToolSpec,
    slots: Mapping[str, Slot],
    words: Words,
    *,
    cues: tuple[Span, ...],
    cued: bool,
    texts: tuple[Span, ...],
) -> Filling:
    given = tuple(s for slot in slots.values() if slot.argument.role is not Role.TARGET for s in _spans(slot))
    taken = (*(s for slot in slots.values() for s in _spans(slot)), *texts)
    ordered = sorted(slots.values(), key=lambda s: s.argument.role is not Role.TARGET)
    kept = tuple(s for s in ordered if s.choices or s.words or s.required or s.argument.role is Role.FREE)
    targets = [s for s in kept if s.argument.role is Role.TARGET]
    own = _own_targets(tool, words)
    spans = tuple(t.span for t in own if t.span)
    named = bool(own) or any(c.span or _is_reference(c, words) for s in targets for c in s.choices)
    return Filling(
        slots=kept,
        missing=tuple(
            s.argument.name for s in kept if (s.required and not _fillable(s)) or (not tool.read_only and _is_open(s))
        ),
        named=named,
        implied=bool(targets) and not named and any(s.choices for s in targets),
        cued=cued,
        taken=(*taken, *spans),
        given=(*given, *texts),
        cues=cues,
    )


def _own_targets(tool: ToolSpec, words: Words) -> tuple[Target, ...]:
    """Return the targets that are the one thing of this tool, or a part of it (`sensor.car_range` of `vehicle.car`)."""
    if tool.target is None:
        return ()
    slug = tool.target.partition(".")[2]
    return tuple(
        t
        for t in words.clause.targets
        if any(i == tool.target or i.partition(".")[2].startswith(f"{slug}_") for i in t.entities)
    )


def _fillable(slot: Slot) -> bool:
    return bool(slot.choices or slot.words) or slot.argument.role is Role.FREE


def _is_open(slot: Slot) -> bool:
    """Return True if words leave two values ("at eight", "to 20 or 22"): nobody but the user can tell."""
    if slot.argument.role not in {Role.TIME, Role.NUMBER, Role.DURATION}:
        return False
    spans = [c.span for c in slot.choices if c.span]
    return len(set(spans)) < len(spans) or (slot.argument.role is Role.NUMBER and len(set(spans)) > 1)


def _is_reference(choice: Choice, words: Words) -> bool:
    return choice.span is None and any(t.label == choice.label and t.span is None for t in words.clause.targets)


def _target_slot(argument: Argument, tool: ToolSpec, words: Words, *, cued: bool) -> Slot:
    choices = tuple(c for c in words.named(argument, reading=tool.read_only) if words.stands_right(argument, c))
    language = words.heard.language
    choices = choices or everyone(argument, words.clause, words.things, language)
    if not choices and argument.schema.get("x-implied") and (cued or not words.clause.targets):
        own = own_choices(argument, words.clause, words.things, language)
        choices = own or implied_choices(argument, words.things, reading=tool.read_only)
        if not argument.required and not tool.read_only:
            choices = choices[:1] if len(choices) == 1 else ()
    return Slot(argument=argument, choices=choices, required=argument.required)


def is_for_others(tool: ToolSpec, words: Words) -> bool:
    """Return True if words say those whom the tool cannot reach, and nobody whom it can."""
    text, language = words.clause.text, words.heard.language
    return any(
        word_hits(listed_words(a.schema, "x-not", language), text) and not words.named(a, reading=tool.read_only)
        for a in tool.arguments_of(Role.TARGET)
    )


def _is_near(listed: tuple[str, ...], text: str, *, last: bool) -> bool:
    """Return True if one of some words ends a text, an article aside, or begins it."""
    hits = word_hits(listed, text)
    if not hits:
        return False
    rest = text[max(hits, key=lambda s: s.end).end :] if last else text[: hits[0].start]
    return len(rest.split()) <= (1 if last else 0)


def _meant(slots: tuple[Slot, ...], words: Words) -> tuple[Entity, ...]:
    best = next((s.choices[0].value for s in slots if s.choices), [])
    ids = best if isinstance(best, list) else []
    return tuple(e for i in ids if (e := words.things.by_id.get(str(i))) is not None)


def _value_slot(argument: Argument, tool: ToolSpec, words: Words, meant: tuple[Entity, ...]) -> Slot:
    choices = value_choices(
        argument,
        words.clause.values,
        clause=words.clause,
        heard=words.heard,
        home_unit=words.things.home.temperature_unit,
        things=meant,
    )
    dictated = _dictated(tool, words.clause)
    choices = tuple(c for c in choices if c.span is None or not covered_by(c.span, dictated))
    labels = [c.label for c in choices]
    distinct = tuple(c for i, c in enumerate(choices) if c.label not in labels[:i])
    if tool.read_only:
        distinct = tuple(c for i, c in enumerate(distinct) if c.span not in [d.span for d in distinct[:i]])
    return Slot(argument=argument, choices=distinct, required=argument.required)


def _leading(words: Words, groups: tuple[tuple[Span, ...], ...], used: list[Span]) -> tuple[Span, ...]:
    """Return the first hit of each group of cues; the other hits may be a part of the text ("delete take out ...").

    A group that another argument's words hit needs no other hit.
    """
    hits = [words.spans((group,)) for group in groups if group]
    return tuple(spans[0] for spans in hits if not any(covered_by(s, used) for s in spans))


def _naming(tool: ToolSpec, words: Words) -> tuple[Span, ...]:
    """Return where words stand that name an argument ("volume", "brightness")."""
    text, language = words.clause.text, words.heard.language
    arguments = [a for a in tool.arguments if a.role is not Role.OPTION]
    return words.spans(tuple(beside(a.schema, text, language) for a in arguments))


def _spans(slot: Slot) -> list[Span]:
    """Return the words behind a slot's choices; of a value that has none, nothing."""
    return [c.span for c in slot.choices if c.span]
