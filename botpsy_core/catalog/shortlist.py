"""The shortlist: which tools a clause can mean, and what each could be called with."""

from collections.abc import Sequence
from dataclasses import dataclass

from botpsy_core.catalog.foreign import FOREIGN
from botpsy_core.catalog.likeness import likeness
from botpsy_core.catalog.places import Things
from botpsy_core.catalog.slots import Filling, Words, fill
from botpsy_core.catalog.texts import covered_by
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard, How, Mood, Span
from botpsy_core.domain.home import Home
from botpsy_core.domain.offer import Offer, OfferedTool
from botpsy_core.domain.tools import OPPOSITES, Direction, Role, ToolSpec

MOST_TOOLS = 16
"""Tools in one offer; a longer list costs tokens and a small model's attention."""
FEWEST_TOOLS = 4
MARGIN = 4.0
"""How far behind the best a tool's fit may be to stay in the offer."""
ALIKE = 0.3
"""The likeness from which a tool stays in though nothing else speaks for it."""
BY_VALUE = 2.5
"""The agreement of a tool that sets a value, with words that say which way to go."""
SAID_ENOUGH = 2.0
"""The agreement from which the words say which way to go."""
KIN: tuple[frozenset[Direction], ...] = (
    frozenset({Direction.OPEN, Direction.UP}),
    frozenset({Direction.CLOSE, Direction.DOWN}),
    frozenset({Direction.ON, Direction.START}),
    frozenset({Direction.OFF, Direction.STOP}),
)
"""Ways to say nearly the same of different things: blinds go up or are opened."""
SET_TO = frozenset({Direction.ON, Direction.UP, Direction.DOWN, Direction.OPEN, Direction.CLOSE, Direction.START})
"""Ways that a value may end: "dim to 30 percent", "open half"."""
MUTE_MOODS = frozenset({Mood.ASSENT, Mood.DENIAL, Mood.THANKS})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    offered: OfferedTool
    fit: float
    """How well words and tool agree; only the order matters."""
    strength: int
    """2 where the tool's own words or its very direction were said, else 1."""

    def rival(self, strongest: int) -> bool:
        """Return True if the tool's very act was said of a named thing, and no whole tool can claim that."""
        return strongest < self.strength and bool(self.offered.slots) and not self.offered.missing


def shortlist(clause: Clause, *, heard: Heard, tools: Sequence[ToolSpec], home: Home, context: TurnContext) -> Offer:
    """Return the tools that the clause can mean, best first; a question gets read-only tools and nothing else.

    Where one tool explains every word and no other does, it stands alone; where words stay unexplained, the list
    widens. An argument for which nothing was heard is in `missing`; a value out of range stays a choice.
    """
    pool = _pool(clause, tools, context)
    if not pool:
        return Offer()
    words = Words(clause=clause, heard=heard, things=Things.of(home, context))
    alike = likeness(_own_words(clause), pool, heard.language)
    fits = [f for tool, like in zip(pool, alike, strict=True) if (f := _fit(tool, like, words))]
    fits.sort(key=lambda f: (-f.fit, f.offered.tool.name))
    return Offer(tools=tuple(f.offered for f in _selected(fits)))


def _pool(clause: Clause, tools: Sequence[ToolSpec], context: TurnContext) -> list[ToolSpec]:
    if clause.mood in MUTE_MOODS:
        return []
    allowed = [t for t in tools if context.tools is None or t.name in context.tools]
    return [t for t in allowed if t.read_only] if clause.mood is Mood.QUESTION else allowed


def _own_words(clause: Clause) -> str:
    """Return the clause without the names of things, which say nothing about the tool."""
    text = list(clause.text)
    for target in clause.targets:
        if target.span and target.how in {How.NAME, How.ALIAS, How.FUZZY, How.PLACE}:
            start, end = target.span.start - clause.span.start, target.span.end - clause.span.start
            text[start:end] = " " * (end - start)
    return "".join(text)


