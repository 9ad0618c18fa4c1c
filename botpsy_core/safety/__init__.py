"""The guard: a pure function from a call and all that is known of it to a Verdict."""

from botpsy_core.safety.calibration import Tilt, tilt_for
from botpsy_core.safety.case import Case
from botpsy_core.safety.confirm import Attempts, Confirmations, Pending
from botpsy_core.safety.gate import case_of, decide, in_doubt, verdict_on
from botpsy_core.safety.grounding import is_grounded, only_schema
from botpsy_core.safety.hindsight import Past, Way, judged, looser
from botpsy_core.safety.likelihood import likelihood
from botpsy_core.safety.nearest import nearest_names
from botpsy_core.safety.pin import PinHash
from botpsy_core.safety.policy import Policy
from botpsy_core.safety.policy_file import load_policy, merged
from botpsy_core.safety.rate import RateLimiter
from botpsy_core.safety.standing import Confirmation, Standing
from botpsy_core.safety.topics import topics_in

__all__ = [
    "Attempts",
    "Case",
    "Confirmation",
    "Confirmations",
    "Past",
    "Pending",
    "PinHash",
    "Policy",
    "RateLimiter",
    "Standing",
    "Tilt",
    "Way",
    "case_of",
    "decide",
    "in_doubt",
    "is_grounded",
    "judged",
    "likelihood",
    "load_policy",
    "looser",
    "merged",
    "nearest_names",
    "only_schema",
    "tilt_for",
    "topics_in",
    "verdict_on",
]
