"""One call and everything that is known of it, worked out once for all rules."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Ask, AskKind, Evidence, Readiness, Reason, Refuse
from botpsy_core.safety.calibration import (
    Scale,
    Signals,
    Tilt,
    certainty,
    foreign_signals,
    own_signals,
    scale_for,
    tilt_for,
)
from botpsy_core.safety.coverage import coverage
from botpsy_core.safety.grounding import Grounding, only_schema
from botpsy_core.safety.policy import ClassRule, Policy, Stake
from botpsy_core.safety.standing import Confirmation, Standing


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

    @property
    def moved(self) -> tuple[str, ...]:
        """Return the ids of all that the call moves: its targets, and what they are made of."""
        return (*self.targets, *(part.entity.id for entity in self.entities for part in entity.parts))

    @property
    def certainty(self) -> float:
        """Return how much speaks for this call, 0 to 1; `likelihood` is the probability that people are shown."""
        return certainty(self.signals, self.scale, self._tilt)

    def certainty_with(self, gain: float) -> float:
        """Return the same as if the model had been asked for its gain and had said this one."""
        return certainty({**self.signals, "gain": gain}, self.scale, self._tilt)

    @property
    def relevance(self) -> float:
        """Return the probability, 0 to 1, that a foreign tool is what was asked for, whatever nobody said for it."""
        said = self.grounding.spans
        p_args = {name: p for name, p in self.evidence.p_args.items() if name in said}
        grounding, evidence = replace(self.grounding, ungrounded=()), replace(self.evidence, p_args=p_args)
        return certainty(foreign_signals(grounding, evidence, self._covered), self.scale, self._tilt)

    @property
    def signals(self) -> Signals:
        """Return the value of every signal that this call has."""
        if self.only_schema:
            return foreign_signals(self.grounding, self.evidence, self._covered)
        return own_signals(self.grounding, self.clause, self.evidence)

    @property
    def _covered(self) -> float | None:
        return coverage(self.call, self.spec, self.heard, part=self.evidence.part)

    @property
    def scale(self) -> Scale:
        """Return how the signals of such a tool are weighed."""
        return scale_for(foreign=self.only_schema)

    @property
    def _tilt(self) -> Tilt:
        return tilt_for(self.evidence.model, self.policy.tilts)

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
        """Return True where another agent calls or a planned act is due: there are no words to ground the call in."""
        return self.context.origin in (Origin.AGENT, Origin.DELAYED)

    @property
    def at(self) -> tuple[str, ...]:
        """Return when the call is to be done, where that is not now; two are two readings of the words."""
        return tuple(str(choice.value) for choice in self.offered.at) if self.offered is not None else ()

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


type Finding = Refuse | Ask | None
type Rule = Callable[[Case], Finding]
"""Looks at one thing of a case; None where it finds nothing against it."""