def _fit(tool: ToolSpec, like: float, words: Words) -> _Fit | None:
    filling = fill(tool, words)
    clause = words.clause
    agreement = _agreement(tool, filling, clause)
    foreign = tool.binding.get("kind") == FOREIGN
    if agreement is None or not (foreign or _tied(tool, filling, agreement, like)):
        return None
    left = [s for s in _content_spans(clause) if not covered_by(s, filling.explained)]
    fit = agreement + 2 * like - sum(_weight(s, clause) for s in left)
    fit += 2.0 if filling.cued else -1.5 if tool.cues else 0.0
    fit += 2.0 if filling.named else 0.5 if filling.implied else 0.0
    filled = [s for s in filling.slots if s.required and s.argument.role is not Role.TARGET]
    fit += sum(-3.0 if s.argument.name in filling.missing else 2.0 for s in filled)
    fit -= 2.0 * sum(s.argument.role is Role.TARGET and s.argument.name in filling.missing for s in filling.slots)
    whole = not left and not filling.missing and _asked_for(tool, filling, agreement, clause)
    score = 1 - (1 - like) * (1 - _evidence(agreement, filling))
    offered = OfferedTool(tool=tool, slots=filling.slots, score=round(score, 4), missing=filling.missing, whole=whole)
    said = filling.cued or (agreement > BY_VALUE and not tool.cues)
    return _Fit(offered=offered, fit=fit, strength=2 if said else 1)


def _tied(tool: ToolSpec, filling: Filling, agreement: float, like: float) -> bool:
    """Return True if the words speak for the tool: by its thing, its own words, its direction, or by likeness."""
    if filling.named or filling.cued or like >= ALIKE:
        return True
    return not tool.cues and agreement >= SAID_ENOUGH


def _asked_for(tool: ToolSpec, filling: Filling, agreement: float, clause: Clause) -> bool:
    """Return True if the words name the tool's thing or use its own words, and its act is what they ask for."""
    if agreement >= SAID_ENOUGH:
        return filling.named or filling.cued
    if not tool.read_only:
        return filling.cued and tool.direction is None
    asking = clause.mood is Mood.QUESTION or not clause.directions
    return filling.cued or (filling.named and asking and not tool.cues)


def _agreement(tool: ToolSpec, filling: Filling, clause: Clause) -> float | None:
    """Return how well the tool's direction agrees with the words, or None where they say the opposite."""
    own, said = tool.direction, frozenset(clause.directions)
    if own is None or not said:
        return 0.5 if not said else 0.0
    if own in said:
        return 3.0
    kin = next((k for k in KIN if own in k), frozenset({own}))
    if kin & said:
        return 2.0
    if any(OPPOSITES.get(k) in said for k in kin):
        return None
    if own is Direction.SET and said <= SET_TO and not filling.missing:
        return BY_VALUE
    return -1.0


def _evidence(agreement: float, filling: Filling) -> float:
    """Return how sure the words are of the tool without any likeness of texts, 0 to 0.9."""
    doubt = 0.6 if agreement >= SAID_ENOUGH else 1.0
    doubt *= 0.6 if filling.cued else 1.0
    doubt *= 0.6 if filling.named else 1.0
    doubt *= 0.7 if any(s.choices and s.argument.role is not Role.TARGET for s in filling.slots) else 1.0
    return min(0.9, 1 - doubt) if not filling.missing else (1 - doubt) / 2


def _content_spans(clause: Clause) -> list[Span]:
    """Return every span that a tool should make sense of, overlapping targets as one."""
    spans = [v.span for v in clause.values] + list(clause.unexplained)
    for target in clause.targets:
        if target.span and not covered_by(target.span, spans):
            spans.append(target.span)
    return spans


def _weight(span: Span, clause: Clause) -> float:
    return 0.7 if span in clause.unexplained else 1.5


def _selected(fits: list[_Fit]) -> list[_Fit]:
    foreign = [f for f in fits if f.offered.tool.binding.get("kind") == FOREIGN]
    own = [f for f in fits if f.offered.tool.binding.get("kind") != FOREIGN]
    wholes = [f for f in own if f.offered.whole]
    if wholes:
        strongest = max(f.strength for f in wholes)
        wholes = [f for f in wholes if f.strength == strongest]
        near = [f for f in own if f in wholes or (not f.offered.whole and f.fit > wholes[0].fit) or f.rival(strongest)]
    else:
        best = own[0].fit if own else 0.0
        near = [f for i, f in enumerate(own) if i < FEWEST_TOOLS or f.fit >= best - MARGIN]
    return sorted([*near, *foreign], key=lambda f: (-f.fit, f.offered.tool.name))[:MOST_TOOLS]
