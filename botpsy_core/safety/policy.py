"""What may be done, by whom, and after which question: data with a default."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from botpsy_core.domain.context import Origin
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Direction, Risk, ToolSpec
from botpsy_core.domain.verdicts import AskKind
from botpsy_core.safety.calibration import Tilt

_LEVELS: tuple[AskKind | None, ...] = (None, AskKind.CONFIRM, AskKind.PIN)
_WORD = re.compile(r"\w+")


def stricter(*levels: AskKind | None) -> AskKind | None:
    """Return the strictest of some levels of confirmation."""
    return max(levels, key=_LEVELS.index, default=None)


def satisfies(given: AskKind | None, needed: AskKind | None) -> bool:
    """Return True if a confirmation of level `given` is enough where `needed` is asked for."""
    return _LEVELS.index(given) >= _LEVELS.index(needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRule:
    """How one class of risk is treated; the fields are explained in policy.default.yaml."""

    enabled: bool
    confirm: AskKind | None
    max_targets: int
    ask_below: float
    refuse_below: float
    fuzzy_above: float
    leftover: int
    per_minute: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRule:
    """What a target adds to a tool's own class."""

    why: str
    kinds: frozenset[str]
    directions: frozenset[Direction]
    risk: Risk
    words: frozenset[str] = frozenset()
    confirm: AskKind | None = None
    own_confirm: bool = False
    """True if `confirm` stands instead of the class's own."""

    def fits(self, entity: Entity, ways: frozenset[Direction]) -> bool:
        """Return True if the rule speaks of an act on this entity that goes one of these ways; none given is any."""
        classless = f"{entity.domain}.none"
        if self.kinds.isdisjoint((entity.domain, entity.kind if entity.device_class else classless)):
            return False
        if self.directions and ways and self.directions.isdisjoint(ways):
            return False
        return not self.words or self._named(entity)

    def _named(self, entity: Entity) -> bool:
        names = [n.casefold() for n in (entity.name, *entity.aliases)]
        # Compounds ("Heizlüfterdose") and scripts without spaces hold the word inside; short words must stand alone.
        return any(
            w in n if len(w) > 4 or not w.isascii() else w in _WORD.findall(n) for w in self.words for n in names
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRule:
    """What one way in may do."""

    max_risk: Risk
    above_asks: bool
    """True: anything above waits for a person on a screen; False: it is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRule:
    """The owner's own rule for one entity."""

    enabled: bool | None = None
    """None where the owner has said nothing."""
    risk: Risk | None = None
    confirm: AskKind | None = None
    own_confirm: bool = False
    hours: tuple[str, str] | None = None
    """Local time, "HH:MM", from the first to before the second; over midnight where the first is later."""
    users: frozenset[str] = frozenset()
    """The only users who may; empty for everybody."""
    admins_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRule:
    """The owner's own rule for one tool."""

    enabled: bool | None = None
    """None where the owner has said nothing."""
    risk: Risk | None = None
    confirm: AskKind | None = None
    own_confirm: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What nothing is done about, and the words that speak of it."""

    words: Mapping[str, tuple[str, ...]]
    """By language; whole words or phrases, ".." for up to four words."""
    everywhere: bool = False
    """True: one clause that speaks of it spoils the whole utterance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """How bad a wrong act would be here, and what it needs first."""

    risk: Risk
    confirm: AskKind | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The whole policy; see policy.default.yaml."""

    classes: Mapping[Risk, ClassRule]
    targets: tuple[TargetRule, ...]
    origins: Mapping[Origin, OriginRule]
    topics: Mapping[str, Topic]
    lifted: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Tool to the topics that the owner allows it."""
    entities: Mapping[str, EntityRule] = field(default_factory=dict)
    tools: Mapping[str, ToolRule] = field(default_factory=dict)
    expires_s: float = 90.0
    tries: int = 3
    lockout_s: float = 300.0
    spoken_pin: bool = False
    max_risky: int = 1
    max_calls: int = 12
    tilts: Mapping[str, Tilt] = field(default_factory=dict)
    """By a model's digest: how this home has measured it, over what we did."""

    def stake(
        self,
        spec: ToolSpec,
        targets: tuple[Entity, ...],
        *,
        floor: Risk | None = None,
        ways: frozenset[Direction] | None = None,
    ) -> Stake:
        """Return the worst class that the tool, its targets and the world's `floor` say, and what it needs.

        `ways` are those of the tool's that the words leave; None for all of them.
        """
        own = self.tools.get(spec.name, ToolRule())
        risk = own.risk or spec.risk
        if risk is Risk.READ and not spec.read_only:
            risk = Risk.COMFORT  # the owner may trust an act, but not turn it into a question
        stakes = [Stake(risk=risk, confirm=self._level(risk, own))]
        if floor is not None:
            stakes.append(Stake(risk=floor, confirm=self._level(floor, own)))
        if not spec.read_only:
            gone = spec.directions if ways is None else ways
            stakes += [s for e in targets for s in self._of_target(e, gone)]
        worst = max(stakes, key=lambda s: (s.risk.rank, _LEVELS.index(s.confirm)))
        # A lower class may still ask for more than the worst one does.
        return Stake(risk=worst.risk, confirm=stricter(*(s.confirm for s in stakes)), why=worst.why)

    def _of_target(self, entity: Entity, ways: frozenset[Direction]) -> list[Stake]:
        stakes = [
            Stake(risk=r.risk, confirm=r.confirm if r.own_confirm else self.classes[r.risk].confirm, why=r.why)
            for r in self.targets
            if r.fits(entity, ways)
        ]
        # A group, a scene or a script is as bad as the worst that it moves.
        for part in entity.parts:
            stakes += self._of_target(part.entity, ways if part.ways is None else part.ways)
        own = self.entities.get(entity.id)
        if own is not None and (own.risk is not None or own.own_confirm):
            # The owner's word about one entity replaces the general rules, for better or worse.
            risk = own.risk or max((s.risk for s in stakes), key=lambda r: r.rank, default=Risk.READ)
            return [Stake(risk=risk, confirm=self._level(risk, own), why="the owner's rule")]
        return stakes

    def _level(self, risk: Risk, own: EntityRule | ToolRule) -> AskKind | None:
        return own.confirm if own.own_confirm else self.classes[risk].confirm
