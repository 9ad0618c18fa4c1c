"""How well one tool fits the words of one clause, and what it could be called with."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from botpsy_core.catalog.agreement import NEARLY_SAID, SAID, agreement_of
from botpsy_core.catalog.amounts import time_choices
from botpsy_core.catalog.complaints import Answer, answers
from botpsy_core.catalog.foreign import only_schema
from botpsy_core.catalog.foreign_slots import foreign_slots
from botpsy_core.catalog.foreign_ways import is_another, only_switches
from botpsy_core.catalog.slots import Filling, Words, fill, is_for_others
from botpsy_core.catalog.texts import WORD
from botpsy_core.domain.heard import TIMES, Clause, Mood, Span, Value, ValueKind, covered_by
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import Direction, Role, ToolSpec

ALIKE = 0.3
"""The likeness from which a tool stays in though nothing else speaks for it."""
NAMED = 0.8
"""The score from which a thing was named and not just its kind."""
FLOOR = 1.0
"""The fit below which likeness alone does not keep a tool in."""
_ANSWERING: Mapping[Answer, float] = {Answer.BEST: SAID, Answer.GOOD: NEARLY_SAID, Answer.NONE: -1.0}
"""The agreement of a tool with a complaint."""
TELLING = frozenset({Direction.SEND})
"""What is said of reading as well: "tell me what is on the list"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """One tool, as this clause could call it."""

    offered: OfferedTool
    fit: float
    """How well words and tool agree; only the order matters."""
    valued: int
    """How many values the words give it, besides the things that it acts on."""
    strength: int
    """3 where the tool's own words or its very direction were said, down to 0 where it has own words and none was."""
    cued: bool | None
    """Whether the tool's own words were said; None for a tool that has none."""
    named: bool
    """True if a thing that the tool acts on was named."""
    said: frozenset[int] = frozenset()
    """Which characters of the words are the tool's own."""

    @property
    def foreign(self) -> bool:
        """Return True for a tool that we did not write, of which only its schema is known."""
        return only_schema(self.offered.tool)


def measure(tool: ToolSpec, alike: float, words: Words) -> Fit | None:
    """Return how the tool fits, or None where nothing in the words speaks for it or they say the opposite."""
    if only_schema(tool):
        return _by_likeness(tool, alike, words)
    filling, clause = fill(tool, words), words.clause
    if tool.read_only and not tool.arguments_of(Role.TIME):
        now = tuple(v.span for v in clause.values if v.kind is ValueKind.TIME and v.value == words.today)
        filling = replace(filling, given=(*filling.given, *now))
    if clause.complaint is not None and not clause.directions and not tool.read_only:
        answer = answers(clause.complaint, tool, filling, words)
        agreement = None if answer is Answer.WORSE else _ANSWERING[answer]
    else:
        agreement = agreement_of(tool, filling, clause)
    if agreement is None or is_for_others(tool, words) or not _is_tied(tool, filling, clause, agreement, alike):
        return None
    if _is_elsewhere(filling, clause):
        return None
    later = [] if tool.read_only else _times_left(filling, clause)
    if later and not (words.later and tool.delayable and [v.kind for v in later] == [ValueKind.TIME]):
        return None
    at = tuple(choice for value in later for choice in time_choices(value, words.heard, part="start"))
    spans = tuple(v.span for v in later)
    filling = replace(filling, taken=(*filling.taken, *spans), given=(*filling.given, *spans))
    left = _unexplained(filling, clause)
    if tool.read_only and filling.cued and clause.mood is Mood.QUESTION and (filling.named or tool.untrusted_result):
        left = [s for s in left if s not in clause.unexplained]  # what is looked for in what was named, or in its texts
    fit = agreement + 2 * alike - sum(0.7 if s in clause.unexplained else 1.5 for s in left) + _grounds(tool, filling)
    if fit < FLOOR and not (filling.named or filling.cued or agreement == SAID):
        return None
    offered = OfferedTool(
        tool=tool,
        slots=filling.slots,
        score=round(1 - (1 - alike) * (1 - _evidence(agreement, filling)), 4),
        missing=filling.missing,
        at=at,
        whole=not left and filling.sure and _is_asked_for(tool, filling, agreement, clause),
    )
    return Fit(
        offered=offered,
        fit=fit,
        valued=_valued(filling, clause),
        strength=_strength(tool, filling, agreement),
        cued=filling.cued if tool.cues else None,
        named=filling.named,
        said=frozenset(at for s in filling.cues for at in range(s.start, s.end)),
    )


def _by_likeness(tool: ToolSpec, alike: float, words: Words) -> Fit | None:
    """Return the fit of a tool of which only schema and text are known; the model says whether it is meant.

    None for a tool of another thing than the one of two that was said, and for a mere switch where a value was.
    """
    if is_another(tool, words.clause.text) or only_switches(tool, words.clause, words.heard):
        return None
    slots = tuple(foreign_slots(tool, clause=words.clause, heard=words.heard))
    missing = tuple(s.argument.name for s in slots if s.required and s.argument.role is Role.NUMBER and not s.choices)
    offered = OfferedTool(tool=tool, slots=slots, score=round(alike, 4), missing=missing)
    return Fit(offered=offered, fit=2 * alike, valued=0, strength=0, cued=None, named=False)


