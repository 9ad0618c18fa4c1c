"""Write down, for people, what each room made of one clause, and how a turn ended; no secrets, no prompt."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import assert_never

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.events import Ended
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.offer import Offer
from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.domain.verdicts import Allow, Ask, Refuse, Verdict
from botpsy_core.safety import Case, likelihood


def trace_of(
    clause: Clause,
    *,
    offer: Offer | None = None,
    case: Case | None = None,
    verdict: Verdict | None = None,
) -> Mapping[str, JsonValue]:
    """Return one clause's way through the house as JSON."""
    return {
        "text": clause.text,
        "mood": clause.mood.value,
        "directions": [d.value for d in clause.directions],
        "targets": [
            {"label": t.label, "entities": list(t.entities), "how": t.how.value, "score": round(t.score, 3)}
            for t in clause.targets[:8]
        ],
        "values": [{"kind": v.kind.value, "value": v.value} for v in clause.values],
        "absent": list(clause.absent),
        "unexplained": [
            clause.text[s.start - clause.span.start : s.end - clause.span.start] for s in clause.unexplained
        ],
        "offered": [] if offer is None else [{"tool": t.tool.name, "score": round(t.score, 3)} for t in offer.tools],
        "call": None if case is None else {"name": case.call.name, "args": dict(case.call.args)},
        "evidence": None if case is None else _evidence(case, verdict),
        "confirmed": case is not None and case.confirmation is not None,
        "verdict": None if verdict is None else _verdict(verdict),
    }


def entry_of(kind: str, text: str, ended: Ended, context: TurnContext) -> JsonObject:
    """Return what the journal keeps of one turn; `text` is what may be written down of its words."""
    return {
        "at": context.now.isoformat(),
        "kind": kind,
        "conversation": context.conversation_id,
        "talk_device": context.device_id,
        "secret": ended.secret,
        "dry_run": context.dry_run,
        "origin": context.origin.value,
        "user": context.user_id,
        "text": text,
        "status": ended.status.value,
        "reason": None if ended.reason is None else ended.reason.value,
        "reply": ended.reply,
        "pending": ended.pending,
        "usage": asdict(ended.usage),
        **ended.trace,
    }


def _evidence(case: Case, verdict: Verdict | None) -> JsonValue:
    evidence = case.evidence
    told: dict[str, JsonValue] = {"by_code": evidence.by_code, "certainty": round(case.certainty, 3)}
    if verdict is not None:
        told["probability"] = round(likelihood(case, verdict), 3)
    told["signals"] = {name: round(value, 3) for name, value in case.signals.items()}
    for name in ("p_call", "p_refuse", "gain", "likeness"):
        value = getattr(evidence, name)
        if value is not None:
            told[name] = round(value, 3)
    if evidence.p_args:
        told["p_args"] = {k: round(v, 3) for k, v in evidence.p_args.items()}
    return told


def _verdict(verdict: Verdict) -> JsonValue:
    match verdict:
        case Allow():
            return {"kind": "allow", "risk": verdict.risk.value, **({"at": verdict.at} if verdict.at else {})}
        case Ask():
            return {
                "kind": "ask",
                "risk": verdict.risk.value,
                "ask": verdict.kind.value,
                "reason": verdict.reason.value,
            }
        case Refuse():
            return {"kind": "refuse", "reason": verdict.reason.value, "detail": dict(verdict.detail)}
        case _:
            assert_never(verdict)
