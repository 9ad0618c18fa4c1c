"""The shortlist: which tools a clause can mean, and what each could be called with."""

from collections.abc import Sequence

from botpsy_core.catalog.fit import Fit, measure
from botpsy_core.catalog.foreign import only_schema
from botpsy_core.catalog.likeness import likeness
from botpsy_core.catalog.places import Things
from botpsy_core.catalog.slots import Words
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.heard import Clause, Heard, How, Mood
from botpsy_core.domain.home import Home
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.tools import Role, ToolSpec

MOST_TOOLS = 16
"""Tools in one offer; a longer list costs tokens and a small model's attention."""
FEWEST_TOOLS = 4
MARGIN = 4.0
"""How far behind the best a tool's fit may be to stay in the offer."""
MUTE_MOODS = frozenset({Mood.ASSENT, Mood.DENIAL, Mood.THANKS})
NAMED = frozenset({How.NAME, How.ALIAS, How.FUZZY, How.PLACE})


def shortlist(
    clause: Clause,
    *,
    heard: Heard,
    tools: Sequence[ToolSpec],
    home: Home,
    context: TurnContext,
    later: bool = False,
) -> Offer:
    """Return the tools that the clause can mean, best first; a question gets read-only tools and nothing else.

    Where one tool explains every word and no other does, it stands alone; where words stay unexplained, the list
    widens. An argument for which nothing was heard is in `missing`; a value out of range stays a choice. A tool that
    acts is not offered where a time was said that is none of its arguments, unless it is delayable and the caller can
    put it off (`later`): then `at` says until when.
    """
    pool = _pool(clause, tools, context)
    if not pool:
        return Offer()
    words = Words(
        clause=clause, heard=heard, things=Things.of(home, context), today=context.now.date().isoformat(), later=later
    )
    alike = likeness(_own_words(clause), pool, heard.language)
    fits = [f for tool, like in zip(pool, alike, strict=True) if (f := measure(tool, like, words))]
    own = _selected(sorted((f for f in fits if not f.foreign), key=_order))
    foreign = [f for f in fits if f.foreign]
    return Offer(tools=tuple(f.offered for f in sorted([*own, *foreign], key=_order)[:MOST_TOOLS]))


def _order(fit: Fit) -> tuple[float, str]:
    return -fit.fit, fit.offered.tool.name


def _pool(clause: Clause, tools: Sequence[ToolSpec], context: TurnContext) -> list[ToolSpec]:
    if clause.mood in MUTE_MOODS:
        return []
    allowed = [t for t in tools if context.tools is None or t.name in context.tools]
    if clause.mood is not Mood.QUESTION:
        return allowed
    return [t for t in allowed if t.read_only or only_schema(t)]  # "could you buy ..." is a question only in form


def _own_words(clause: Clause) -> str:
    """Return the clause without the names of things, which say nothing about the tool."""
    text = list(clause.text)
    for target in clause.targets:
        if target.span and target.how in NAMED:
            start, end = target.span.start - clause.span.start, target.span.end - clause.span.start
            text[start:end] = " " * (end - start)
    return "".join(text)


def _selected(fits: list[Fit]) -> list[Fit]:
    """Return the tools worth offering: all whole ones of the strongest kind, else the best and what is near."""
    wholes = [f for f in fits if f.offered.whole]
    if not wholes:
        best = fits[0].fit if fits else 0.0
        near = [f for i, f in enumerate(fits) if i < FEWEST_TOOLS or f.fit >= best - MARGIN]
        return _without_silent(near)
    best_rank = max(_rank(f) for f in wholes)
    kept = _most_said([f for f in wholes if _rank(f) == best_rank])
    return [f for f in fits if f in kept or (not f.offered.whole and _may_beat(f, kept[0]))]


def _rank(fit: Fit) -> tuple[bool, int, int]:
    """Return what makes one whole tool better: it can be called, it takes more values, its act was said."""
    return not fit.offered.missing, fit.valued, fit.strength


def _most_said(fits: list[Fit]) -> list[Fit]:
    """Return the fits without a tool whose words say less.

    Another's words hold them all and more ("muted" in "no longer muted"), or both act on no thing and the other's are
    longer.
    """
    longer = [f for f in fits if not any(f.said and f.said < other.said for other in fits)]
    most = max((len(f.said) for f in longer if _is_alone(f)), default=0)
    return [f for f in longer if len(f.said) == most or not _is_alone(f)]


def _is_alone(fit: Fit) -> bool:
    """Return True for a tool that acts on no thing of the home."""
    tool = fit.offered.tool
    return tool.target is None and not tool.arguments_of(Role.TARGET)


def _may_beat(fit: Fit, whole: Fit) -> bool:
    """Return True if a tool that leaves words over may be meant all the same; not where they are another's own."""
    if _is_alone(whole) and not fit.named:
        return False
    return fit.fit > whole.fit or (fit.strength > whole.strength and not fit.offered.missing)


def _without_silent(fits: list[Fit]) -> list[Fit]:
    """Drop tools whose own words were not said, where the best tool's own words were said of a named thing."""
    if not fits or not (fits[0].cued and fits[0].named):
        return fits
    return [f for f in fits if f.cued is not False]