def _is_tied(tool: ToolSpec, filling: Filling, clause: Clause, agreement: float, alike: float) -> bool:
    """Return True if the words speak for the tool: by its thing, its own words, its direction, its time, or likeness.

    A tool that takes any text would fit any sentence, so that a thing named in passing is not enough for it.
    """
    if filling.cued or (agreement == SAID and filling.named):
        return tool.target is None or filling.named or not clause.targets
    timed = any(s.required and s.choices and s.argument.role is Role.TIME for s in filling.slots)
    if agreement == SAID and timed and not clause.targets:
        return True
    if filling.named:
        takes_text = any(a.required for a in tool.arguments_of(Role.TEXT))
        return not takes_text or alike >= ALIKE
    if tool.target is not None and clause.targets:
        return False
    return alike >= ALIKE or (agreement == SAID and not tool.cues)


def _times_left(filling: Filling, clause: Clause) -> list[Value]:
    """Return the heard times that the tool has no argument for: what is to be done then must not be done now."""
    return [v for v in clause.values if v.kind in TIMES and not covered_by(v.span, filling.given)]


def _is_asked_for(tool: ToolSpec, filling: Filling, agreement: float, clause: Clause) -> bool:
    """Return True if the words name the tool's thing or use its own words, and its act is what they ask for."""
    if tool.target is not None and not filling.named:
        return False
    if agreement >= NEARLY_SAID:
        return filling.named or filling.cued
    if not tool.read_only:
        return (
            filling.cued
            and tool.direction is None
            and Direction.SEND not in clause.directions  # "tell Anna that the milk is bought" does nothing to the milk
            and (clause.mood is Mood.COMMAND or _is_terse(tool, filling, clause))
        )
    if clause.mood is not Mood.QUESTION and not TELLING.issuperset(clause.directions):
        return False
    return filling.cued or (filling.named and not tool.cues)


def _is_terse(tool: ToolSpec, filling: Filling, clause: Clause) -> bool:
    """Return True for "pizza timer 12 minutes", all about a tool of no thing; "the timer was long" tells of it."""
    if tool.arguments_of(Role.TARGET):
        return True
    spans = [
        Span(start=m.start() + clause.span.start, end=m.end() + clause.span.start) for m in WORD.finditer(clause.text)
    ]
    return sum(not covered_by(s, (*filling.taken, *filling.cues)) for s in spans) <= 1


def _grounds(tool: ToolSpec, filling: Filling) -> float:
    """Return what speaks for the tool besides direction and likeness, less what is missing."""
    groups = max((len(g) for g in tool.cues.values()), default=0)
    grounds = 1.0 + groups if filling.cued else -1.5 if groups else 0.0
    grounds += 2.0 if filling.named else 0.5 if filling.implied else 0.0
    for slot in filling.slots:
        missing = slot.argument.name in filling.missing
        if slot.argument.role is Role.TARGET:
            grounds -= 2.0 if missing else 0.0
        elif slot.required:
            grounds += -3.0 if missing else 2.0 if filling.sure else 0.0
    return grounds


def _evidence(agreement: float, filling: Filling) -> float:
    """Return how sure the words are of the tool without any likeness of texts, 0 to 0.9."""
    doubt = 0.6 if agreement >= NEARLY_SAID else 1.0
    doubt *= 0.6 if filling.cued else 1.0
    doubt *= 0.6 if filling.named else 1.0
    doubt *= 0.7 if any(s.choices and s.argument.role is not Role.TARGET for s in filling.slots) else 1.0
    return min(0.9, 1 - doubt) if not filling.missing else (1 - doubt) / 2


def _strength(tool: ToolSpec, filling: Filling, agreement: float) -> int:
    if filling.cued or (agreement == SAID and not tool.cues):
        return 3
    if agreement == SAID:
        return 2
    return 0 if tool.cues else 1


def _valued(filling: Filling, clause: Clause) -> int:
    """Count the arguments that have a value of their own words; a word that names a thing is no option."""
    named = [t.span for t in clause.targets if t.span]
    count = 0
    for slot in filling.slots:
        spans = [c.span for c in slot.choices if c.span]
        if slot.argument.role is Role.OPTION:
            spans = [s for s in spans if not covered_by(s, named)]
        count += slot.argument.role is not Role.TARGET and bool(spans)
    return count


def _unexplained(filling: Filling, clause: Clause) -> list[Span]:
    """Return the spans that mean something and that the tool makes no sense of; overlapping targets count once.

    A value must be an argument's, a named thing the target's or a text's; only loose words may be the tool's own. A
    thing that a verb or the talk so far implies has no words: the whole clause is about it.
    """
    left = [v.span for v in clause.values if not covered_by(v.span, filling.given)]
    for target in clause.targets:
        if target.span and not covered_by(target.span, [*filling.taken, *left]):
            left.append(target.span)
    if not filling.named and any(t.span is None for t in clause.targets):
        left.append(clause.span)
    loose = (*filling.taken, *filling.cues, *left)
    return left + [s for s in clause.unexplained if not covered_by(s, loose)]


def _is_elsewhere(filling: Filling, clause: Clause) -> bool:
    """Return True if a thing was named that the tool cannot act on, while its own things were not."""
    named = [t.span for t in clause.targets if t.span and t.score >= NAMED]
    return filling.implied and any(not covered_by(span, filling.taken) for span in named)
