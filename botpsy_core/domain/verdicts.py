"""What the gate says about a call."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from botpsy_core.domain.heard import Span
from botpsy_core.domain.tools import Risk, ToolCall


class Reason(StrEnum):
    """Why a call is asked about or refused; one spoken sentence each in every language."""

    NO_SUITABLE_TOOL = "no_suitable_tool"
    NOT_ENABLED = "not_enabled"
    NOT_EXPOSED = "not_exposed"
    NOT_ALLOWED = "not_allowed"
    NOT_LATER = "not_later"
    """What opens, can hurt or costs is never put off."""
    ABSENT_DEVICE = "absent_device"
    AMBIGUOUS_TARGET = "ambiguous_target"
    MISSING_ARGUMENT = "missing_argument"
    WRONG_ARGUMENT = "wrong_argument"
    UNGROUNDED = "ungrounded"
    NEGATED = "negated"
    QUESTION = "question"
    NOT_A_COMMAND = "not_a_command"
    OPPOSITE = "opposite"
    UNSAFE_NOW = "unsafe_now"
    STALE_STATE = "stale_state"
    UNAVAILABLE = "unavailable"
    TAINTED = "tainted"
    TOO_MANY_TARGETS = "too_many_targets"
    RATE_LIMITED = "rate_limited"
    EXCLUDED_TOPIC = "excluded_topic"
    NEEDS_CONFIRMATION = "needs_confirmation"
    NEEDS_PIN = "needs_pin"
    NO_PIN_SET = "no_pin_set"
    WRONG_PIN = "wrong_pin"
    LOCKED_OUT = "locked_out"
    DENIED = "denied"
    EXPIRED = "expired"
    TOO_LONG = "too_long"
    """The utterance has more characters than a turn reads."""


class AskKind(StrEnum):
    """What kind of answer an Ask waits for."""

    CLARIFY = "clarify"
    """A target or an argument in words."""
    CONFIRM = "confirm"
    """Yes or no."""
    PIN = "pin"
    """The owner's PIN, by another way than speech."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allow:
    """The call may go out now."""

    call: ToolCall
    risk: Risk
    at: str | None = None
    """ISO 8601 with offset where it is to be done later and not now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The call is kept; an answer decides."""

    call: ToolCall
    risk: Risk
    kind: AskKind
    reason: Reason
    options: tuple[str, ...] = ()
    """What the user may answer, by name, best first."""
    argument: str | None = None
    """The argument that is missing or wrong."""
    detail: Mapping[str, str] = field(default_factory=dict)
    """Placeholders of the spoken question."""
    readback: str = ""
    """The question in the words of the device's profile."""
    ttl_s: float | None = None
    """How long the device's profile lets an answer count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Nothing goes out."""

    reason: Reason
    call: ToolCall | None = None
    detail: Mapping[str, str] = field(default_factory=dict)
    """Placeholders of the spoken sentence: `name`, `nearest`, `argument`, `range` ..."""


type Verdict = Allow | Ask | Refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a decision besides the words; None where the engine cannot tell, never 0."""

    p_call: float | None = None
    """Probability of the chosen tool among all branches, 0 to 1."""
    p_refuse: float | None = None
    """Probability of the refusal branch, 0 to 1."""
    p_args: Mapping[str, float] = field(default_factory=dict)
    """Probability of each argument's value, 0 to 1."""
    gain: float | None = None
    """How much likelier the model finds the words once it knows the tool, natural log, 0 for a tool that tells nothing.

    By Bayes the same as how much the words speak for the tool, with the model's habit taken out.
    """
    likeness: float | None = None
    """Likeness of utterance and tool text, 0 to 1, no model."""
    model: str = ""
    """Digest of the model that was asked; empty where none was."""
    by_code: bool = False
    """True if the words alone decided and no model was asked."""
    tainted: bool = False
    """True if text that somebody else wrote entered this turn before the call."""
    part: Span | None = None
    """The words that asked for this call, where the utterance asks for several; None where all of them do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """What the world says about a call right now; from `Toolbox.check`."""

    available: bool = True
    exposed: bool = True
    allowed: bool = True
    """False if this user has no right to it."""
    enabled: bool = True
    """False if the owner has not switched this command on."""
    already_so: bool = False
    unmet: tuple[str, ...] = ()
    """Preconditions known to be false, as sentences for the user."""
    stale: tuple[str, ...] = ()
    """Preconditions whose state is too old or unknown, as sentences for the user."""
    risk: Risk | None = None
    """The world's own floor, where it is higher than the tool's (a garage door behind a cover)."""
    confirm: AskKind | None = None
    """What the device's profile asks for at least."""
    problem: str = ""
    """What is unavailable or wrong, for the user."""
    about: str = ""
    """What the call would act on, as it was found; shown back with the question."""
    readback: str = ""
    """The question in the words of the device's profile."""
    confirm_ttl_s: float | None = None
    """How long the device's profile lets an answer count; the policy's bound holds where it is shorter."""
