"""One call and everything that is known of it, worked out once for all rules."""

from dataclasses import dataclass

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import Role, ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Ask, AskKind, Evidence, Readiness, Reason, Refuse
from botpsy_core.safety.grounding import Grounding
from botpsy_core.safety.policy import ClassRule, Policy, Stake
from botpsy_core.safety.standing import Confirmation, Standing


def only_schema(spec: ToolSpec) -> bool:
    """Return True for a tool of which only text and schema are known: it has no words and things to look for."""
    return not (spec.cues or spec.directions or spec.target or spec.arguments_of(Role.TARGET))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What every rule reads and none changes."""

    call: ToolCall
    spec: ToolSpec
    clause: Clause
    heard: Heard
    home: Home
    evidence: Evidence
    readiness: Readiness
    policy: Policy
    context: TurnContext
    offered: OfferedTool | None
    standing: Standing
    confirmation: Confirmation | None
    grounding: Grounding
    targets: tuple[str, ...]
    entities: tuple[Entity, ...]
    """The targets that the home knows."""
    stake: Stake
    certainty: float

    @property
    def rule(self) -> ClassRule:
        """Return how the policy treats this call's class."""
        return self.policy.classes[self.stake.risk]

    @property
    def writes(self) -> bool:
        """Return True if the call changes something."""
        return not self.spec.read_only

    @property
    def only_schema(self) -> bool:
        """Return True for a tool that acts on no thing of the home and has no words of its own: a foreign one."""
        return only_schema(self.spec)

    @property
    def wordless(self) -> bool:
        """Return True where another agent calls: there are no words to ground the call in."""
        return self.context.origin is Origin.AGENT

    def refuse(self, reason: Reason, **detail: str) -> Refuse:
        """Return a refusal of this call."""
        return Refuse(reason=reason, call=self.call, detail=detail)

    def ask(
        self,
        kind: AskKind,
        reason: Reason,
        *,
        argument: str | None = None,
        options: tuple[str, ...] = (),
        **detail: str,
    ) -> Ask:
        """Return a question about this call; a yes or a PIN is asked for as the device's profile says."""
        settles = kind is not AskKind.CLARIFY
        return Ask(
            call=self.call,
            risk=self.stake.risk,
            kind=kind,
            reason=reason,
            argument=argument,
            options=options,
            detail=detail,
            readback=self.readiness.readback if settles else "",
            ttl_s=self.readiness.confirm_ttl_s if settles else None,
        )
