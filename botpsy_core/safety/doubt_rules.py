"""The gate's rules about doubt: whether the act is wanted at all, and whether it is the user who wants it."""

from botpsy_core.domain.verdicts import Ask, AskKind, Reason
from botpsy_core.safety.case import Case, Finding
from botpsy_core.safety.coverage import is_spoken_of
from botpsy_core.safety.grounding import Agreement
from botpsy_core.safety.value_rules import invented, misfit, missing, wrong


def hedged(case: Case) -> Finding:
    """Ask where it was left open whether the act is wanted: "maybe turn on the lamp"."""
    return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED) if case.clause.hedged else None


def taint(case: Case) -> Finding:
    """After somebody else's text entered the turn, want tool and target in the user's own words."""
    if not case.evidence.tainted:
        return None
    grounding = case.grounding
    act_said = grounding.cued or grounding.direction is Agreement.SAID
    if case.only_schema:
        act_said = is_spoken_of(case.spec, case.heard)
    thing_said = not case.targets or (grounding.target is not None and not grounding.strays)
    if act_said and thing_said and not grounding.ungrounded:
        return None
    return case.refuse(Reason.TAINTED)


def certain(case: Case) -> Finding:
    """Weigh everything that is known: far too little refuses, a little too little asks.

    A foreign read that code made is no guess to be weighed: a lookup for the call that was asked for.
    """
    if case.only_schema and case.evidence.by_code and not case.writes:
        return None
    if case.certainty < case.rule.refuse_below:
        return None if _is_only_incomplete(case) else case.refuse(Reason.NO_SUITABLE_TOOL)
    if case.certainty < case.rule.ask_below:
        return case.ask(AskKind.CONFIRM, Reason.UNGROUNDED)
    return None


def _is_only_incomplete(case: Case) -> bool:
    """Return True for a foreign tool that was meant and of which a value is asked for: nothing happens before that."""
    if not case.only_schema or case.relevance < case.rule.refuse_below:
        return False
    return any(isinstance(rule(case), Ask) for rule in (misfit, invented, missing, wrong))
