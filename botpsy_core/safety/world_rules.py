"""The gate's rules about rights, the world, and what a call needs first."""

from datetime import datetime

from botpsy_core.domain.tools import Risk
from botpsy_core.domain.verdicts import AskKind, Reason
from botpsy_core.safety.case import Case, Finding
from botpsy_core.safety.policy import EntityRule, ToolRule, stricter


def offered(case: Case) -> Finding:
    """Let only a tool that was on offer be called."""
    if case.call.name != case.spec.name or (case.offered is None and not case.wordless):
        return case.refuse(Reason.NO_SUITABLE_TOOL)
    if case.context.tools is not None and case.spec.name not in case.context.tools:
        return case.refuse(Reason.NOT_ENABLED)
    return None


def enabled(case: Case) -> Finding:
    """Refuse what the owner has not switched on."""
    tool = case.policy.tools.get(case.spec.name)
    own: list[EntityRule | ToolRule] = [case.policy.entities[i] for i in case.targets if i in case.policy.entities]
    own += [] if tool is None else [tool]
    parts = [case.policy.entities[i] for i in case.moved if i in case.policy.entities]
    if any(rule.enabled is False for rule in (*own, *parts)):
        return case.refuse(Reason.NOT_ENABLED, why="the owner's rule")
    switched_on = case.rule.enabled or any(rule.enabled for rule in own)
    if case.stake.risk is Risk.FORBIDDEN or not switched_on or not case.readiness.enabled:
        return case.refuse(Reason.NOT_ENABLED, why=case.stake.why)
    return None


def exposed(case: Case) -> Finding:
    """Refuse what this agent may not see."""
    allowed = case.context.entities
    hidden = allowed is not None and not allowed.issuperset(case.targets)
    known = {e.id for e in case.entities}
    unknown = any(i not in known and i != case.spec.target for i in case.targets)
    if hidden or unknown or not case.readiness.exposed:
        return case.refuse(Reason.NOT_EXPOSED)
    return None


def permitted(case: Case) -> Finding:
    """Refuse what this user may not do, or not at this hour."""
    if not case.readiness.allowed:
        return case.refuse(Reason.NOT_ALLOWED)
    for entity_id in case.moved:
        rule = case.policy.entities.get(entity_id)
        if rule is not None and case.writes and not _fits(rule, case):
            return case.refuse(Reason.NOT_ALLOWED)
    return None


def _fits(rule: EntityRule, case: Case) -> bool:
    if rule.users and case.context.user_id not in rule.users:
        return False
    if rule.admins_only and not case.context.is_admin:
        return False
    return rule.hours is None or _within(case.context.now, rule.hours)


def _within(now: datetime, hours: tuple[str, str]) -> bool:
    start, end = hours
    at = f"{now:%H:%M}"
    return start <= at < end if start <= end else at >= start or at < end


def available(case: Case) -> Finding:
    """Refuse what cannot be reached now."""
    if case.readiness.available:
        return None
    return case.refuse(Reason.UNAVAILABLE, problem=case.readiness.problem)


def safe_now(case: Case) -> Finding:
    """Refuse while a precondition is known to be false; where one is too old to tell, refuse or ask by risk."""
    if case.readiness.unmet:
        return case.refuse(Reason.UNSAFE_NOW, problem=case.readiness.unmet[0])
    if not case.readiness.stale:
        return None
    if case.stake.risk.rank > Risk.COST.rank:
        return case.refuse(Reason.STALE_STATE, problem=case.readiness.stale[0])
    return case.ask(AskKind.CONFIRM, Reason.STALE_STATE, problem=case.readiness.stale[0])


def mass(case: Case) -> Finding:
    """Bound how many things one call takes, and how much one turn does."""
    if len(case.targets) > case.rule.max_targets:
        return case.refuse(Reason.TOO_MANY_TARGETS, count=str(len(case.targets)), most=str(case.rule.max_targets))
    standing = case.standing
    risky = case.stake.risk.rank > Risk.COST.rank
    if standing.calls >= case.policy.max_calls or (risky and standing.risky >= case.policy.max_risky):
        return case.refuse(Reason.RATE_LIMITED)
    return None


def rate(case: Case) -> Finding:
    """Bound how often acts of this class happen."""
    if case.standing.last_minute.get(case.stake.risk, 0) >= case.rule.per_minute:
        return case.refuse(Reason.RATE_LIMITED)
    return None


def origin(case: Case) -> Finding:
    """Be stricter where no person is present."""
    rule = case.policy.origins[case.context.origin]
    if case.stake.risk.rank <= rule.max_risk.rank:
        return None
    if rule.above_asks:
        level = case.stake.confirm or AskKind.CONFIRM
        return case.ask(level, Reason.NEEDS_PIN if level is AskKind.PIN else Reason.NEEDS_CONFIRMATION)
    return case.refuse(Reason.NOT_ALLOWED)


def confirmed(case: Case) -> Finding:
    """Ask for the yes or the PIN that policy and device want."""
    level = stricter(case.stake.confirm, case.readiness.confirm)
    match level:
        case None | AskKind.CLARIFY:
            return None
        case AskKind.CONFIRM:
            about = case.readiness.about
            return case.ask(AskKind.CONFIRM, Reason.NEEDS_CONFIRMATION, why=case.stake.why, about=about)
        case AskKind.PIN:
            return case.ask(AskKind.PIN, Reason.NEEDS_PIN, why=case.stake.why)
