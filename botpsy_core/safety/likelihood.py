"""What a person is told: how likely a call is what was asked for, once the gate has spoken."""

from botpsy_core.domain.verdicts import Allow, Ask, Reason, Refuse, Verdict
from botpsy_core.safety.calibration import shown
from botpsy_core.safety.case import Case

AGAINST_THE_CALL = frozenset(
    {
        Reason.NO_SUITABLE_TOOL,
        Reason.ABSENT_DEVICE,
        Reason.AMBIGUOUS_TARGET,
        Reason.MISSING_ARGUMENT,
        Reason.WRONG_ARGUMENT,
        Reason.UNGROUNDED,
        Reason.NEGATED,
        Reason.QUESTION,
        Reason.NOT_A_COMMAND,
        Reason.OPPOSITE,
        Reason.TAINTED,
    }
)
"""Findings on words and call; policy, world and confirmations say nothing of what was meant."""


def likelihood(case: Case, verdict: Verdict) -> float:
    """Return the probability, 0 to 1, that the call is right; the thresholds read `Case.certainty` instead."""
    match verdict:
        case Allow():
            return shown(case.certainty, case.scale, objected=False)
        case Ask() | Refuse():
            return shown(case.certainty, case.scale, objected=verdict.reason in AGAINST_THE_CALL)
